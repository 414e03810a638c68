# Two commands do everything: `make run` and `make test`. The rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := src/tablee/doors/web/built_page/build.json
PAGE_SOURCES := $(shell find web/src web/public web/index.html web/package.json web/package-lock.json web/vite.config.ts web/svelte.config.js -type f 2>/dev/null)

COMPILED := .compiled

.PHONY: env run test test-long lint types schemas page screenshots icons chromium engines bench attack compiled test-compiled clean

env: $(VENV)/.installed

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Tablée needs Python 3.11 or newer. Say which one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { echo "This Python cannot make environments. On Debian: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

# The installation builds the page; afterwards it is built again when its sources have changed.
$(VENV)/.installed: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@ $(PAGE)

$(VENV)/.tested: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed $(PAGE)

$(PAGE): $(VENV)/.installed $(PAGE_SOURCES) hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

page: $(PAGE)

run: env $(PAGE)
	$(BIN)/tablee serve --data data

# The two compilers read beside one another: each uses one processor most of the time.
TYPES = { $(BIN)/python hatch_build.py check & page=$$!; $(BIN)/mypy; types=$$?; wait $$page && [ $$types = 0 ]; }

lint: $(VENV)/.tested $(PAGE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(TYPES)

# Debian's own browser, for the tests that click; playwright brings none.
chromium:
	@command -v chromium-headless-shell >/dev/null \
		|| { apt-get update -q && apt-get install -y -q --no-install-recommends chromium-headless-shell; } \
		|| command -v chromium >/dev/null || command -v google-chrome >/dev/null \
		|| { echo "The browser tests need chromium. On Debian: sudo apt install chromium-headless-shell"; exit 1; }

# Debian's chess engines, for the tests that ask one; without them these are left out.
engines:
	@command -v stockfish >/dev/null || test -x /usr/games/stockfish \
		|| apt-get install -y -q --no-install-recommends stockfish fairy-stockfish >/dev/null 2>&1 || true

# The tests start a house some hundred times: what it is made of is compiled once, whatever the shell says.
# The types are read beside the tests, which wait for something here and there; what is wrong with them is said last.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.tested $(PAGE) chromium engines
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@said=$$(mktemp); $(TYPES) >$$said 2>&1 & types=$$!; \
		$(BIN)/python -m pytest -n 5 --dist load --maxschedchunk 4 --durations 15 -m "not long"; tests=$$?; \
		wait $$types; types=$$?; cat $$said; rm -f $$said; [ $$tests = 0 ] && [ $$types = 0 ]

test-long: $(VENV)/.tested $(PAGE) chromium
	$(BIN)/python -m pytest -m long

types: $(VENV)/.tested
	$(BIN)/python -m tablee.doors.web.typescript web/src

schemas: $(VENV)/.tested
	$(BIN)/python -m tablee.doors.dr2d.schemas docs/protocols/dr2d

screenshots: $(VENV)/.tested $(PAGE) chromium
	$(BIN)/python -m tests.browser.screenshots docs/pictures

icons: $(VENV)/.tested chromium
	$(BIN)/python -m tests.browser.icons web/public

# The core of Diplomacy compiled: a wheel in .compiled/wheel, installed into an environment of its own. It is built
# from a copy, since the compiler leaves its libraries beside the sources, where they would hide them.
compiled: $(COMPILED)/.installed

$(COMPILED)/.installed: pyproject.toml $(wildcard src/tablee/rules/diplomacy/*.py)
	rm -rf $(COMPILED)/source $(COMPILED)/wheel
	mkdir -p $(COMPILED)/source
	tar --exclude ./$(VENV) --exclude ./$(COMPILED) --exclude ./.git --exclude ./data --exclude node_modules -cf - . \
		| tar -C $(COMPILED)/source -xf -
	test -x $(COMPILED)/bin/python || $(PYTHON) -m venv $(COMPILED)
	HATCH_BUILD_HOOK_ENABLE_MYPYC=true $(COMPILED)/bin/python -m pip wheel --quiet --disable-pip-version-check \
		--no-deps --wheel-dir $(COMPILED)/wheel $(COMPILED)/source
	for wheel in $(COMPILED)/wheel/*.whl; do \
		$(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$$wheel" \
		&& $(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check "$$wheel[test]" || exit 1; done
	touch $@

test-compiled: compiled
	$(COMPILED)/bin/python -c 'import sys, tablee.rules.diplomacy.field as core; sys.exit(core.__file__.endswith(".py"))'
	$(COMPILED)/bin/python -m pytest -n 2 -m "not long" tests/rules/diplomacy

bench: $(VENV)/.tested
	$(BIN)/python -m bench

# Hostile scripts against a house of their own on this machine, with an honest player's waits beside each.
attack: $(VENV)/.tested $(PAGE)
	$(BIN)/python -m attack

clean:
	rm -rf $(VENV) $(COMPILED) dist web/node_modules src/tablee/doors/web/built_page .mypy_cache .ruff_cache .hypothesis
