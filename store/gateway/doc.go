// Package gateway says what Daybook asks of a payment gateway, and what it may answer. A gateway is slow and unreliable: that no answer came is an
// answer too, Unknown, and the same request with the same key is never done twice. The gateways are in the packages below.
package gateway
