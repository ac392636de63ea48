package charset

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const htmlType = "text/html"

// UD-013: which declaration wins, and which encoding a label means.
func TestDecodeOrder(t *testing.T) {
	for _, c := range []struct{ name, contentType, b64, title, want string }{
		{"BOM beats header", "text/html; charset=iso-8859-1", "77u/PCFkb2N0eXBlIGh0bWw+PHRpdGxlPkvDpHNlPC90aXRsZT4=", "Käse", "UTF-8"},
		{"header beats meta", "text/html; charset=utf-8", "PCFkb2N0eXBlIGh0bWw+PG1ldGEgY2hhcnNldD13aW5kb3dzLTEyNTE+PHRpdGxlPkvDpHNlPC90aXRsZT4=", "Käse", "UTF-8"},
		{"http-equiv meta", "text/html", "PCFkb2N0eXBlIGh0bWw+PG1ldGEgaHR0cC1lcXVpdj0iQ29udGVudC1UeXBlIiBjb250ZW50PSJ0ZXh0L2h0bWw7IGNoYXJzZXQ9d2luZG93cy0xMjUxIj48dGl0bGU+z/Do4uXyPC90aXRsZT4=", "Привет", "windows-1251"},
		{"meta utf-16 means utf-8", "text/html", "PCFkb2N0eXBlIGh0bWw+PG1ldGEgY2hhcnNldD0idXRmLTE2Ij48dGl0bGU+S8Okc2U8L3RpdGxlPg==", "Käse", "UTF-8"},
		{"iso-8859-1 means windows-1252", "text/html; charset=ISO-8859-1", "PCFkb2N0eXBlIGh0bWw+PHRpdGxlPoCTQZQ8L3RpdGxlPg==", "€“A”", "windows-1252"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := base64.StdEncoding.DecodeString(c.b64)
			if err != nil {
				t.Fatal(err)
			}
			text, got := Decode(body, c.contentType)
			if got != c.want || !strings.Contains(string(text), "<title>"+c.title+"</title>") {
				t.Errorf("%s: %q, want %s with title %s", got, text, c.want, c.title)
			}
		})
	}
}

func TestDetermine(t *testing.T) {
	pad := strings.Repeat(" ", 1024)
	for _, c := range []struct{ name, contentType, body, want string }{
		{"unlabelled UTF-8", htmlType, "café \xc3\xa9", "UTF-8"},
		{"unlabelled ASCII", htmlType, "cafe", "UTF-8"},
		{"unlabelled, not UTF-8", htmlType, "caf\xe9", "windows-1252"},
		{"unlabelled UTF-8, cut in a character", htmlType, "caf\xc3\xa9 \xe2\x82", "UTF-8"},
		{"not cut but wrong", htmlType, "\xe2\x82x", "windows-1252"},
		{"UTF-16 in the header", "text/html;charset=utf-16", "a\x00", "UTF-16LE"},
		{"UTF-16BE in the header", "text/html;charset=utf-16be", "\x00a", "UTF-16BE"},
		{"UTF-16 BOM", htmlType, "\xff\xfea\x00", "UTF-16LE"},
		{"UTF-16BE BOM", htmlType, "\xfe\xff\x00a", "UTF-16BE"},
		{"quoted, upper case", `TEXT/HTML;CHARSET="utf-8"`, "\xe9", "UTF-8"},
		{"the first charset counts", "text/html; charset=koi8-r; charset=utf-8", "", "KOI8-R"},
		{"spaces around the label", "text/html; charset= utf-8 ;x=y", "\xe9", "UTF-8"},
		{"escapes in a quoted label", `text/html; charset="ut\f-8"`, "\xe9", "UTF-8"},
		{"a semicolon in another parameter", `text/html; a="x;charset=koi8-r"; charset=utf-8`, "\xe9", "UTF-8"},
		{"a parameter without value", "text/html; charset; charset=utf-8", "\xe9", "UTF-8"},
		{"an unknown label is none", "text/html; charset=klingon", "<meta charset=koi8-r>", "KOI8-R"},
		{"x-user-defined in the header", "text/html; charset=x-user-defined", "", "x-user-defined"},
		{"x-user-defined in meta", htmlType, "<meta charset=x-user-defined>", "windows-1252"},
		{"meta with a slash", htmlType, "<meta/charset=koi8-r>", "KOI8-R"},
		{"meta in quotes", htmlType, "<META CHARSET='koi8-r'>", "KOI8-R"},
		{"metadata is no meta", htmlType, "<metadata charset=koi8-r>", "UTF-8"},
		{"content without http-equiv", htmlType, "<meta content='text/html; charset=koi8-r'>", "UTF-8"},
		{"content before http-equiv", htmlType, "<meta content='text/html; charset=koi8-r' http-equiv=content-type>", "KOI8-R"},
		{"charset beats content", htmlType, "<meta charset=koi8-r http-equiv=content-type content='a;charset=big5'>", "KOI8-R"},
		{"content with spaces", htmlType, "<meta http-equiv=content-type content='charset charset \n = \" koi8-r\"'>", "KOI8-R"},
		{"content with an open quote", htmlType, "<meta http-equiv=content-type content='charset=\"koi8-r'>", "UTF-8"},
		{"the first attribute of a name counts", htmlType, "<meta charset=koi8-r charset=big5>", "KOI8-R"},
		{"an unknown label: the next meta counts", htmlType, "<meta charset=klingon><meta charset=koi8-r>", "KOI8-R"},
		{"meta in a comment", htmlType, "<!-- <meta charset=big5> --><meta charset=koi8-r>", "KOI8-R"},
		{"the shortest comment", htmlType, "<!--><meta charset=koi8-r>-->", "KOI8-R"},
		{"meta in an attribute", htmlType, "<a title='<meta charset=big5>'><meta charset=koi8-r>", "KOI8-R"},
		{"meta after bogus markup", htmlType, "</ x><?y?><!z><meta charset=koi8-r>", "KOI8-R"},
		{"meta cut off", htmlType, "<meta charset=koi8-r", "UTF-8"},
		{"meta after 1024 bytes", htmlType, "<title>" + pad + "</title><meta charset=koi8-r>", "KOI8-R"},
		{"a late meta in a script is text", htmlType, pad + "<script>'<meta charset=koi8-r>'</SCRIPT>", "UTF-8"},
		{"a late meta after a script", htmlType, pad + "<script>'<meta charset=big5>'</script ><meta charset=koi8-r>", "KOI8-R"},
		{"a late meta after plaintext is text", htmlType, pad + "<plaintext><meta charset=koi8-r>", "UTF-8"},
		{"meta in plain text is text", "text/plain", "<meta charset=koi8-r>\xe9", "windows-1252"},
		{"no type", "", "<meta charset=koi8-r>", "KOI8-R"},
		{"XML declaration in HTML", htmlType, "<?xml version='1.0' encoding='koi8-r'?><p>", "KOI8-R"},
		{"meta beats the XML declaration", htmlType, "<?xml encoding='big5'?><meta charset=koi8-r>", "KOI8-R"},
		{"XML declaration", "application/xhtml+xml", "<?xml version=\"1.0\" encoding = \"koi8-r\"?>", "KOI8-R"},
		{"XML is UTF-8 by itself, meta or not", "text/xml", "<r><meta charset=koi8-r/>\xe9</r>", "UTF-8"},
		{"an XML declaration of UTF-16 that can be read", "text/xml", "<?xml encoding='utf-16'?>", "UTF-8"},
		{"UTF-16 XML without BOM", "text/xml", "<\x00?\x00x\x00m\x00l\x00", "UTF-16LE"},
		{"UTF-16BE XML in HTML", htmlType, "\x00<\x00?\x00x\x00m\x00l", "UTF-16BE"},
		{"JSON", "application/json", "\"\xe9\"", "UTF-8"},
		{"JSON that says otherwise", "application/ld+json; charset=iso-8859-1", "\"\xe9\"", "windows-1252"},
		{"nothing at all", "", "", "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := Determine([]byte(c.body), c.contentType); got != c.want {
				t.Errorf("Determine(%q, %q) = %s, want %s", c.body, c.contentType, got, c.want)
			}
		})
	}
}

// Encoding Standard: the decoders, their errors included.
func TestDecodeText(t *testing.T) {
	for _, c := range []struct{ name, charset, body, want string }{
		{"UTF-8: a byte alone", "utf-8", "a\x80b\xffc", "a�b�c"},
		{"UTF-8: a maximal subpart is one error", "utf-8", "\xe2\x82A \xf0\x9f\x92 \xf0\x9f", "�A � �"},
		{"UTF-8: surrogates are three errors", "utf-8", "\xed\xa0\x80", "���"},
		{"UTF-8: overlong forms", "utf-8", "\xc0\xaf\xe0\x80\xaf\xf4\x90\x80\x80", "���������"},
		{"UTF-8: NUL stays", "utf-8", "a\x00b\xff", "a\x00b�"},
		{"UTF-8: BOM is no text", "utf-8", "\xef\xbb\xbfa", "a"},
		{"windows-1252: C1 controls", "latin1", "\x80\x81\x9f", "€\u0081Ÿ"},
		{"windows-1253: holes", "windows-1253", "\xaa\xe1", "�α"},
		{"ISO-8859-15", "iso-8859-15", "\xa4", "€"},
		{"KOI8-U", "koi8-u", "\xae\xbe", "ўЎ"},
		{"IBM866", "cp866", "\x80", "А"},
		{"macintosh", "macintosh", "\x80", "Ä"},
		{"x-user-defined", "x-user-defined", "a\x80", "a\uf780"},
		{"UTF-16LE", "utf-16le", "a\x00\x3d\xd8\x00\xdeb\x00", "a😀b"},
		{"UTF-16LE: odd and lone", "utf-16le", "\x3d\xd8b\x00x", "�b�"},
		{"UTF-16BE", "utf-16be", "\x00a", "a"},
		{"Shift_JIS", "sjis", "\x83\x65\x83\x58\x83\x67", "テスト"},
		{"Shift_JIS: < is not swallowed", "sjis", "\x83<b", "�<b"},
		{"EUC-JP", "euc-jp", "\xa5\xc6\xa5\xb9", "テス"},
		{"EUC-JP: < is not swallowed", "euc-jp", "\xa5<b", "�<b"},
		{"ISO-2022-JP", "iso-2022-jp", "\x1b$B%F%9%H\x1b(Bab", "テストab"},
		{"GBK", "gb2312", "\xb2\xe2\xca\xd4", "测试"},
		{"GBK is decoded as gb18030", "gbk", "\x80\x94\x39\xda\x33", "€💩"},
		{"GBK: < is not swallowed", "gbk", "\x81<b", "�<b"},
		{"gb18030: four bytes", "gb18030", "\x94\x39\xda\x33", "💩"},
		{"Big5", "big5", "\xb4\xfa\xb8\xd5", "測試"},
		{"Big5: < is not swallowed", "big5", "\x87<b", "�<b"},
		{"EUC-KR is windows-949", "euc-kr", "\xc5\xd7\xbd\xba\xc6\xae\x8c\x63", "테스트똠"},
		{"EUC-KR: < is not swallowed", "euc-kr", "\xc5<b", "�<b"},
		{"replacement", "iso-2022-kr", "anything", "�"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := Decode([]byte(c.body), "text/html; charset="+c.charset)
			if got := string(text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDecodeSharesValidUTF8(t *testing.T) {
	body := []byte("\xef\xbb\xbf<p>Käse")
	text, _ := Decode(body, htmlType)
	if &text[0] != &body[3] {
		t.Error("the text was copied")
	}
	if n := testing.AllocsPerRun(100, func() { Decode(body, "text/html; charset=utf-8") }); n > 2 {
		t.Errorf("%v allocations, want at most 2", n)
	}
}

func TestCanonical(t *testing.T) {
	for label, want := range map[string]string{
		"UTF8": "UTF-8", " utf-8\n": "UTF-8", "unicode-1-1-utf-8": "UTF-8", "latin1": "windows-1252",
		"ascii": "windows-1252", "iso-8859-1": "windows-1252", "iso-8859-9": "windows-1254",
		"tis-620": "windows-874", "x-sjis": "Shift_JIS", "ks_c_5601-1987": "EUC-KR", "x-gbk": "GBK",
		"big5-hkscs": "Big5", "utf-16": "UTF-16LE", "hz-gb-2312": "replacement", "koi8-ru": "KOI8-U",
		"iso-8859-8-i": "ISO-8859-8-I", "logical": "ISO-8859-8-I", "visual": "ISO-8859-8", "x-mac-roman": "macintosh",
		"dos-874": "windows-874", "cp1251": "windows-1251", "csiso2022jp": "ISO-2022-JP", "ibm866": "IBM866",
	} {
		if got, ok := Canonical(label); got != want || !ok {
			t.Errorf("Canonical(%q) = %q, want %q", label, got, want)
		}
	}
	for _, label := range []string{"", "utf-7", "klingon", "utf-32"} {
		if got, ok := Canonical(label); ok {
			t.Errorf("Canonical(%q) = %q, want none", label, got)
		}
	}
}

// corpus is the complete page corpus if it is at hand, else the subset in the
// repository.
func corpus(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("PLASMATE_CORPUS"), "../../../shared/corpus", "../../testdata/corpus"} {
		if _, err := os.Stat(filepath.Join(dir, "manifest.tsv")); dir != "" && err == nil {
			t.Logf("corpus: %s", dir)
			return dir
		}
	}
	t.Fatal("no corpus: testdata/corpus is missing")
	return ""
}

type page struct {
	file, charset, header string
	body                  []byte
}

func pages(t testing.TB) []page {
	t.Helper()
	dir := corpus(t)
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []page
	for i, line := range strings.Split(strings.TrimSpace(string(manifest)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 11 {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, f[0]))
		if err != nil {
			t.Fatal(err)
		}
		p := page{file: f[0], charset: f[3], header: htmlType, body: body}
		if f[10] != "" {
			p.header += "; charset=" + f[10]
		}
		all = append(all, p)
	}
	return all
}

func TestCorpus(t *testing.T) {
	n := 0
	for _, p := range pages(t) {
		text, got := Decode(p.body, p.header)
		if p.charset != "" && !strings.EqualFold(got, p.charset) {
			t.Errorf("%s: %s, want %s", p.file, got, p.charset)
		}
		if !utf8.Valid(text) {
			t.Errorf("%s: the text is not UTF-8", p.file)
		}
		n++
	}
	t.Logf("%d pages", n)
}

func BenchmarkDecode(b *testing.B) {
	all := pages(b)
	var size int64
	for _, p := range all {
		size += int64(len(p.body))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range all {
			Decode(p.body, p.header)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"<meta charset=koi8-r>", "\xff\xfea", "<?xml encoding='gbk'?>\x81<", "<!--><meta content=charset= http-equiv=content-type>", "<\x00?\x00x\x00", strings.Repeat("<a b='c'>", 200) + "<meta charset=big5>"} {
		for _, ct := range []string{"", "text/html", "text/xml", `text/html; charset="iso-2022-jp`, "text/plain;charset=euc-kr"} {
			f.Add([]byte(s), ct)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, name := Decode(body, contentType)
		if !utf8.Valid(text) {
			t.Fatalf("%s: not UTF-8: %q", name, text)
		}
		if again, _ := Canonical(name); again != name {
			t.Fatalf("%q is no canonical name (%q)", name, again)
		}
		second, _ := Decode(body, contentType)
		if string(second) != string(text) {
			t.Fatal("not the same twice")
		}
	})
}
