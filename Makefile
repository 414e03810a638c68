# Two commands do everything: `make run` and `make test`. The rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

COMPILED := .compiled

.PHONY: env run test test-long lint bench compiled test-compiled clean

env: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Tablée needs Python 3.11 or newer. Say which one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { echo "This Python cannot make environments. On Debian: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.tested: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

run: env
	$(BIN)/tablee serve --data data

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal --durations 15 -m "not long"

test-long: $(VENV)/.tested
	$(BIN)/python -m pytest -m long

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

clean:
	rm -rf $(VENV) $(COMPILED) dist .mypy_cache .ruff_cache .hypothesis
