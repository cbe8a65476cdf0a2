// Package gatewaytest is the conformance suite of gateways: whatever moves money for Daybook must pass it. It asks a gateway at its best; what an
// unreliable one answers is for the tests of each gateway.
package gatewaytest
