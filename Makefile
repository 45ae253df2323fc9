# `make help` lists the targets. Environments are made on first use and again when a lock file changes; each has a
# stamp that is written last, so that an interrupted installation is started over.

# The oldest Python that fits. A name on the PATH may be there and not run, so each is asked.
PYTHON ?= $(or $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$python -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done),$(error Python 3.11 or newer is needed, with venv))
WORKERS ?= 2
VENV := .venv
CODEGEN := build/codegen
PIP_INSTALL := -m pip --disable-pip-version-check install --quiet --quiet

# The three layers of .venv: runtime packages, the project itself, development tools.
RUNTIME := $(VENV)/.runtime
PROJECT := $(VENV)/.project
TOOLS := $(VENV)/.tools
NODE := node_modules/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run test test-deep test-pythons lint lint-python lint-protos lint-container types protos
.PHONY: check-protos check-clients check-openapi bench lock clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(PROJECT) ## Make .venv with the service, the client and the command .venv/bin/skerry
	@echo "$(VENV)/bin/skerry is installed"

run: $(PROJECT) ## Start the service (more arguments: make run ARGS="--port 6000")
	$(VENV)/bin/skerry serve --http 127.0.0.1:8080 $(ARGS)

test: $(TOOLS) ## Run the tests (a choice of them: make test ARGS="tests/games -k abbot")
	$(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal $(ARGS)

test-deep: $(TOOLS) ## Run the tests that take long: more games, seeds and tables
	$(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m deep $(ARGS)

test-pythons: ## Try every supported Python on the PATH (or some: make test-pythons ARGS=python3.13)
	$(PYTHON) scripts/try_pythons.py $(ARGS)

lint: lint-python lint-protos lint-container ## Check the style of everything

lint-python: $(TOOLS) ## Check the style of Python (ruff)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

lint-protos: $(CODEGEN)/.installed $(NODE) ## Check style and compatibility of the protos (buf)
	$(CODEGEN)/bin/python scripts/check_protos.py $(ARGS)

lint-container: $(TOOLS) ## Check Dockerfile and compose.yaml (hadolint, the Compose schema)
	$(VENV)/bin/hadolint Dockerfile
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml

types: $(TOOLS) ## Check the types (mypy --strict)
	$(VENV)/bin/mypy

protos: $(CODEGEN)/.installed ## Generate the Python stubs and the API description's comments from protos/
	$(CODEGEN)/bin/python scripts/generate_protos.py

check-protos: $(CODEGEN)/.installed ## Check that what is generated from protos/ is current
	$(CODEGEN)/bin/python scripts/generate_protos.py --check

check-clients: $(TOOLS) $(NODE) $(CODEGEN)/.installed ## Check that clients generated from the protos work (buf, TypeScript)
	$(VENV)/bin/python -m pytest -m node tests/generators $(ARGS)

check-openapi: $(TOOLS) $(NODE) ## Check the API description: its style, and the TypeScript types made from it
	$(VENV)/bin/python -m tests.rest.openapi

bench: $(TOOLS) ## Run the benchmarks
	$(VENV)/bin/python -m tests.benchmarks $(ARGS)

lock: ## Resolve the lock files (newest versions: make lock ARGS=--upgrade)
	$(PYTHON) -m venv build/lock/venv
	build/lock/venv/bin/python $(PIP_INSTALL) pip-tools==7.6.2
	build/lock/venv/bin/python scripts/lock.py $(ARGS)
	npm install --package-lock-only --loglevel=error

clean: ## Remove everything that was made here: environments, caches, build output
	rm -rf $(VENV) build dist node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): requirements.lock requirements-build.lock
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements.lock -r requirements-build.lock
	@touch $@

$(PROJECT): $(RUNTIME) pyproject.toml clients/python/pyproject.toml service/skerry_games/pyproject.toml
	$(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e . -e clients/python -e service/skerry_games
	@touch $@

$(TOOLS): $(PROJECT) requirements-dev.lock
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

$(CODEGEN)/.installed: requirements-codegen.lock
	$(PYTHON) -m venv --clear $(CODEGEN)
	$(CODEGEN)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-codegen.lock
	@touch $@

# Not `npm ci`: it wants every platform's binary in the lock file.
$(NODE): package.json package-lock.json
	rm -rf node_modules
	npm install --no-save --loglevel=error
	@touch $@
