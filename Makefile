# make demo   see it work, without network
# make test   install what the tests need and run them
# make check  what must hold before a commit: gofmt, vet, staticcheck, race detector
# make fuzz   every fuzz target for FUZZTIME
# make bench  Go benchmarks with allocations
# make build  bin/plasmate
# make fmt    gofumpt over everything

GO ?= go
FUZZTIME ?= 60s
COUNT ?= 1
TOOL = $(GO) tool -modfile=tools/go.mod

# go.mod asks for a toolchain without known holes; where it is not to be had,
# the one that is installed does.
ifneq ($(shell $(GO) version >/dev/null 2>&1 && echo ok),ok)
export GOTOOLCHAIN = local
endif

# Packages whose tests run under the race detector: those that share memory
# between goroutines. The others are pure; som hands out pages that many share.
RACE = . ./actors/... ./bench ./cache/... ./clients/... ./cmd/... ./engine/... ./fetch/... ./messages/... ./som ./store/... ./transport/...

.PHONY: demo test check fuzz bench build fmt needs

demo: build
	bin/plasmate demo

test: needs
	$(GO) test ./...

check:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "gofmt (make fmt):"; echo "$$bad"; exit 1; fi
	$(GO) vet ./... ./testdata/site
	$(TOOL) staticcheck ./... ./testdata/site
	$(GO) test -race -short $(RACE)

fuzz:
	@set -e; for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; \
			$(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; \
		done; \
	done

bench:
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) ./...

build:
	$(GO) build -o bin/plasmate ./cmd/plasmate

fmt:
	$(TOOL) gofumpt -l -w $$(git ls-files '*.go')

needs:
	@tools/needs
