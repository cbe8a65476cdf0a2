package payment

import "daybook/store/ledger"

// State is where a payment stands.
type State uint8

// The states. Captured, PartlyRefunded, Refunded, Disputed and ChargedBack are told apart by what is left of what was captured.
const (
	Created        State = iota // asked for, nothing promised
	Authorized                  // the money is held for us
	Captured                    // taken, none of it given back
	PartlyRefunded              // some of it given back
	Refunded                    // all of it given back
	Voided                      // let go before it was taken
	Failed                      // declined
	Disputed                    // the payer asks the bank for it back, and the bank has taken it until it decides
	ChargedBack                 // the bank gave it back to the payer
	states                      // how many there are
)

var stateNames = [states]string{"created", "authorized", "captured", "partly_refunded", "refunded", "voided", "failed", "disputed", "charged_back"}

// String is the state as it is stored and as the API says it.
func (s State) String() string { return stateNames[s] }

// States are all states, in the order of a payment's life.
func States() (all []State) {
	for s := range states {
		all = append(all, s)
	}
	return all
}

// ParseState reads what String writes. Error: KindInvalid.
func ParseState(text string) (State, error) {
	for _, s := range States() {
		if s.String() == text {
			return s, nil
		}
	}
	return 0, ledger.Refuse(ledger.KindInvalid, "%q is not a state of a payment", text).At("state", "is one of %v", stateNames)
}
