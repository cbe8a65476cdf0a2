// Package inbox reads what comes in from other systems, by whichever way, into messages: JSON, CloudEvents, a broker, the webhooks of gateways. A
// message is delivered at least once; the store applies it once, by its source and id.
package inbox
