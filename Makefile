PYTHON ?= python3
BIN := .venv/bin
# The types of MicroPython's modules; not in .venv, whose Python has modules of the same names.
STUBS := build/stubs
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: pi wheels play quick test test-gpio bench trust mutation golden pictures hardware format

## Play on a virtual table, in the browser.
play: .venv/installed
	$(BIN)/companion play $(if $(PORT),--port $(PORT))

## On a Raspberry Pi: the companion with its drivers, for the whole machine. Again, after `git pull`: the update.
PI := /opt/table-companion
PI_EXTRAS := pn532,gpiod,firmware
pi:
	@$(PYTHON) -c "import ensurepip" 2>/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq python3-venv; }
	$(AS_ROOT) $(PYTHON) -m venv $(PI)
	$(AS_ROOT) rm -rf build/lib
	$(AS_ROOT) $(PI)/bin/pip install --quiet --disable-pip-version-check --upgrade --force-reinstall --no-deps .
	$(AS_ROOT) $(PI)/bin/pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy only-if-needed '.[$(PI_EXTRAS)]'
	$(AS_ROOT) rm -rf build/lib
	$(AS_ROOT) ln -sf $(PI)/bin/companion /usr/local/bin/companion
	@echo "Installed: $$($(PI)/bin/companion --version). Now: sudo companion service install table.toml"

## That a 64-bit Pi compiles nothing: everything `make pi` installs is there as a wheel, for bookworm's Python and trixie's.
wheels: .venv/installed
	$(BIN)/python -m tests.wheels '$(PI_EXTRAS)'

## While one works: lint, types, and every test that needs no browser, no kernel of its own and no trial.
quick: .venv/for-tests micropython systemd drawing checked
	$(BIN)/pytest -n 4 -m "not browser and not trial"

## Everything that checks the project; installs what it needs, Chromium included.
test: .venv/for-tests chromium machine micropython axe systemd drawing strace checked
	$(BIN)/pytest -n 4
	$(BIN)/python -m tests.kernel --if-possible

.PHONY: checked
checked: .venv/for-tests $(STUBS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=firmware:$(STUBS) $(BIN)/mypy --custom-typeshed-dir $(STUBS) firmware/*.py

## The drivers on a real kernel's GPIO and USB, in a machine that QEMU emulates. `make test` does it too, where it can be done.
test-gpio: .venv/for-tests machine
	$(BIN)/python -m tests.kernel

## Figures against the budgets, into tests/bench/results.md.
bench: .venv/for-tests chromium engines micropython
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	$(BIN)/python -m tests.bench

## Try at length to break what the table promises; what came of it, into tests/trust/results.md.
trust: .venv/for-tests chromium micropython strace
	$(BIN)/python -m tests.trust

## Put slips into the code that the tests once saw, and see whether they still do. `python -m tests.mutation` tries others.
mutation: .venv/for-tests
	$(BIN)/python -m tests.mutation --again tests/mutation/baseline.jsonl

# What judge and page are measured beside: in a folder of its own, for nothing else needs it. One that can't be had is left out.
ENGINES := build/engines
.PHONY: engines
engines: .venv/for-tests
	$(BIN)/python -m venv $(ENGINES)
	-$(ENGINES)/bin/pip install --quiet --disable-pip-version-check --only-binary open_spiel open_spiel==2.0.2
	-$(ENGINES)/bin/pip install --quiet --disable-pip-version-check chess==1.11.2 pokerkit==0.7.7
	-$(ENGINES)/bin/pip install --quiet --disable-pip-version-check flask-socketio==5.7.0
	-npm install --loglevel error --no-audit --no-fund --no-save --ignore-scripts --prefix $(ENGINES) \
		boardgame.io@0.50.2 immer@9.0.21 redux@4.2.1 socket.io-client@4.8.4

## Write the golden transcripts of the example matches and the drawings of the games' phases anew; read the diff.
golden: .venv/for-tests
	$(BIN)/python -m tests.games.golden
	$(BIN)/python -m tests.games.phases

## Take the README's pictures of the real pages anew.
pictures: .venv/for-tests chromium
	$(BIN)/python -m tests.pictures

## Draw the build guide's wiring and pictures anew, and write its list of parts.
hardware: .venv/for-tests drawing
	@command -v xvfb-run >/dev/null || $(AS_ROOT) apt-get install -y -qq --no-install-recommends xvfb xauth libgl1-mesa-dri >/dev/null
	$(BIN)/python -m hardware.draw

# For the build guide's wiring and printed parts.
.PHONY: drawing
drawing:
	@command -v openscad >/dev/null && command -v dot >/dev/null || { $(AS_ROOT) apt-get update -qq && \
		$(AS_ROOT) apt-get install -y -qq --no-install-recommends openscad graphviz >/dev/null; }

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

MACHINE := qemu-system-x86 gcc libc6-dev make xz-utils libelf1
.PHONY: machine
machine:
	@command -v qemu-system-x86_64 >/dev/null || { $(AS_ROOT) apt-get update -qq && \
		$(AS_ROOT) apt-get install -y -qq --no-install-recommends $(MACHINE) >/dev/null; } || echo "Not installed: $(MACHINE)"

# A service's unit is checked by systemd's own tool, which needs no systemd that runs.
.PHONY: systemd
systemd:
	@command -v systemd-analyze >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq systemd >/dev/null; }

# For `make trust`: hears every write that the companion makes, and has some of them fail.
.PHONY: strace
strace:
	@command -v strace >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq strace >/dev/null; } \
		|| echo "Not installed: strace"

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq chromium >/dev/null; }
	@command -v chromium-headless-shell >/dev/null || $(AS_ROOT) apt-get install -y -qq chromium-headless-shell >/dev/null 2>&1 || true

# For the firmware's tests: MicroPython's own virtual machine, which runs in Node.
.PHONY: micropython
micropython: build/micropython/installed
build/micropython/installed:
	@command -v npm >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq nodejs npm >/dev/null; }
	npm install --loglevel error --no-audit --no-fund --no-save --ignore-scripts --prefix $(@D) \
		@micropython/micropython-webassembly-pyscript@1.27.0
	touch $@

# What every page is checked with for people who see, hear or move differently.
.PHONY: axe
axe: build/axe/installed
build/axe/installed:
	@command -v npm >/dev/null || { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq nodejs npm >/dev/null; }
	npm install --loglevel error --no-audit --no-fund --no-save --ignore-scripts --prefix $(@D) axe-core@4.14.1
	touch $@

$(STUBS): | .venv/for-tests
	$(BIN)/pip install --quiet --disable-pip-version-check --target $@ \
		micropython-rp2-stubs==1.29.0.post1 micropython-stdlib-stubs==1.29.0.post2
