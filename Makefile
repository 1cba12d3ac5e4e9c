# `make run` and `make test` are all that a new machine with Debian 12 and Swift 6.3 needs.

SWIFT ?= swift
RELEASE := $(SWIFT) build -c release --static-swift-stdlib --product pinwatch
PROGRAM ?= .build/release/pinwatch
LISTEN ?= 127.0.0.1:8080
# The build stage's image: Debian 12 with Swift 6.3.
SWIFT_IMAGE ?= swift:6.3-bookworm
IMAGE ?= pinwatch
VERSION = $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/pinwatch/Pinwatch.swift)
# Where `make install` puts things below.
DESTDIR ?=

.PHONY: run demo test test-peers conformance sanitize fuzz bench build install image prove-image screenshots format lint clean

# Serves var/pinwatch.yaml, which the first run makes from config/pinwatch.yaml, beside a key and the database.
run: build
	@packaging/first-run config/pinwatch.yaml var
	@exec $(PROGRAM) serve --config var/pinwatch.yaml --listen $(LISTEN) --public Public

demo: build
	@exec $(PROGRAM) demo --public Public $(DEMO)

build:
	@.ci/install build
	$(RELEASE)

test:
	@.ci/install build test
	@.ci/test

# The running service against its own OpenAPI document, by made up requests, as in the gate.
conformance: build
	@.ci/install test
	@.ci/venv
	@PINWATCH_BINARY=$(CURDIR)/$(PROGRAM) PINWATCH_DEBUG_BINARY=$(CURDIR)/$(PROGRAM) \
		.build/venv/bin/python -m pytest -ra -p no:cacheprovider Tests/Conformance

# STARTTLS against the daemons that people run: Postfix, Dovecot, PostgreSQL, slapd, vsftpd, Prosody and MariaDB, each in a folder
# of its own on loopback. Postfix is skipped where its master cannot be root. Not part of the gate.
test-peers: build
	@.ci/install test peers
	@.ci/venv
	@PINWATCH_BINARY=$(CURDIR)/$(PROGRAM) .build/venv/bin/python -m pytest -ra -p no:cacheprovider Tests/Peers

# The rooms' own tests under the address sanitizer, with leaks; the gate puts the whole program through it instead.
sanitize:
	@.ci/install build test
	@.ci/sanitized-build --build-tests
	for room in Names Config TLS Scan Store Alert HTTP; do \
		ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks:print_suppressions=0 \
			$(SWIFT) test --skip-build --sanitize=address --scratch-path .build/asan --disable-xctest \
			--filter "^Pinwatch$${room}Tests\." || exit 1; \
	done

# Readers of what comes from outside, fed by libFuzzer under the address sanitizer, each for FUZZ_SECONDS. What breaks one is
# kept in .build/fuzz/found, and what was learnt in .build/fuzz/corpus.
FUZZ_SECONDS ?= 300
FUZZ_TARGETS ?= imports pin-files certificates
fuzz:
	@.ci/install build
	@Tests/Fuzz/run -max_total_time=$(FUZZ_SECONDS) $(FUZZ_TARGETS)

bench:
	@.ci/install build bench
	@Benchmarks/run

# What `make build` left, for a system with Debian's libraries. A configuration that is there stays as it is.
install:
	install -D -m 755 $(PROGRAM) $(DESTDIR)/usr/bin/pinwatch
	install -D -m 755 packaging/healthcheck $(DESTDIR)/usr/lib/pinwatch/healthcheck
	install -D -m 644 config/pinwatch.service $(DESTDIR)/usr/lib/systemd/system/pinwatch.service
	install -D -m 644 packaging/pinwatch.sysusers $(DESTDIR)/usr/lib/sysusers.d/pinwatch.conf
	install -D -m 644 README.md $(DESTDIR)/usr/share/doc/pinwatch/README.md
	install -D -m 644 packaging/README.md $(DESTDIR)/usr/share/doc/pinwatch/packaging/README.md
	find Public -type f -exec install -D -m 644 {} $(DESTDIR)/usr/share/pinwatch/{} \;
	install -d -m 755 $(DESTDIR)/etc/pinwatch/pins
	[ -e $(DESTDIR)/etc/pinwatch/pinwatch.yaml ] \
		|| packaging/installed-config config/pinwatch.yaml >$(DESTDIR)/etc/pinwatch/pinwatch.yaml

image:
	docker build --build-arg SWIFT_IMAGE=$(SWIFT_IMAGE) --build-arg VERSION=$(VERSION) --tag $(IMAGE) .

# Builds the image's last stage without a container engine, in a folder, and runs it there with a read-only root. As root.
prove-image: build
	@.ci/install image
	@packaging/prove-image --program $(PROGRAM)

# The README's pictures, of a real service in a real browser.
screenshots: build
	@.ci/install test
	@.ci/venv
	@.build/venv/bin/python .readme/screenshots $(PROGRAM)

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

clean:
	$(SWIFT) package clean
