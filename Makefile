# connectk: `make play` and `make test` need only Python 3.11+, a C++ compiler and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SCRIPTS := src/connectk/web src/connectk/review src/connectk/notebook packages/npm
NATIVE  = $(shell find native bench tests/native -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh')
DOCS   := furo myst-parser sphinx sphinx-copybutton sphinx-design
CORE   := CMakeLists.txt pyproject.toml constraints.txt $(shell find native -type f)

# What one Python has compiled the next one reads: the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play setup test test-deep sanitize check format floors bench tokens core npm docs site pictures clean FORCE
.DEFAULT_GOAL := help

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

play: $(VENV)/.play ## set everything up, start the game and open its page
	@$(BIN)/connectk gui --browser

test: $(VENV)/.dev $(VENV)/.browser $(VENV)/.display $(VENV)/.postgres $(VENV)/.services ## set up what the tests need and run them
	$(BIN)/pytest -q -n auto -m "not deep"

test-deep: sanitize $(VENV)/.dev $(VENV)/.browser $(VENV)/.display $(VENV)/.postgres $(VENV)/.services ## the slow proofs too, and how much of the code they ran
	$(BIN)/pip install -q -c constraints.txt bitbully-databases jupyterlab ziglang wasmtime $(DOCS)
	$(BIN)/pytest -q -n auto --cov --cov-report=term:skip-covered

sanitize: $(VENV)/.dev ## the core with asserts under the sanitizers: its own tests, and those in Python that exercise it
	tools/sanitize

check: $(VENV)/.dev ## format, lint, types and the import contract
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run -Werror $(NATIVE)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxfmt --check $(SCRIPTS) tests examples
	$(BIN)/oxlint --deny-warnings $(SCRIPTS)
	$(BIN)/python tools/check_types.py

format: $(VENV)/.dev ## put the code into its usual shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(NATIVE)
	$(BIN)/oxfmt $(SCRIPTS) tests examples

floors: $(VENV)/.dev ## the lowest dependencies that pyproject.toml allows, with quick tests
	$(BIN)/pip install -q -c constraints.txt uv
	$(BIN)/python tools/check_floors.py

bench: $(VENV)/.dev ## measure, next to the best peers at hand
	for file in bench/*.py; do $(BIN)/python $$file || exit 1; done

tokens: $(VENV)/.dev ## write the palette, the measures and other numbers into the page's files
	$(BIN)/python tools/make_tokens.py
	$(BIN)/python tools/make_icons.py

core: $(VENV)/.dev ## compile the core for the page anew (ziglang comes from PyPI)
	$(BIN)/pip install -q -c constraints.txt ziglang
	$(BIN)/python tools/make_core.py

npm: $(VENV)/.dev ## the package for Node.js, Deno and browsers, packed: build/npm
	$(BIN)/python -m tools.make_npm

docs: $(VENV)/.dev ## the documentation as a site with search: build/site/docs
	$(BIN)/pip install -q -c constraints.txt $(DOCS)
	$(BIN)/sphinx-build -q -W --keep-going -b html -c tools/docs docs build/site/docs

site: $(VENV)/.dev docs ## the page and the documentation as a folder of files: build/site
	$(BIN)/connectk site build/site --docs --replace

pictures: $(VENV)/.dev $(VENV)/.browser ## draw the pictures of the README and the docs anew
	$(BIN)/python -m tools.terminal_pictures docs/pictures
	$(BIN)/python tools/make_page_pictures.py

setup: $(VENV)/.dev ## everything for working on connectk

clean: ## remove what was built
	rm -rf $(VENV) build

# Each stamp is newer than all that it was made from, so a second `make` has nothing to do.
$(VENV)/.dev: $(CORE) $(VENV)/.modules | $(VENV)/.tools
	$(BIN)/pip install -q -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $(VENV)/.play $@

$(VENV)/.play: $(CORE) $(VENV)/.modules | $(VENV)/.tools
	$(BIN)/pip install -q -c constraints.txt --no-build-isolation -e '.[server]'
	@touch $@

# The install knows each module by its path, so a module that came, went or moved asks for a new one.
$(VENV)/.modules: FORCE | $(VENV)/.tools
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort > $@

# The page is tested in a real browser; where none can be had, its tests are skipped and say so.
$(VENV)/.browser: tools/browser-ready | $(VENV)/.dev
	@PYTHON=$(BIN)/python tools/browser-ready && touch $@ || true

# The game's own window is tested on a display of its own; where none can be had, those tests are skipped and say so.
$(VENV)/.display: tools/display-ready | $(VENV)/.dev
	@tools/display-ready && touch $@ || true

# The server is tested on a throwaway PostgreSQL; where none can be had, those tests are skipped and say so.
$(VENV)/.postgres: tools/postgres-ready | $(VENV)/.dev
	@tools/postgres-ready && touch $@ || true

# Servers are tested behind a real nginx and with a real Redis, and the samples in deploy/ by the tools that read them.
$(VENV)/.services: tools/services-ready | $(VENV)/.dev
	@tools/services-ready && touch $@ || true

$(VENV)/.tools: constraints.txt
	@PYTHON="$(PYTHON)" tools/machine-ready
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@
