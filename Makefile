# The commands of the README, and what they are made of. `make check` is what CI runs.

GO ?= go

# Tests throw away hundreds of databases: where there is room in memory, they are made there.
TEST = TMPDIR="$$(./.ci/tmp)" $(GO) test -count=1

.PHONY: demo test check generate fuzz soak looks crash payments race deps build

demo: deps-postgres
	$(GO) run ./cmd/daybook demo

build:
	$(GO) build -o daybook ./cmd/daybook

test: deps
	$(TEST) ./...

# Everything that must hold before a change is done, in the order of how fast it fails. Four tests of a package run at once, whatever the processors: many
# wait for a gateway that does not answer, a lease or a broker. Compilers and linters take half of the time when they give memory back less often.
check: deps
	./.ci/clean gofmt $(GO)
	GOGC=400 $(GO) vet ./...
	GOGC=400 $(GO) tool staticcheck ./...
	./.ci/clean generate $(GO)
	$(TEST) -vet=off -parallel 4 -timeout 20m ./...
	$(TEST) -race -timeout 20m ./store/claim/... ./store/drill

# The race detector takes three times as long: it watches what runs at once in one process.
race: deps
	$(TEST) -race -timeout 20m ./store/... ./web/... ./cmd/daybook

generate:
	cd templates && $(GO) tool templ generate

# Longer than the short version in the tests: ten minutes for each parser.
fuzz:
	./.ci/fuzz $(GO) 10m

# What people and gateways do at random is tried 5 to 30 times in the tests, and here each 150 times.
soak: deps
	$(TEST) -timeout 60m ./store -run 'KeepsEveryProof|WhateverPeopleDo|WhateverItDoes|RepetitionDoNotMatter|AnyoneWouldAddUp' -rapid.checks=150

# Every page and every state of the gallery in Chromium, in both themes at both widths; the tests look at half of the pages.
looks: deps
	DAYBOOK_STORY_ALL=1 $(TEST) -timeout 30m ./cmd/daybook/story -run 'Gallery|EveryPage'

# Servers and Postgres are killed while 64 clients post 20,000 keys, while a statement of 500,000 lines is stored, and while 5,000 payments are made; the
# tests have a short form of each.
crash: deps
	DAYBOOK_STORY_CRASH_KEYS=20000 DAYBOOK_STORY_JOB_LINES=500000 DAYBOOK_STORY_PAYMENTS=5000 $(TEST) -timeout 90m -v ./cmd/daybook/story -run 'Crashes|Kill9'

# 64 clients make 5,000 payments at a processor that often does not answer, declines, and tells all up to four times.
payments: deps
	DAYBOOK_STORY_PAYMENTS=5000 $(TEST) -timeout 30m -v ./cmd/daybook/story -run PaymentsAreChargedOnce

# What the demo and the tests need from the machine: PostgreSQL, Chromium for the browser stories, a C compiler for the race detector.
.PHONY: deps deps-postgres
deps:
	./.ci/deps postgres chromium gcc
deps-postgres:
	./.ci/deps postgres
