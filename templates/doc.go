// Package templates holds the screens, one .templ each. A screen is handed one typed struct and shows it: it reads
// nothing, decides nothing and knows no clock. What several screens share is in ui.
package templates
