// Package web is what a browser and a client program see of Daybook: the pages, one file a resource, and below /api the
// JSON API of package api. server.go builds it, routes.go shows every address, middleware.go what surrounds each request,
// session.go who is signed in, and errors.go is the one place where an error becomes an answer.
package web
