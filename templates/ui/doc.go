// Package ui holds the components that every screen is made of: money, chips, tables, fields, alerts. A component is
// handed values and shows them; it reads nothing, decides nothing and knows no clock.
//
// A leaf is a struct that renders itself (@ui.Money{Minor: 1250, Currency: "EUR"}); what has children is a function
// (@ui.Section("lines", "Postings", "") { … }).
package ui
