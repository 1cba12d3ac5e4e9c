# `make run` and `make test` are all that a new machine with Debian 12 and Swift 6.3 needs.

SWIFT ?= swift
RELEASE := $(SWIFT) build -c release --static-swift-stdlib --product pinwatch
LISTEN ?= 127.0.0.1:8080

.PHONY: run demo test bench build format lint clean

run: build
	@mkdir -p var
	@exec .build/release/pinwatch serve --config config/pinwatch.yaml --listen $(LISTEN) --public Public

demo: build
	@exec .build/release/pinwatch demo --public Public $(DEMO)

build:
	@.ci/install build
	$(RELEASE)

test:
	@.ci/install build test
	@.ci/test

bench:
	@.ci/install build bench
	@Benchmarks/run

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

clean:
	$(SWIFT) package clean
