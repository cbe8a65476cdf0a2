// Package api is the JSON API v1: the same use cases as the pages, one file a resource. A handler reads the request, calls
// one method of the store and shapes its answer. Amounts are integers in minor units; errors leave as problem documents,
// which package web writes for pages and API alike.
package api
