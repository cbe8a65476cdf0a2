// Package store holds the use cases of Daybook on Postgres through GORM: one exported method is one transaction. Rules are
// in the pure packages below it (ledger) and in recon; constraints of the schema judge, and their names are translated
// into ledger.Error here. Every method that acts for a person or a machine takes the Actor and checks its right itself.
package store
