# `make help` lists all targets. The first command creates a virtual environment in which everything runs.
#
#   make serve PORT=9000 WORKERS=4         settings are environment variables; `make doctor` lists them
#   make test ARGS='tests/web -x'          ARGS are passed to pytest; PROCESSES=0 runs all tests in one process (--pdb)
#   make serve PYTHON=/path/to/python3.12  the Python that creates the virtual environment
#   make serve VENV=/path/to/environment   folder of the virtual environment

SHELL := /bin/sh
.DELETE_ON_ERROR:

PYTHON ?=
VENV ?= .venv
ARGS ?=
PROCESSES ?= 3
BIN := $(VENV)/bin
# npm and the generators start node and ruff, so these must be on PATH. Node uses the certificates of the system.
WITH_BIN = NODE_USE_SYSTEM_CA=1 PATH="$(abspath $(BIN)):$$PATH"

# PATH may be minimal, so search the usual places, too.
PLACES := /usr/local/bin /opt/homebrew/bin /opt/local/bin "$$HOME"/.local/bin "$$HOME"/.pyenv/versions/3.1[1-4]*/bin
WANTED := import sys, venv, ensurepip, ctypes, ssl; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help docs node serve options warm redis backup restore doctor test nightly clients client-python client-typescript client-hey-api client-java client-kotlin client-swift client-dart client-csharp client-go client-rust client-python-pydantic client-typescript-fetch packages release test-clients test-clients-all lint-document table test-table test-browser walk contract bench lighthouse soak fuzz chaos mutation golden audit lock spec compatible lint types format clean distclean

##@ Run

help: ## List all targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z][a-z -]*:.*## / { n = split($$1, names, " "); \
	  for (i = 1; i <= n; i++) printf "  make %-18s %s\n", names[i], $$2 }' Makefile

serve: $(VENV)/.installed ## Start the service: Redis, AI workers, web server
	@exec $(BIN)/python -m service.operate serve

options: $(VENV)/.installed ## Install what the archive in S3, traces and the MCP server need
	$(call install,options)

warm: $(VENV)/.installed ## Compile the rules and the search before the first start, for example in an image
	@$(BIN)/python -m workers.warm

redis: $(VENV)/.installed ## Start only the embedded Redis
	@exec $(BIN)/python -m service.operate redis

backup: $(VENV)/.installed ## Back up the embedded Redis while the service runs (ARGS="--keep 7" keeps the newest 7)
	@$(BIN)/python -m service.operate backup $(ARGS)

restore: $(VENV)/.installed ## Restore a backup while the service is stopped (FILE=var/backups/azul-....rdb)
	@$(BIN)/python -m service.operate restore "$(FILE)"

doctor: $(VENV)/.installed ## Print settings and versions, and check the connection to Redis
	@exec $(BIN)/python -m service.operate doctor

##@ Test

test: $(VENV)/.installed-dev ## Run the Python tests with real Redis and workers
	$(BIN)/python -m pytest -n $(PROCESSES) $(ARGS)

nightly: soak fuzz mutation test-clients-all $(addprefix $(VENV)/.installed-,generators browser learning data deploy) ## Run what is too long for .ci/run: soak, fuzz, mutation, all clients, browser, contract and chaos (an hour)
	$(BIN)/python -m tests.e2e.earlier
	$(BIN)/python -m pytest -n 2 -m nightly
	$(BIN)/python -m pytest tests/browser -n 0 -m nightly
	$(BIN)/python -m tests.openapi.contract --examples 100 --phases examples,coverage,fuzzing,stateful
	$(BIN)/python -m tests.faults --games 100

##@ Clients

clients: client-python client-typescript client-hey-api ## Generate the Python and TypeScript clients from openapi/openapi.json

client-python: $(VENV)/.installed-clients ## Generate the Python client with openapi-python-client
	cd openapi/clients/python && $(WITH_BIN) openapi-python-client generate --path ../../openapi.json \
	  --config generate.yaml --meta none --output-path azul_games_client --overwrite
	touch openapi/clients/python/azul_games_client/py.typed

client-typescript: node_modules/.installed ## Generate the types of the TypeScript client with openapi-typescript
	$(WITH_BIN) npm run generate

client-hey-api: node_modules/.installed ## Generate the hey-api client in TypeScript and build its example
	cd openapi/clients/hey-api && $(WITH_BIN) npm run generate && $(WITH_BIN) npm run build

client-java client-kotlin client-swift client-dart client-csharp client-go client-rust client-python-pydantic client-typescript-fetch: client-%: $(VENV)/.installed-generators ## Generate this client with OpenAPI Generator
	cd openapi/clients && rm -rf $*/generated && $(WITH_BIN) openapi-generator-cli batch $*/generate.yaml

DIST ?= dist
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

packages: $(VENV)/.installed-dev client-python client-typescript client-kotlin client-swift ## Build wheels of server, rules and client, an npm tarball, and source packages for Kotlin and Swift in dist/
	rm -rf $(DIST) && mkdir -p $(DIST)
	for folder in openapi/clients/python openapi/clients/typescript packages/rules; do cp LICENSE $$folder; done
	$(BIN)/python -m hatchling build -t wheel -d $(abspath $(DIST))
	cd packages/rules && $(abspath $(BIN))/python -m hatchling build -t wheel -d $(abspath $(DIST))
	if [ "$$(uname)" = Linux ] && command -v cc >/dev/null; then \
	  cd packages/rules && AZUL_RULES_COMPILED=1 $(abspath $(BIN))/python -m hatchling build -t wheel -d $(abspath $(DIST)); \
	fi
	cd openapi/clients/python && $(abspath $(BIN))/python -m hatchling build -t wheel -d $(abspath $(DIST))
	$(WITH_BIN) npm run build -w openapi/clients/typescript
	$(WITH_BIN) npm pack -w openapi/clients/typescript --pack-destination $(abspath $(DIST))
	for language in kotlin swift; do \
	  package=azul-games-$$language-$(VERSION); \
	  cp -R openapi/clients/$$language/generated $(DIST)/$$package && \
	  cp LICENSE openapi/clients/$$language/README.md $(DIST)/$$package && \
	  tar -czf $(DIST)/$$package.tar.gz -C $(DIST) --exclude git_push.sh --exclude '.openapi-generator*' $$package && \
	  rm -rf $(DIST)/$$package || exit 1; \
	done

release: packages $(VENV)/.installed-image ## Build a release in dist/: packages, image (with buildah), bill of materials, notes, checksums
	cat $(LOCK)/serve.txt $(LOCK)/options.txt | $(BIN)/cyclonedx-py requirements --output-reproducible \
	  --output-file $(DIST)/azul-games-server-$(VERSION).cdx.json -
	@if command -v buildah >/dev/null; then \
	  buildah build --file deploy/container/Dockerfile --tag azul-games-api:$(VERSION) . && \
	  buildah push azul-games-api:$(VERSION) oci-archive:$(DIST)/azul-games-api-$(VERSION).tar; \
	else echo "buildah is not installed, so there is no image in $(DIST)"; fi
	awk '/^## / { sections++ } sections == 1' CHANGELOG.md > $(DIST)/RELEASE_NOTES.md
	cd $(DIST) && $$(command -v sha256sum || echo shasum -a 256) * > SHA256SUMS

test-clients: clients lint-document ## Lint the API document and play whole games with the Python and TypeScript clients
	$(WITH_BIN) npm run check
	$(BIN)/python -m pytest tests/clients -n 0 $(ARGS)

test-clients-all: clients $(VENV)/.installed-generators $(VENV)/.installed-toolchains ## Generate, type-check, compile and run all clients, as far as their compilers are installed
	cd openapi/clients/python && $(WITH_BIN) mypy
	$(BIN)/python -m pytest tests/clients -n 0 -m "nightly or not nightly" $(ARGS)
	$(BIN)/python -m pytest tests/generators -n 0 -rs $(ARGS)

lint-document: node_modules/.installed ## Check the API documents with Spectral and Redocly
	$(WITH_BIN) npm run lint

##@ Table at /play

table: client-typescript ## Build the table (service/static/table) from frontend
	$(WITH_BIN) npm run build -w frontend

test-table: client-typescript ## Run the unit tests of the table
	$(WITH_BIN) npm run test -w frontend

# One process, because each process starts a service and a browser.
test-browser: $(VENV)/.installed-browser ## Test the table in Chromium (CHROMIUM=/path/to/it)
	$(BIN)/python -m pytest tests/browser -n 0 -rs $(ARGS)

LIGHTHOUSE := 13.5.0
LIGHTHOUSE_IN := var/lighthouse/$(LIGHTHOUSE)

lighthouse: $(LIGHTHOUSE_IN)/.installed ## Audit the table with Lighthouse, half an hour (ARGS='--runs 1 --only home')
	$(WITH_BIN) $(BIN)/python -m tests.bench.bench_lighthouse $(LIGHTHOUSE_IN)/node_modules/lighthouse $(ARGS)

# Installed separately: 180 MB that no other target needs.
$(LIGHTHOUSE_IN)/.installed: | $(VENV)/.installed-browser $(VENV)/.installed-clients
	@mkdir -p $(LIGHTHOUSE_IN) && cp .npmrc $(LIGHTHOUSE_IN)
	@$(WITH_BIN) npm install --prefix $(LIGHTHOUSE_IN) --no-progress lighthouse@$(LIGHTHOUSE)
	@touch $@

##@ More checks

walk: $(VENV)/.installed-clients ## Run the commands and programs of the documentation and compare their output
	$(WITH_BIN) $(BIN)/python -m tests.e2e.walk

contract: $(VENV)/.installed-dev ## Test a running service with Schemathesis (ARGS='--examples 100')
	$(BIN)/python -m tests.openapi.contract $(ARGS)

bench: $(VENV)/.installed-browser $(VENV)/.installed-learning ## Measure speed, relative to a baseline of the same run
	$(BIN)/python -m tests.bench.bench_start
	$(BIN)/python -m tests.bench.bench_rules
	$(BIN)/python -m tests.bench.bench_envs
	$(BIN)/python -m tests.bench.bench_commit
	$(BIN)/python -m tests.bench.bench_web
	$(BIN)/python -m tests.bench.bench_path
	$(BIN)/python -m tests.bench.bench_bots
	$(BIN)/python -m tests.bench.bench_observing
	$(BIN)/python -m tests.bench.bench_search
	$(BIN)/python -m tests.bench.bench_ai --quick
	$(BIN)/python -m tests.bench.bench_streams
	$(BIN)/python -m tests.bench.bench_challenges
	$(BIN)/python -m tests.bench.bench_limits
	$(BIN)/python -m tests.bench.bench_background
	$(BIN)/python -m tests.bench.bench_turns
	$(BIN)/python -m tests.bench.bench_pictures
	$(BIN)/python -m tests.bench.bench_pages
	$(BIN)/python -m tests.bench.bench_first_move

soak: $(VENV)/.installed-dev ## Play random games of each ruleset and check every position (ARGS='--actions 1000000')
	$(BIN)/python -m tests.rulesets.soak $(ARGS)
	$(BIN)/python -m tests.workers.soak

fuzz: $(VENV)/.installed-dev ## Feed damaged input to every decoder, 2 minutes each (ARGS='position --minutes 10')
	$(BIN)/python -m tests.fuzz $(ARGS)

chaos: $(VENV)/.installed-dev ## Kill processes and fill memory and disk during games, then check that nothing is lost (ARGS='--games 500 --seed X')
	$(BIN)/python -m tests.faults $(ARGS)

# In an environment of its own: mutmut installs setproctitle, with which RQ renames the processes that tests look for.
mutation: ## Change 40 conditions one at a time and check that a test fails (ARGS='--sample 150 --seed 1')
	@$(MAKE) --no-print-directory VENV=var/mutation-venv var/mutation-venv/.installed-mutation
	var/mutation-venv/bin/python -m tests.mutation $(ARGS)

golden: $(VENV)/.installed-dev ## Rewrite the golden playthroughs and pictures; review the diff
	$(BIN)/python -m tests.rulesets.golden $(ARGS)
	$(BIN)/python -m tests.rulesets.pictures

audit: $(VENV)/.installed-audit ## List known vulnerabilities of installed packages, using the Python advisory database
	@mkdir -p var
	$(BIN)/python -m pip freeze --exclude-editable > var/installed.txt
	$(BIN)/python -m pip_audit --strict --no-deps --disable-pip -r var/installed.txt $(ARGS)

##@ Generated files

lock: $(VENV)/.installed-dev ## Write the versions and hashes of all dependencies (ARGS=--upgrade chooses the newest)
	$(BIN)/python -m deploy.lock $(ARGS)
	$(MAKE) --no-print-directory $(VENV)/.installed-dev
	$(BIN)/python -m deploy.lock.licences

docs: $(VENV)/.installed ## Write the generated pages of docs/reference
	@$(BIN)/python -m service.operate.reference_pages

spec: $(VENV)/.installed-dev ## Record the examples and rewrite the API documents
	RECORD_EXAMPLES=1 $(BIN)/python -m pytest tests/openapi -k examples_match_a_new_recording
	$(BIN)/python -m openapi.build

compatible: $(VENV)/.installed-dev ## List API changes that break existing clients; accepted changes belong in openapi/accepted.json
	$(BIN)/python -m openapi.compatible $(ARGS)

##@ Code

lint: $(VENV)/.installed-dev ## Run ruff and check the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m tests.prose

types: $(VENV)/.installed-dev ## Check types with mypy
	$(BIN)/mypy

format: $(VENV)/.installed-dev ## Format the code with ruff
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove caches and builds, but not the games in var/
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis \
	  .import_linter_cache .coverage .coverage.*
	find azul_games_server azul_rules packages service workers research openapi tests -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Also remove the virtual environment and the generated clients
	rm -rf .venv node_modules openapi/clients/typescript/src/schema.d.ts frontend/src/admin/schema.d.ts \
	  openapi/clients/python/azul_games_client openapi/clients/hey-api/src/generated openapi/clients/*/generated

$(BIN)/python:
	@if [ -n "$(PYTHON)" ]; then set -- "$(PYTHON)"; else \
	  set -- python3 python3.14 python3.13 python3.12 python3.11; \
	  for place in $(PLACES); do for found in "$$place"/python3 "$$place"/python3.1[1-4]; do \
	    if [ -x "$$found" ]; then set -- "$$@" "$$found"; fi; done; done; fi; \
	for candidate; do \
	  if "$$candidate" -c '$(WANTED)' 2>/dev/null; then \
	    echo "Creating $(VENV) with $$(command -v "$$candidate")"; exec "$$candidate" -m venv "$(VENV)"; fi; \
	done; \
	echo "No suitable Python found. Checked:" >&2; \
	for candidate; do if command -v "$$candidate" >/dev/null; then \
	  "$$candidate" -c '$(WANTED)' 2>&1 | tail -n 1 \
	    | sed "s|^|  $$candidate: |" >&2; \
	  echo "  $$candidate is $$("$$candidate" --version 2>&1)" >&2; \
	else echo "  $$candidate: not found" >&2; fi; done; \
	echo "Required: Python 3.11 to 3.14 with venv and ensurepip (Debian, Ubuntu: apt install python3-venv)." >&2; \
	echo "To use a Python elsewhere: make PYTHON=/path/to/python3" >&2; exit 1

# Installed again only when pyproject.toml or the lock changes. uv is faster than pip; pip is the fallback where uv fails,
# for example with another index in pip's configuration.
LOCK := deploy/lock
PROJECTS := pyproject.toml openapi/clients/python/pyproject.toml
define install_tools
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r $(LOCK)/build.txt
endef
define install
	@set -- --quiet --no-deps --require-hashes $(foreach name,$(1),-r $(LOCK)/$(name).txt); \
	  test -x $(BIN)/uv && $(BIN)/uv pip install --system-certs --python $(BIN)/python "$$@" || \
	  $(BIN)/python -m pip install "$$@"
endef

# The Python client is installed from its folder, too: the extra `mcp` needs it.
define install_checkout
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e openapi/clients/python -e .
	@touch $@
endef

# Without the 50 MB that only an installation needs.
$(VENV)/.installed: $(LOCK)/serve.txt $(LOCK)/build.txt $(PROJECTS) | $(BIN)/python
	@echo "Installing into $(VENV). The first time takes a minute."
	$(install_tools)
	$(call install,serve)
	$(install_checkout)
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools -r $(LOCK)/build.txt

$(VENV)/.installed-dev: $(addprefix $(LOCK)/,serve.txt build.txt options.txt dev.txt) $(PROJECTS) | $(BIN)/python
	@echo "Installing into $(VENV), including test dependencies. The first time takes a minute."
	$(install_tools)
	$(call install,serve options dev)
	$(install_checkout)
	@touch $(VENV)/.installed

# Install an extra of pyproject.toml and the test dependencies.
$(VENV)/.installed-%: $(LOCK)/%.txt $(VENV)/.installed-dev
	$(call install,$*)
	@touch $@

node: node_modules/.installed ## Install the Node packages

node_modules/.installed: package-lock.json | $(VENV)/.installed-clients
	@$(WITH_BIN) npm ci --no-progress
	@touch $@
