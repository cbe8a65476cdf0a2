// Package jobs hands long work to whichever server has time for it. It is River over the database of the books: a task is put down in the
// transaction that asks for it, and is there, or not, with everything else of that transaction.
//
// River goes over database/sql, since that is where GORM's transactions are; it polls instead of listening, which would take one more
// connection of each server for a second gained on work that takes many.
package jobs
