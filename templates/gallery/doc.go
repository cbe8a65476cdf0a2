// Package gallery shows every screen in every state with canned data, one file a screen. Golden files hold them, other
// tests go through them all, and a server for developers serves them at /dev/gallery.
package gallery
