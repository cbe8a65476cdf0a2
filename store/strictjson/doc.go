// Package strictjson reads JSON strictly: what a lenient reader would guess at or pass over is refused or told, since it may be money.
package strictjson
