// Package static holds the style sheets, the script, the font and the icons, embedded in the program. Each is served
// under a name that carries a hash of its content, so a browser may keep it for ever and still sees every change.
package static
