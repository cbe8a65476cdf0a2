// Package pgtest gives each test a database of its own: migrated, empty, and gone when the test ends. The databases
// live in one private Postgres a test binary, started by the first test that asks, or in the server that
// DAYBOOK_TEST_DATABASE_URL names. A package that uses it calls Main from TestMain:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
package pgtest
