PYTHON ?= python3
BIN := .venv/bin
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: play test bench golden pictures format

## Play on a virtual table, in the browser.
play: .venv/installed
	$(BIN)/companion play $(if $(PORT),--port $(PORT))

## Everything that checks the project; installs what it needs, Chromium included.
test: .venv/for-tests chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

## Figures against the budgets, into tests/bench/results.md.
bench: .venv/for-tests chromium engines
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	$(BIN)/python -m tests.bench

# What the judge is measured beside: in a folder of its own, for nothing else needs it. One that can't be had is left out.
ENGINES := build/engines
.PHONY: engines
engines: .venv/for-tests
	$(BIN)/python -m venv $(ENGINES)
	-$(ENGINES)/bin/pip install --quiet --disable-pip-version-check --only-binary open_spiel open_spiel==2.0.2
	-$(ENGINES)/bin/pip install --quiet --disable-pip-version-check chess==1.11.2
	-npm install --loglevel error --no-audit --no-fund --no-save --ignore-scripts --prefix $(ENGINES) boardgame.io@0.50.2 immer@9.0.21 redux@4.2.1

## Write the golden transcripts of the example matches anew; read the diff.
golden: .venv/for-tests
	$(BIN)/python -m tests.games.golden

## Take the README's pictures of the real pages anew.
pictures: .venv/for-tests chromium
	$(BIN)/python -m tests.pictures

format: .venv/for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/installed: pyproject.toml
	@echo "Installing into .venv (once, about a minute) …"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/for-tests: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq chromium >/dev/null; }
