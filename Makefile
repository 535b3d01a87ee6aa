# `make serve` plays; `make lint test-all` is what CI checks.
# Another interpreter: make PYTHON=python3.13 install

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCKS := requirements.lock requirements-dev.lock

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install serve test test-all test-openspiel lint bench openapi lock

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
		awk -F '|' '{ printf "make %-14s %s\n", $$1, $$2 }'

install: $(VENV)/installed ## make .venv from the lock (nothing when it is up to date)

serve: install ## run the server
	@exec $(BIN)/misere serve

test: install $(VENV)/node ## run the quick tests
	$(BIN)/pytest -n logical --maxprocesses 4 --dist loadfile -m "not slow and not openspiel"

test-all: test ## run the quick tests, then the slow ones
	$(BIN)/pytest -m "slow and not openspiel"

# Where OpenSpiel cannot be imported pytest finds no test, and that is a failure.
test-openspiel: install $(VENV)/openspiel ## hold Hearts against OpenSpiel's
	$(BIN)/pytest -m openspiel

lint: install ## check style, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install ## measure this machine
	$(BIN)/python -m tests.bench

openapi: install ## write openapi/openapi.json and the schema of records anew
	$(BIN)/misere openapi > openapi/openapi.json.new
	mv openapi/openapi.json.new openapi/openapi.json
	$(BIN)/misere openapi --record > openapi/record.schema.json.new
	mv openapi/record.schema.json.new openapi/record.schema.json

# Pins that still fit are kept; `make lock UPGRADE=--upgrade` takes the newest.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --custom-compile-command "make lock" $(UPGRADE)

lock: install ## pin every dependency, with its hashes, for all platforms
	$(LOCK) --output-file requirements.lock pyproject.toml
	$(LOCK) --output-file requirements-dev.lock --constraints requirements.lock \
		--group dev
	$(LOCK) --output-file requirements-openspiel.lock --constraints requirements.lock \
		--constraints requirements-dev.lock --only-binary :all: --group openspiel
	$(LOCK) --output-file requirements-node.lock --only-binary :all: --group node

# Two steps, so that a change of pyproject.toml alone installs no dependency again.
$(VENV)/locked: $(LOCKS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "misere needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; \
		exit 1; \
	}
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --quiet --no-deps --require-hashes $(LOCKS:%=--requirement %)
	@touch $@

$(VENV)/installed: $(VENV)/locked pyproject.toml
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# 61 MB, which nobody needs who has one.
$(VENV)/node: requirements-node.lock $(VENV)/locked
	@command -v node >/dev/null || \
		$(PIP) install --quiet --no-deps --require-hashes --requirement $<
	@touch $@

$(VENV)/openspiel: requirements-openspiel.lock $(VENV)/locked
	$(PIP) install --quiet --no-deps --require-hashes --only-binary :all: \
		--requirement $<
	@touch $@
