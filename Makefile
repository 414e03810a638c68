# Two commands do everything: `make run` and `make test`. The rest is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: env run test test-long lint bench clean

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

bench: $(VENV)/.tested
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .hypothesis
