package privacy

import (
	"log/slog"
	"strconv"
)

// Value is a secret. It prints as its token, whatever it is printed with, so
// that a stray %v cannot leak it.
type Value struct {
	token string
	bytes []byte
}

// String is the token.
func (v Value) String() string { return v.token }

// GoString is the token.
func (v Value) GoString() string { return v.token }

// MarshalText is the token.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.token), nil }

// MarshalJSON is the token as a string.
func (v Value) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(v.token)), nil }

// LogValue is the token.
func (v Value) LogValue() slog.Value { return slog.StringValue(v.token) }

// reveal is the secret itself; only typing asks for it.
func (v Value) reveal() string { return string(v.bytes) }

func (v *Value) wipe() {
	for i := range v.bytes {
		v.bytes[i] = 0
	}
	v.bytes = nil
}
