#!/bin/sh
# Compares plasmate crawl with the bare limit (net/http and html.Parse), colly,
# crawlee and Chromium (150 pages) on the page corpus, served on loopback. Peers are installed by
# their package managers below WORK; what cannot be installed is skipped with a
# message. One line a run: pages, pages/s, CPU a page, peak RSS.
#
#   bench/peers/crawl_peers.sh [CORPUS] [PAGES] [LATENCY_MS] [HOSTS] [ROUNDS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
corpus=${1:-${PLASMATE_CORPUS:-$root/testdata/corpus}}
pages=${2:-2000} latency=${3:-0} hosts=${4:-10} rounds=${5:-1}
work=${WORK:-${TMPDIR:-/tmp}/plasmate-peers}
port=${PORT:-18090}
addr=127.0.0.1:$port
mkdir -p "$work"

(cd "$root" && go build -o "$work/plasmate" ./cmd/plasmate)
if ! (cd "$here/crawl_go" && GOFLAGS=-mod=mod go build -o "$work/crawl_go" . 2>"$work/go.log"); then
	echo "skipped: colly and the bare limit cannot be built ($(tail -1 "$work/go.log"))"
	exit 0
fi
"$work/crawl_go" urls "$corpus" "$hosts" "$pages" >"$work/urls.txt"
"$work/crawl_go" serve "$corpus" "$addr" "$latency" &
server=$!
trap 'kill $server' EXIT
sleep 1

crawlee=no
if [ "${SKIP_CRAWLEE:-}" = "" ] && command -v node >/dev/null && command -v npm >/dev/null; then
	cp "$here/crawl_crawlee.mjs" "$work/"
	if [ -d "$work/node_modules/crawlee" ] || (cd "$work" && timeout 300 npm install --silent --no-audit --no-fund crawlee >"$work/npm.log" 2>&1); then
		crawlee=yes
	fi
fi
chromium=no
if [ "${SKIP_CHROMIUM:-}" = "" ] && [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && command -v npm >/dev/null; then
	cp "$here/crawl_chromium.mjs" "$work/"
	if [ -d "$work/node_modules/playwright-core" ] || (cd "$work" && timeout 300 npm install --silent --no-audit --no-fund playwright-core >"$work/npm.log" 2>&1); then
		chromium=yes
	fi
fi
[ $chromium = yes ] || echo "skipped: Chromium by Playwright (no chromium, or npm cannot install playwright-core)"
[ $crawlee = yes ] || echo "skipped: crawlee (no node, or npm cannot install it)"

# measure NAME COMMAND...: a line for a program that prints none itself.
measure() {
	name=$1
	shift
	python3 - "$name" "$pages" "$@" <<'PY'
import resource, subprocess, sys, time
name, pages = sys.argv[1], int(sys.argv[2])
began = time.time()
code = subprocess.run(sys.argv[3:]).returncode
took = time.time() - began
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%s\t%d pages\t%.1f pages/s\t%.2f ms CPU/page\t%d MiB RSS%s" % (
    name, pages, pages / took, (u.ru_utime + u.ru_stime) * 1000 / pages, u.ru_maxrss / 1024,
    "" if code == 0 else "\texit code %d" % code))
PY
}

per_host=$(( (64 + hosts - 1) / hosts ))
ours() {
	rm -f "$work/out.jsonl" "$work/out.jsonl.state"
	measure "plasmate $1" "$work/plasmate" crawl --urls "$work/urls.txt" --resolve "*.test=$addr" --rate 0 \
		--per-host $per_host --concurrency 64 --ignore-robots --quiet --format "$1" -o "$work/out.jsonl"
}

for _ in $(seq "$rounds"); do
	for mode in fetch bare light colly; do
		"$work/crawl_go" $mode "$work/urls.txt" "$addr" 64 2>&1 >"$work/out.$mode"
	done
	ours som
	ours outline
	[ $crawlee = no ] || (cd "$work" && timeout 600 node crawl_crawlee.mjs urls.txt "$addr" 64 2>&1 >"$work/out.crawlee")
	[ $chromium = no ] || (cd "$work" && timeout 600 node crawl_chromium.mjs urls.txt "$addr" 4 150 2>&1 >"$work/out.chromium" | tail -1)
done
