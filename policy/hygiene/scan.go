package hygiene

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Finding is what a scan found in a text: the rules hit, in the order P1 to P9.
type Finding struct {
	Rules []string
	Score int
}

// The scores from which on a finding counts (§9.3).
const (
	Visible   = 3 // visible text, attribute text, titles
	Concealed = 2 // hidden blocks, decoded payloads
)

// Scan looks for text that is addressed to a model: instructions, chat markup,
// requests to send secrets. It is a tripwire, not a proof.
func Scan(text string) Finding { return scan(text, 0) }

// Spelled reports whether only the cleaned text scores: unseen characters kept
// the raw text from being recognised.
func Spelled(raw, clean string) bool {
	return Scan(clean).Score >= Visible && scanWords(strings.ToLower(raw), false).Score < Visible
}

func scan(text string, depth int) Finding {
	if len(text) < 6 {
		return Finding{}
	}
	if len(text) > maxScan {
		text = text[:maxScan]
	}
	return scanWords(fold(text), depth == 0 && decodes(text))
}

// maxScan bounds what is looked at of one block.
const maxScan = 64 << 10

func scanWords(s string, encoded bool) Finding {
	var hit [10]bool
	hit[2] = markup(s)
	for _, ws := range sentences(s) {
		hit[1] = hit[1] || overrides(ws)
		hit[3] = hit[3] || addressesMachine(ws)
		hit[4] = hit[4] || exfiltrates(ws)
		hit[5] = hit[5] || conceals(ws)
		hit[6] = hit[6] || commands(ws)
		hit[7] = hit[7] || revealsPrompt(ws)
		hit[9] = hit[9] || newTask(ws)
	}
	hit[1] = hit[1] || foreignOverride(s)
	hit[8] = encoded
	return finding(hit)
}

func finding(hit [10]bool) Finding {
	scores := [10]int{0, 3, 3, 2, 3, 3, 2, 2, 3, 1}
	var f Finding
	for i, h := range hit {
		if h && i != 6 {
			f.Score += scores[i]
		}
	}
	if f.Score == 0 {
		return Finding{}
	}
	if hit[6] {
		f.Score += scores[6]
	}
	for i, h := range hit {
		if h {
			f.Rules = append(f.Rules, "P"+string(rune('0'+i)))
		}
	}
	return f
}

// in reports whether w is one of the words in a list.
func in(w, list string) bool {
	for i := 0; ; {
		k := strings.Index(list[i:], w)
		if k < 0 || w == "" {
			return false
		}
		k += i
		if (k == 0 || list[k-1] == ' ') && (k+len(w) == len(list) || list[k+len(w)] == ' ') {
			return true
		}
		i = k + 1
	}
}

// next finds the first word of a list after position i with at most gap words
// between; -1 if there is none.
func next(ws []word, i, gap int, list string) int {
	for k := i + 1; k < len(ws) && k <= i+1+gap; k++ {
		if in(ws[k].s, list) {
			return k
		}
	}
	return -1
}

func nextAddress(ws []word, i, gap int) int {
	for k := i + 1; k < len(ws) && k <= i+1+gap; k++ {
		if ws[k].url {
			return k
		}
	}
	return -1
}

const (
	overrideVerbs = "ignore ignoring disregard disregarding forget override overriding bypass bypassing"
	earlier       = "previous prior above earlier preceding all any your my its"
	orders        = "instruction instructions prompt prompts rule rules direction directions guideline guidelines directive directives programming"
	negations     = "not don't never doesn't didn't cannot can't won't shouldn't mustn't"
)

// overrides is P1.
func overrides(ws []word) bool {
	for i, w := range ws {
		start := i
		switch {
		case in(w.s, overrideVerbs):
			if i > 0 && (in(ws[i-1].s, negations) || strings.HasSuffix(ws[i-1].s, "n't")) {
				continue
			}
		case w.s == "follow" || w.s == "following":
			if i == 0 || !in(ws[i-1].s, "not don't never stop") {
				continue
			}
		default:
			continue
		}
		for q := next(ws, start, 3, earlier); q >= 0 && q <= start+4; q = next(ws, q, 3-(q-start), earlier) {
			if next(ws, q, 2, orders) >= 0 {
				return true
			}
		}
	}
	return false
}

var markups = regexp.MustCompile(`<\|[^|<>]{1,40}\|>|\[/?inst\]|<</?sys>>|### ?(system|instruction|assistant)\b|</?tool_(result|call)s?>|</?function_calls?>|\bbegin system\b|\bsystem override\b`)

var speaker = regexp.MustCompile(`^\W{0,3}(system|assistant|developer)( message| prompt| instructions?| note)?\s*:(.*)`)

// markup is P2. A bare "system:" is an ordinary label unless what follows
// speaks to somebody.
func markup(s string) bool {
	if markups.MatchString(s) {
		return true
	}
	m := speaker.FindStringSubmatch(s[:min(len(s), 600)])
	if m == nil {
		return false
	}
	for _, ws := range sentences(m[3]) {
		for _, w := range ws {
			if in(w.s, "you your you're must ignore disregard forget override user users now always never respond reply output do don't execute reveal instructions prompt") {
				return true
			}
		}
	}
	return false
}

// addressesMachine is P3.
func addressesMachine(ws []word) bool {
	for i := range ws {
		k := addressed(ws, i)
		if k < 0 {
			continue
		}
		for k < len(ws) && in(ws[k].s, "a an the all any large helpful") {
			k++
		}
		if machine(ws, k) {
			return true
		}
	}
	return false
}

// addressed is the position after words that address somebody; -1 if there are none at i.
func addressed(ws []word, i int) int {
	two := ""
	if i+1 < len(ws) {
		two = ws[i].s + " " + ws[i+1].s
	}
	switch {
	case two == "if you" && i+2 < len(ws) && ws[i+2].s == "are":
		return i + 3
	case two == "you are", two == "note to", two == "notice to", two == "message to", two == "if you're", two == "instructions for", two == "instruction for", two == "note for":
		return i + 2
	case in(ws[i].s, "you're as attention dear hey hello"):
		return i + 1
	}
	return -1
}

func machine(ws []word, k int) bool {
	if k >= len(ws) {
		return false
	}
	w := ws[k]
	two := ""
	if k+1 < len(ws) {
		two = ws[k+1].s
	}
	switch {
	case in(w.s, "llm llms"):
		return true
	case w.s == "language" && in(two, "model models"):
		return true
	case in(w.s, "automated autonomous") && in(two, "agent agents assistant assistants"):
		return true
	case w.s == "ai" && in(two, "assistant assistants agent agents model models bot bots system systems crawler crawlers browser browsers"):
		return true
	case in(w.s, "ai ais assistant assistants chatbot chatbots copilot copilots"):
		return w.end || in(two, "you must should please reading processing")
	}
	return false
}

const sending = "send post forward email e-mail upload exfiltrate leak paste transmit append"

// exfiltrates is P4.
func exfiltrates(ws []word) bool {
	for i, w := range ws {
		if !in(w.s, sending) {
			continue
		}
		for k := i + 1; k < len(ws) && k <= i+9; k++ {
			if secretAt(ws, k) && leadsOut(ws, k) {
				return true
			}
			if talkAt(ws, i, k) {
				return true
			}
		}
	}
	return false
}

func secretAt(ws []word, k int) bool {
	two := ""
	if k+1 < len(ws) {
		two = ws[k+1].s
	}
	switch ws[k].s {
	case "password", "passwords", "token", "tokens", "cookie", "cookies", "credential", "credentials", "ssn", "secret", "secrets", "apikey":
		return true
	case "api":
		return in(two, "key keys token tokens")
	case "card", "account":
		return in(two, "number numbers details")
	}
	return false
}

// leadsOut reports whether an address is given to send something to.
func leadsOut(ws []word, i int) bool {
	for k := next(ws, i, 8, "to at into"); k >= 0 && k <= i+9; k = next(ws, k, i+8-k, "to at into") {
		if nextAddress(ws, k, 1) >= 0 {
			return true
		}
	}
	return false
}

// talkAt reports whether the conversation or its prompt is what is sent.
func talkAt(ws []word, verb, k int) bool {
	two := ""
	if k+1 < len(ws) {
		two = ws[k+1].s
	}
	switch ws[k].s {
	case "conversation":
		return ws[verb].s != "post" && in(ws[k-1].s, "this the your our entire whole full") && next(ws, verb, k-verb-1, "join start continue") < 0 && leadsOut(ws, k)
	case "chat", "conversation's":
		return in(two, "history log logs")
	case "system":
		return in(two, "prompt prompts")
	}
	return false
}

// conceals is P5.
func conceals(ws []word) bool {
	for i, w := range ws {
		if !in(w.s, "don't never without") && !(w.s == "not" && i > 0 && in(ws[i-1].s, "do must should may")) {
			continue
		}
		v := next(ws, i, 2, "tell telling mention mentioning inform informing reveal revealing alert alerting")
		if v < 0 {
			continue
		}
		for k := v + 1; k+1 < len(ws) && k <= v+5; k++ {
			if in(ws[k].s, "the your") && in(ws[k+1].s, "user users human humans operator") {
				return true
			}
		}
	}
	return false
}

// commands is P6, which counts only beside another rule.
func commands(ws []word) bool {
	for i, w := range ws {
		if in(w.s, "call use invoke run execute") && next(ws, i, 8, "tool tools function functions command commands shell terminal script") >= 0 {
			return true
		}
		if in(w.s, "navigate go visit browse open") && nextAddress(ws, i, 4) >= 0 {
			return true
		}
	}
	return false
}

// revealsPrompt is P7.
func revealsPrompt(ws []word) bool {
	for i, w := range ws {
		if !in(w.s, "reveal print repeat output summarise summarize") {
			continue
		}
		for k := i + 1; k+1 < len(ws) && k <= i+9; k++ {
			if in(ws[k].s, "system hidden initial") && in(ws[k+1].s, "prompt prompts") || ws[k].s == "your" && in(ws[k+1].s, "instructions prompt") {
				return true
			}
		}
	}
	return false
}

// newTask is P9.
func newTask(ws []word) bool {
	for i, w := range ws {
		if in(w.s, "new updated real important urgent") && i+1 < len(ws) && in(ws[i+1].s, "instruction instructions task objective") {
			return true
		}
	}
	return false
}

var run40 = regexp.MustCompile(`[a-zA-Z0-9+/_-]{40,}={0,2}|(%[0-9a-fA-F]{2}[^%\s]{0,3}){12,}`)

// encodedText undoes base64, hex and percent runs in a text.
func encodedText(s string) []string {
	var out []string
	for _, m := range run40.FindAllString(s, 16) {
		if strings.IndexByte(m, '%') >= 0 {
			if d, err := url.PathUnescape(m); err == nil {
				out = append(out, d)
			}
			continue
		}
		if d, err := hex.DecodeString(m); err == nil {
			out = append(out, string(d))
			continue
		}
		m = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(m)
		if d, err := base64.RawStdEncoding.DecodeString(m[:len(m)/4*4]); err == nil {
			out = append(out, string(d))
		}
	}
	return out
}

// decodes is P8. It looks at the text before folding.
func decodes(raw string) bool {
	for _, d := range encodedText(raw) {
		if utf8.ValidString(d) && scan(d, 1).Score >= Visible {
			return true
		}
	}
	return false
}

// foreignOverride is P1 in the everyday forms of other languages.
func foreignOverride(s string) bool {
	stems := false
	for _, w := range [...]string{"ignor", "olvid", "esque", "desconsider", "oubli", "vergiss", "vergess", "missacht", "dimentica", "забудь", "игнориру", "忽略", "无视", "無視", "忽視", "忘", "破棄"} {
		stems = stems || strings.Contains(s, w)
	}
	if !stems {
		return false
	}
	for _, f := range foreign {
		if f.MatchString(s) {
			return true
		}
	}
	return false
}

// foreign: es and pt, fr, de, it, ru, zh, ja.
var foreign = []*regexp.Regexp{
	regexp.MustCompile(`\b(ignor(a|e|ar|en|em)|olvid(a|e|ar)|esque(ça|cer|ce)|desconsider(a|e|ar)) (\pL+ ){0,3}(instrucciones|indicaciones|órdenes|reglas|instruções|ordens|regras)( (\pL+ ){0,2}(anteriores|previas|prévias|acima|recebidas))?`),
	regexp.MustCompile(`\b(ignor(e|ez|er)|oubli(e|ez|er)) (\pL+ ){0,3}(instructions|consignes|règles|directives) (\pL+ ){0,2}(précédentes|antérieures|ci-dessus)`),
	regexp.MustCompile(`\b(ignorier(e|en|t)|vergiss|vergessen|missachte(n)?) (sie )?(\pL+ ){0,3}(vorherig|bisherig|vorangegangen|obig|früher|vorig)\pL* (\pL+ )?(anweisungen|instruktionen|befehle|regeln|vorgaben)`),
	regexp.MustCompile(`\b(ignor(a|i|ate|are)|dimentica(te|re)?) (\pL+ ){0,3}(istruzioni|regole|indicazioni) (\pL+ ){0,2}(precedenti|sopra)`),
	regexp.MustCompile(`(игнориру(й|йте|ть)|проигнорируй(те)?|забудь(те)?) (\pL+ ){0,3}(инструкции|указания|правила|команды)`),
	regexp.MustCompile(`(忽略|无视|無視|忽視|忘记|忘記).{0,12}(之前|以上|先前|前面|上面|上述|所有|此前).{0,8}(指令|指示|说明|說明|提示|规则|規則)`),
	regexp.MustCompile(`(以前|これまで|前|上記|先ほど|すべて).{0,8}(指示|命令|プロンプト|ルール).{0,6}(無視|忘れ|破棄)`),
}
