package bench

import (
	"fmt"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts the tokens of o200k_base. It is safe for concurrent use.
type Counter struct{ codec tokenizer.Codec }

// NewCounter loads the vocabulary, which takes a moment.
func NewCounter() (*Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	return &Counter{codec: codec}, nil
}

// pieceBytes is how much text is counted at once. The tokenizer's time grows
// with the square of a run without spaces.
const pieceBytes = 4 << 10

// Tokens counts the tokens of text. It is exact, but that a run of 4 KiB
// without a space between two letters may count one token too many.
func (c *Counter) Tokens(text []byte) int {
	n := 0
	for len(text) > 0 {
		end := cut(text)
		k, err := c.codec.Count(string(text[:end]))
		if err != nil { // not reached: the vocabulary covers every byte
			k = (end + 3) / 4
		}
		n += k
		text = text[end:]
	}
	return n
}

// cut is where text may be divided without changing its tokens: o200k_base
// begins a token at a space between two letters.
func cut(text []byte) int {
	if len(text) <= pieceBytes {
		return len(text)
	}
	for i := pieceBytes; i < 2*pieceBytes && i+1 < len(text); i++ {
		if text[i] == ' ' && letter(text[i-1]) && letter(text[i+1]) {
			return i
		}
	}
	i := pieceBytes
	for i > pieceBytes-utf8.UTFMax && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

func letter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// estimate is AWP's rough count of tokens.
func estimate(bytes int) int { return bytes / 4 }
