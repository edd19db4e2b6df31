# Everything needs Python 3.11 or later and nothing else: each goal makes its own virtual environment in .venv and
# installs what the lock files name; when nothing changed that takes no time.

PYTHON ?= python3
BIN := .venv/bin
BOTS ?=
UV ?= uv
export ARENA_DATABASE_URL ?= sqlite:///arena.db
SERVE := $(if $(filter file,$(origin ARENA_DATABASE_URL)),,ARENA_DATABASE_URL='$(ARENA_DATABASE_URL)' )make serve

SOURCES := pyproject.toml setup.py $(wildcard proto/arena/v1/*.proto)
COMPILED := $(shell find arena -name '*.py' -not -path 'arena/wire/v1/*')

# What marks a text in the sources that is translated, and where the translations lie.
MARKED := -k Note:2 -k Refusal:2 -k worded:1 -k NavigationItem:2
LOCALES := arena/web/locale

.PHONY: help tournament serve rankings test check format compiled bench yardsticks words lock clean

help:
	@echo "make tournament [BOTS=\"path …\"]   play a tournament and print the ranking"
	@echo "make serve                        the pages, for a browser: ranking, bots, matches"
	@echo "make rankings                     print the ranking of the latest tournament"
	@echo "make test                         the quick tests (under three minutes)"
	@echo "make check                        format, lint, types, import arrows, slow tests"
	@echo "make compiled                     an arena of which the hot parts are compiled (needs a C compiler)"
	@echo "make bench                        the measurements of tests/benchmarks"
	@echo "make yardsticks                   games of other projects, for make bench to measure beside ours"
	@echo "make format                       format the code and mend what the linter can mend"
	@echo "make words                        bring the translations up to date with what the pages say"
	@echo "make lock                         pin the newest dependencies (needs uv)"

.venv/run: requirements.lock $(SOURCES)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/run requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

tournament: .venv/run
	@ARENA_SERVE_COMMAND="$(SERVE)" $(BIN)/arena tournament run $(BOTS)

serve: .venv/run
	@$(BIN)/arena serve

rankings: .venv/run
	@$(BIN)/arena rankings

test: .venv/dev
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow"

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m slow

.venv/compiled: .venv/dev $(COMPILED)
	@command -v $${CC:-cc} >/dev/null || { echo "There is no C compiler (cc): install one, for example gcc"; exit 1; }
	@rm -rf $@ build
	@$(PYTHON) -m venv $@
	@$@/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@ARENA_COMPILE=1 $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir $@ .
	@$@/bin/python -m pip install --quiet --disable-pip-version-check --no-deps $@/*.whl
	@touch $@

compiled: .venv/compiled
	@echo "The compiled arena is .venv/compiled/bin/arena: the same commands and the same matches, faster."

bench: .venv/dev
	@$(BIN)/python -m tests.benchmarks

yardsticks: .venv/yardsticks/made

.venv/yardsticks/made: requirements-yardsticks.lock
	@test -x .venv/yardsticks/bin/python || $(PYTHON) -m venv .venv/yardsticks
	@.venv/yardsticks/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

words: .venv/dev
	@$(BIN)/pybabel -q extract -F pyproject.toml $(MARKED) --no-wrap --no-location --sort-output --omit-header \
	  -o $(LOCALES)/words.pot arena
	@for language in el id; do $(BIN)/pybabel -q update -N --no-wrap --omit-header --ignore-obsolete -l $$language \
	  -i $(LOCALES)/words.pot -o $(LOCALES)/$$language.po; done
	@rm $(LOCALES)/words.pot

lock:
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --group build -o requirements.lock
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml --extra env --group build --group dev \
	  -c requirements.lock -o requirements-dev.lock
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --custom-compile-command "make lock" --group yardsticks -o requirements-yardsticks.lock
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --custom-compile-command "make lock" --group toolchains -o requirements-toolchains.lock

clean:
	rm -rf .venv build dist *.egg-info arena/wire/v1 .mypy_cache .ruff_cache .pytest_cache .hypothesis
