# One command each; `make help` lists them. Everything runs from a virtual environment made on first use.
#
#   make serve PORT=9000 WORKERS=4         settings are environment variables; `make doctor` lists them
#   make test ARGS='tests/web -x'          ARGS goes to pytest; PROCESSES=0 runs all tests in one process (--pdb)
#   make serve PYTHON=/path/to/python3.12  which Python makes the environment, where none is found
#   make serve VENV=/path/to/environment   where it stands

SHELL := /bin/sh
.DELETE_ON_ERROR:

PYTHON ?=
VENV ?= .venv
ARGS ?=
PROCESSES ?= 3
BIN := $(VENV)/bin
# What npm and generators start must be found, too: node, ruff. Node trusts the certificates that the machine trusts.
WITH_BIN = NODE_USE_SYSTEM_CA=1 PATH="$(abspath $(BIN)):$$PATH"

# `make` may run with a bare PATH, so the usual places are looked at too.
PLACES := /usr/local/bin /opt/homebrew/bin /opt/local/bin "$$HOME"/.local/bin "$$HOME"/.pyenv/versions/3.1[1-4]*/bin
WANTED := import sys, venv, ensurepip, ctypes, ssl; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help node serve warm redis backup restore doctor test nightly clients client-python client-typescript client-hey-api client-java client-kotlin client-swift client-dart client-csharp client-go test-clients test-clients-all lint-document table test-table test-browser walk contract bench lighthouse soak fuzz chaos mutation golden audit spec compatible lint types format clean distclean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-25s %s\n", $$1, $$2 }'

serve: $(VENV)/.installed ## start everything: Redis, AI workers, web (settings: make doctor)
	@exec $(BIN)/python -m service.operate serve

warm: $(VENV)/.installed ## compile the rules and the search ahead of the first start (for an image)
	@$(BIN)/python -m workers.warm

redis: $(VENV)/.installed ## start the embedded Redis alone
	@exec $(BIN)/python -m service.operate redis

backup: $(VENV)/.installed ## write a backup of the embedded Redis while games go on (ARGS="--keep 7")
	@$(BIN)/python -m service.operate backup $(ARGS)

restore: $(VENV)/.installed ## put one back while nothing serves: make restore FILE=var/backups/azul-....rdb
	@$(BIN)/python -m service.operate restore "$(FILE)"

doctor: $(VENV)/.installed ## settings, versions, is Redis reached
	@exec $(BIN)/python -m service.operate doctor

test: $(VENV)/.installed-dev ## all tests
	$(BIN)/python -m pytest -n $(PROCESSES) $(ARGS)

nightly: soak fuzz mutation test-clients-all $(addprefix $(VENV)/.installed-,generators browser learning data deploy) ## what takes longer: every test with coverage, soaks, fuzzing, long chaos
	$(BIN)/python -m pytest -n 2 -m "nightly or not nightly" --cov --cov-report=term:skip-covered
	$(BIN)/python -m pytest tests/browser -n 0 -m nightly
	$(BIN)/python -m tests.openapi.contract --examples 100 --phases examples,coverage,fuzzing,stateful
	$(BIN)/python -m tests.faults --games 500

clients: client-python client-typescript client-hey-api ## generate the clients in Python and TypeScript from openapi/openapi.json

client-python: $(VENV)/.installed-clients ## generate openapi/clients/python/azul_games_client
	cd openapi/clients/python && $(WITH_BIN) openapi-python-client generate --path ../../openapi.json \
	  --config generate.yaml --meta none --output-path azul_games_client --overwrite
	$(BIN)/python -m pip install --quiet -e openapi/clients/python

client-typescript: openapi/node_modules/.installed ## generate openapi/clients/typescript/src/schema.d.ts
	cd openapi && $(WITH_BIN) npm run generate

client-hey-api: openapi/node_modules/.installed ## generate openapi/clients/hey-api/src/generated, and build its example
	cd openapi/clients/hey-api && $(WITH_BIN) npm run generate && $(WITH_BIN) npm run build

client-java client-kotlin client-swift client-dart client-csharp client-go: client-%: $(VENV)/.installed-generators ## generate openapi/clients/*/generated
	cd openapi/clients && rm -rf $*/generated && $(WITH_BIN) openapi-generator-cli batch $*/generate.yaml

test-clients: clients lint-document ## the clients play whole games against a running service (Node comes by wheel)
	cd openapi && $(WITH_BIN) npm run check
	$(BIN)/python -m pytest tests/clients -n 0 $(ARGS)

test-clients-all: clients $(VENV)/.installed-generators $(VENV)/.installed-toolchains ## every generator's client: types, compiled, and whole games where its compiler is available
	cd openapi/clients/python && $(WITH_BIN) mypy
	$(BIN)/python -m pytest tests/clients -n 0 -m "nightly or not nightly" $(ARGS)
	$(BIN)/python -m pytest tests/generators -n 0 -rs $(ARGS)

lint-document: openapi/node_modules/.installed ## spectral and redocly on openapi/openapi.json
	cd openapi && $(WITH_BIN) npm run lint

table: client-typescript ## build the table at /play (service/static/table) from openapi/table
	cd openapi && $(WITH_BIN) npm run build -w table

test-table: client-typescript ## unit tests of the table
	cd openapi && $(WITH_BIN) npm run test -w table

# One process: each would start a service and a browser.
test-browser: $(VENV)/.installed-browser ## play at the table in a real browser (chromium, or CHROMIUM=/path/to/it)
	$(BIN)/python -m pytest tests/browser -n 0 -rs $(ARGS)

LIGHTHOUSE := 13.5.0
LIGHTHOUSE_IN := var/lighthouse/$(LIGHTHOUSE)

lighthouse: $(LIGHTHOUSE_IN)/.installed ## what Lighthouse says of the table: 95 at least (half an hour; ARGS='--runs 1 --only home')
	$(WITH_BIN) $(BIN)/python -m tests.bench.bench_lighthouse $(LIGHTHOUSE_IN)/node_modules/lighthouse $(ARGS)

# 180 MB, which nothing else needs.
$(LIGHTHOUSE_IN)/.installed: | $(VENV)/.installed-browser $(VENV)/.installed-clients
	@mkdir -p $(LIGHTHOUSE_IN) && cp openapi/.npmrc $(LIGHTHOUSE_IN)
	@$(WITH_BIN) npm install --prefix $(LIGHTHOUSE_IN) --no-progress lighthouse@$(LIGHTHOUSE)
	@touch $@

walk: $(VENV)/.installed-clients ## the README's commands, run and compared, and the guide's programs
	$(WITH_BIN) $(BIN)/python -m tests.e2e.walk

contract: $(VENV)/.installed-dev ## schemathesis against the running service
	$(BIN)/python -m tests.openapi.contract $(ARGS)

bench: $(VENV)/.installed-browser $(VENV)/.installed-learning ## speed, as ratios against a baseline of the same run
	$(BIN)/python -m tests.bench.bench_start
	$(BIN)/python -m tests.bench.bench_rules
	$(BIN)/python -m tests.bench.bench_envs
	$(BIN)/python -m tests.bench.bench_commit
	$(BIN)/python -m tests.bench.bench_web
	$(BIN)/python -m tests.bench.bench_bots
	$(BIN)/python -m tests.bench.bench_observing
	$(BIN)/python -m tests.bench.bench_search
	$(BIN)/python -m tests.bench.bench_shares
	$(BIN)/python -m tests.bench.bench_ai --quick
	$(BIN)/python -m tests.bench.bench_streams
	$(BIN)/python -m tests.bench.bench_limits
	$(BIN)/python -m tests.bench.bench_background
	$(BIN)/python -m tests.bench.bench_turns
	$(BIN)/python -m tests.bench.bench_pictures
	$(BIN)/python -m tests.bench.bench_pages

soak: $(VENV)/.installed-dev ## a million random actions of each ruleset, every position checked (minutes)
	$(BIN)/python -m tests.rulesets.soak --actions 1000000 $(ARGS)
	$(BIN)/python -m tests.workers.soak

fuzz: $(VENV)/.installed-dev ## damaged input for every decoder: refused or understood (an hour or two; ARGS='position --inputs 5000')
	$(BIN)/python -m tests.fuzz $(ARGS)

chaos: $(VENV)/.installed-dev ## everything breaks while games are played, and nothing is lost (ARGS='--games 500 --seed X')
	$(BIN)/python -m tests.faults $(ARGS)

mutation: $(VENV)/.installed-mutation ## change 150 conditions one at a time; tests must notice (an hour; ARGS='--seed 1')
	$(BIN)/python -m tests.mutation $(ARGS)

golden: $(VENV)/.installed-dev ## write the golden playthroughs and pictures anew
	$(BIN)/python -m tests.rulesets.golden $(ARGS)
	$(BIN)/python -m tests.rulesets.pictures

audit: $(VENV)/.installed-audit ## known vulnerabilities of what is installed (asks the Python advisory database)
	@mkdir -p var
	$(BIN)/python -m pip freeze --exclude-editable > var/installed.txt
	$(BIN)/python -m pip_audit --strict --no-deps --disable-pip -r var/installed.txt $(ARGS)

spec: $(VENV)/.installed-dev ## record the examples and write openapi/openapi.json anew
	RECORD_EXAMPLES=1 $(BIN)/python -m pytest tests/openapi -k examples_are_recorded
	$(BIN)/python -m openapi.build

compatible: $(VENV)/.installed-dev ## what the document would break for clients of the one before
	$(BIN)/python -m openapi.compatible $(ARGS)

lint: $(VENV)/.installed-dev ## ruff and the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev ## mypy
	$(BIN)/mypy

format: $(VENV)/.installed-dev ## put the code into ruff's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove caches and builds (not var/, which holds the games)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis \
	  .import_linter_cache .coverage .coverage.*
	find service workers openapi tests -type d -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## remove the virtual environment and the generated clients too
	rm -rf .venv openapi/node_modules openapi/clients/typescript/src/schema.d.ts \
	  openapi/clients/python/azul_games_client openapi/clients/hey-api/src/generated openapi/clients/*/generated

$(BIN)/python:
	@if [ -n "$(PYTHON)" ]; then set -- "$(PYTHON)"; else \
	  set -- python3 python3.14 python3.13 python3.12 python3.11; \
	  for place in $(PLACES); do for found in "$$place"/python3 "$$place"/python3.1[1-4]; do \
	    if [ -x "$$found" ]; then set -- "$$@" "$$found"; fi; done; done; fi; \
	for candidate; do \
	  if "$$candidate" -c '$(WANTED)' 2>/dev/null; then \
	    echo "Making $(VENV) with $$(command -v "$$candidate")"; exec "$$candidate" -m venv "$(VENV)"; fi; \
	done; \
	echo "No suitable Python was found. Looked at:" >&2; \
	for candidate; do if command -v "$$candidate" >/dev/null; then \
	  "$$candidate" -c '$(WANTED)' 2>&1 | tail -n 1 \
	    | sed "s|^|  $$candidate: |" >&2; \
	  echo "  $$candidate is $$("$$candidate" --version 2>&1)" >&2; \
	else echo "  $$candidate: not there" >&2; fi; done; \
	echo "Needed: Python 3.11 to 3.14 with venv and ensurepip (Debian, Ubuntu: apt install python3-venv)." >&2; \
	echo "If you have one elsewhere: make PYTHON=/path/to/python3" >&2; exit 1

# The installer is asked again only when pyproject.toml has changed. uv installs in a fifth of pip's time; pip does it
# where uv cannot (another index in pip's configuration, no wheel for the machine).
define install
	@$(BIN)/python -m pip install --quiet uv 2>/dev/null && \
	  $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python $(1) || $(BIN)/python -m pip install --quiet $(1)
	@touch $@
endef

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (the first time takes a minute)"
	$(call install,-e .)

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV), with what tests need (the first time takes a minute)"
	$(call install,-e '.[dev]')
	@touch $(VENV)/.installed

# An extra of pyproject.toml, beside what tests need.
$(VENV)/.installed-%: $(VENV)/.installed-dev
	$(call install,-e '.[$*]')

node: openapi/node_modules/.installed ## install Node's packages

openapi/node_modules/.installed: openapi/package-lock.json | $(VENV)/.installed-clients
	@cd openapi && $(WITH_BIN) npm ci --no-progress
	@touch $@
