# make run     builds Docket and serves it                     make test         all tests: Swift's, and the browser's
# make static  one executable without libraries                make install      that, with its files, below PREFIX
# make format  writes the sources in the house's format        make screenshots  pictures of all pages, into screenshots/
# make readme  writes the README's table and pictures anew      make bench        measures Docket beside nginx; OPTIONS="--quick" is a minute
# On Debian 12 each installs the packages that it needs and that are missing. OPTIONS are the program's: make run OPTIONS="--port 9000".

SWIFT ?= swift
PREFIX ?= /usr/local
CONFIGURATION ?= release
# Only .ci/run installs them, since they are servers: the tests behind proxies are skipped where they are missing.
PROXY_PACKAGES = nginx caddy
PACKAGES = libsqlite3-dev libargon2-dev pkg-config tzdata
BENCH_PACKAGES = nginx-light wrk python3
TEST_PACKAGES = chromium curl python3 python3-venv
CHECK = --explicit-target-dependency-import-check error
# With Swift's runtime inside: counting references goes through no table of a library, and the program starts sooner.
PROGRAM = --product docket --static-swift-stdlib $(CHECK)
APT = $(if $(filter 0,$(shell id -u)),,sudo )env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600

# Debian packages, those that are missing. Elsewhere the build says what it lacks.
define need
	@if command -v apt-get >/dev/null; then missing=; for package in $(1); do \
		dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then echo "Installing$$missing"; $(APT) update && $(APT) install -y --no-install-recommends $$missing; fi; fi
endef

.PHONY: run build static install test test-swift test-browser bench screenshots icons readme format lint packages test-packages \
	proxy-packages test-hostile test-faults test-fuzz clean

run: build
	$$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)/docket serve $(OPTIONS)

build: packages
	$(SWIFT) build -c $(CONFIGURATION) $(PROGRAM)

static: packages
	$(SWIFT) build -c release --product docket -Xswiftc -static-executable --scratch-path .build-static

install: static
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/docket
	install -s .build-static/release/docket $(DESTDIR)$(PREFIX)/bin/docket
	cp -R Templates Public $(DESTDIR)$(PREFIX)/share/docket/
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	.build-static/release/docket man > $(DESTDIR)$(PREFIX)/share/man/man1/docket.1
	.build-static/release/docket completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/docket
	.build-static/release/docket completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_docket
	.build-static/release/docket completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/docket.fish

test: test-swift test-browser
	$(MAKE) --no-print-directory test-faults OPTIONS="--rounds 3"

test-swift: packages
	$(SWIFT) build --build-tests $(CHECK)
	$(SWIFT) test --skip-build

test-browser: packages test-packages
	$(SWIFT) build --product docket $(CHECK)
	Tests/Browser/run $$($(SWIFT) build --show-bin-path)/docket

screenshots: packages test-packages
	$(call need,fonts-noto-cjk)
	$(SWIFT) build --product docket $(CHECK)
	Tests/Browser/run $$($(SWIFT) build --show-bin-path)/docket -k pictures --pictures=$(CURDIR)/screenshots

readme: packages test-packages
	$(SWIFT) build --product docket $(CHECK)
	Tests/Browser/run $$($(SWIFT) build --show-bin-path)/docket -k readme --mend

# The icons of an installed page, from the drawing of the tab's.
icons:
	for n in 192 512; do chromium --headless --no-sandbox --hide-scrollbars --default-background-color=00000000 --window-size=$$n,$$n \
	  --screenshot=Public/icon-$$n.png "data:text/html,<style>*{margin:0}svg{display:block;width:$${n}px}</style>$$(sed 's/#/%23/g' Public/favicon.svg)"; done

bench: packages
	$(call need,$(BENCH_PACKAGES))
	$(SWIFT) build -c release $(PROGRAM)
	Tests/Benchmarks/run $$($(SWIFT) build -c release --show-bin-path)/docket $(OPTIONS)

format:
	$(SWIFT) format -i -r Sources Tests Package.swift

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift

packages:
	$(call need,$(PACKAGES))

test-packages:
	$(call need,$(TEST_PACKAGES))

proxy-packages:
	$(call need,$(PROXY_PACKAGES))

# How an ordinary page does while clients are hostile.
test-hostile: build
	Tests/Hostile/run $$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)/docket

# What happens to the data when something breaks: hundreds of rounds of kill -9, full disks, damaged files. OPTIONS="--rounds 500".
test-faults: packages
	$(SWIFT) build --product docket $(CHECK)
	Tests/Faults/run $$($(SWIFT) build --show-bin-path)/docket $(OPTIONS)

test-fuzz:
	Tests/Fuzz/run 60

clean:
	rm -rf .build .build-* screenshots
