# `make help` lists what there is to make. A fresh clone needs Python >= 3.10 with pip, cargo, a C linker and make.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
ARGS   ?=

# One Python for every cargo call, else the binding is compiled anew whenever another tool calls cargo.
export PYO3_PYTHON := $(CURDIR)/$(PY)
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
unexport CONDA_PREFIX PYTHONPATH PYTHONHOME

# The tests start a thousand Pythons, and each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

TOOLS_STAMP  := $(VENV)/.tools-installed
ENGINE_STAMP := $(VENV)/.engine-built
GRADER_STAMP := $(VENV)/.grader-installed
BUILD_FILES  := pyproject.toml Cargo.toml Cargo.lock .cargo/config.toml
RUST_FILES   := $(shell find rust -type f \( -name '*.rs' -o -name Cargo.toml \) -not -path '*/target/*')
PYTHON_DIRS  := python grader validation tests benchmarks tools examples

# Linux wheels are linked by zig against the glibc of manylinux2014, whatever glibc this machine has.
ifeq ($(shell uname -s),Linux)
WHEEL_OPTIONS := --zig --compatibility manylinux2014
endif

.DEFAULT_GOAL := help
.PHONY: help setup grade test test-all test-rust test-python fuzz browser lint lint-rust lint-python lint-tree format bench corpus counts \
	record-counts record-costs record-openings record-baseline heuristics-page study hostile-table dist ci clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(ENGINE_STAMP) $(GRADER_STAMP) ## make .venv with tools, engine and grader (built only when sources changed)

# Some systems ship Python without the bundled pip that `venv` copies in; their own pip fills the gap.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo 'Python 3.10 or newer is needed: make PYTHON=/path/to/python3' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { $(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(VENV)/bin/python install --quiet pip; } || { rm -rf $(VENV); exit 1; }

$(TOOLS_STAMP): pyproject.toml | $(VENV)/bin/python
	$(PY) -m pip install --quiet --upgrade 'pip>=25.1'
	$(PY) -m pip install --quiet --upgrade --group dev
	@touch $@

$(ENGINE_STAMP): $(TOOLS_STAMP) $(BUILD_FILES) $(RUST_FILES)
	@command -v cargo >/dev/null || { echo 'cargo is needed: install Rust 1.88 or newer' >&2; exit 1; }
	PIP_QUIET=1 $(PY) -m maturin develop --release
	@touch $@

# Without isolation: what builds it is among the tools, so that nothing is fetched. It is used where it lies.
$(GRADER_STAMP): $(TOOLS_STAMP) $(ENGINE_STAMP) grader/pyproject.toml
	$(PY) -m pip install --quiet --no-build-isolation --no-deps --editable grader
	@touch $@

grade: setup ## whether an example submission beats AB_Improved (ARGS='--write html=report.html')
	$(PY) -m isolation_grader check examples/territory_agent.py --seed 1 $(ARGS)

test: test-rust test-python ## tests, Rust and Python: all but the slow ones, within four minutes

test-all: test-rust ## all tests, also those marked slow: every attack, simulated statistics, clusters, whole boards
	cargo test --locked --package isolation-core --test laws -- --ignored
	@$(MAKE) --no-print-directory test-python SLOW=1

test-rust: $(VENV)/bin/python ## tests of the crates
	cargo test --workspace --locked

# One more than there are cores: many tests wait, for the end of a turn or of a process.
TEST_WORKERS = $(shell $(PY) -c 'import os; print((os.cpu_count() or 1) + 1)')

test-python: setup ## tests of the package, its doctests and the examples in the documents (ARGS='-k name')
	@$(PY) -m compileall -q python/isolation_fast grader/isolation_grader  # before attacks look for changed files
	$(PY) -m pytest -n $(TEST_WORKERS) --dist worksteal $(if $(SLOW),,-m 'not slow') $(ARGS)

fuzz: setup ## random heuristics compiled and in every CPython there is a package for (SEED=1 SECONDS=600)
	$(PY) tests/contract/compiled/program_fuzz.py --each-python $(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS))

browser: setup ## drive the page of a report in Debian's chromium (ARGS='-k name')
	$(PY) -m pytest tests/browser $(ARGS)

hostile-table: setup ## what comes of each hostile submission in the jail (ARGS='forks writes_results' for some)
	$(PY) tests/grader/hostile_table.py $(ARGS)

lint: lint-rust lint-python lint-tree ## format, lints, types, the stub, and what the design promises

lint-rust: $(VENV)/bin/python
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --package isolation-py --no-default-features --locked -- -D warnings

lint-python: setup
	$(PY) -m ruff check $(PYTHON_DIRS)
	$(PY) -m ruff format --check $(PYTHON_DIRS)
	$(PY) -m mypy --strict $(PYTHON_DIRS)
	$(PY) -m mypy.stubtest isolation_fast._native

lint-tree: setup
	$(PY) tools/check_tree.py

format: setup ## rewrite the sources in the one format
	cargo fmt --all
	$(PY) -m ruff check --fix-only --quiet $(PYTHON_DIRS)
	$(PY) -m ruff format --quiet $(PYTHON_DIRS)

bench: setup ## speed, as ratios against the pure-Python twin in the same run (CLASSIC=checkout adds the classic board)
	$(PY) benchmarks/bench.py $(ARGS)

# The variables are asked for before anything is built.
corpus: ## submissions on the classic board and on ours (CORPUS=folder CLASSIC='checkout ...' ARGS='--games 8')
	@[ -n "$(CORPUS)" ] || { echo "which submissions? make corpus CORPUS=folder CLASSIC='checkout ...'" >&2; exit 2; }
	@[ -n "$(CLASSIC)" ] || { echo "compared with what? make corpus CORPUS=folder CLASSIC='checkout ...'" >&2; exit 2; }
	@$(MAKE) --no-print-directory setup
	$(PY) -m validation "$(CORPUS)" $(foreach checkout,$(CLASSIC),--classic "$(checkout)") $(ARGS)

counts: $(VENV)/bin/python ## instructions of one perft and one search under callgrind, against the committed ones
	$(PY) tools/count_instructions.py

record-counts: $(VENV)/bin/python ## measure them again and commit to the new figures
	$(PY) tools/count_instructions.py --record

heuristics-page: setup ## write docs/heuristics.md anew: formulas and worked examples of the native heuristics
	$(PY) tools/write_heuristics_page.py

# What is finished is kept in .study, and a second call goes on from there.
study: setup ## measure the five reports and write docs/study.md (up to 90 minutes; ARGS="--machine '2 virtual cores'")
	$(PY) -m isolation_fast reproduce --write-study docs/study.md --journal .study --resume $(ARGS)

record-costs: setup ## count what every native heuristic costs, for the table of the package (some minutes)
	$(PY) tools/record_costs.py

record-openings: setup ## solve the openings of 7 by 7, for the table of the engine (some ten minutes; ARGS='--threads 2')
	$(PY) tools/record_openings.py $(ARGS)

# What is finished is kept in .baselines, and a second call goes on from there.
record-baseline: setup ## measure AB_Improved for the table of the grader (a quarter of an hour; ARGS='--threads 1')
	$(PY) tools/record_baselines.py $(ARGS)

dist: setup ## in dist/ a wheel for each Python found, an sdist, and the grader's, each tried in a fresh environment
	rm -rf dist
	pythons=$$($(PY) tools/pythons.py) && PATH="$(CURDIR)/$(VENV)/bin:$$PATH" \
		maturin build --release --strip --out dist $(WHEEL_OPTIONS) --interpreter $$pythons
	$(PY) -m maturin sdist --out dist
	cd grader && $(CURDIR)/$(PY) -m hatchling build --directory ../dist
	$(PY) tools/try_dist.py dist

ci: SECONDS = 20
ci: lint test-all grade counts dist fuzz browser ## everything that continuous integration runs

clean: ## remove all that was built
	rm -rf $(VENV) target dist .mypy_cache .ruff_cache .pytest_cache .hypothesis callgrind.out.*
	find $(PYTHON_DIRS) -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f python/isolation_fast/*.so python/isolation_fast/*.pyd
