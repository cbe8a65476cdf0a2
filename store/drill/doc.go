// Package drill makes a race visible: many callers charge the same thing at the same moment under one idempotency key, and a gateway
// counts how often it was charged. They do it as it is often done, by looking whether the key is there and acting when it is not, and by
// the claim; in one process, and in several over one database.
package drill
