# What a user and the CI need; every target sets up what it needs by itself.
PYTHON ?= python3
VENV ?= .venv
# Every file that is installed is named by its hash; .ci/lock.py writes the locks.
PIP = $(VENV)/bin/pip install --quiet --disable-pip-version-check --no-input
LOCKS = .ci/build.lock .ci/requirements.lock
FLEET = fixtures/fleet
PAIR = fixtures/demo
SHOW ?= 0

# The tests start hundreds of processes: each would compile every module where none may keep what it has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: screens help demo test growth check lint facts facts-all same bench clean system

help:
	@echo "make demo    a fleet report on embedded Spark and a check of one pair, from bundled real input"
	@echo "make test    the tests; installs chromium and a MariaDB server where Debian's packages are at hand"
	@echo "make growth  time that readers take grows with their input: alone, since other work disturbs it"
	@echo "make check   the tests that need no recording, server, browser or Spark: under a minute"
	@echo "make lint    ruff and mypy"
	@echo "make facts FACTS='FILE...' [SHOW=N]    judge files of recorded facts"
	@echo "make facts-all    judge every fact that the tree has recorded"
	@echo "make same BASE=COMMIT [SAME='--folder DIRECTORY...']    what is answered otherwise than at a commit"
	@echo "make bench   the benchmarks that run in a minute"

$(VENV)/.demo $(VENV)/.test: pyproject.toml $(LOCKS)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --no-deps --only-binary :all: --requirement .ci/build.lock
	$(PIP) --require-hashes --no-deps --no-build-isolation --requirement .ci/requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.demo $(VENV)/.test

# Tests of the page want a browser, tests of live servers a server; without them those tests are skipped and say so.
system:
	@.ci/system

demo: $(VENV)/.demo
	@echo "== one pair: a column in the middle, a narrower type, reordered ENUM members"
	$(VENV)/bin/schemacheck check $(PAIR)/source.sql $(PAIR)/replica.sql --source-version mysql-8.0 --replica-version mysql-8.0 || test $$? -eq 1
	@echo
	@echo "== a fleet: snapshots of MySQL 5.6, MySQL 9.7 and MariaDB 11.8 in their links"
	$(VENV)/bin/schemacheck fleet $(FLEET)/fleet.yaml --engine spark -o out/demo || test $$? -eq 1
	@echo "Open out/demo/report.html in a browser."

test: system $(VENV)/.test
	FACTS_EVERY=6 $(VENV)/bin/python -m pytest --quiet -m "not growth" --numprocesses 4 --dist worksteal

# One process on a quiet machine: what runs beside it takes part of the time that is measured, and what other tests'
# modules hold takes the collector's.
growth: $(VENV)/.test
	$(VENV)/bin/python -m pytest --quiet -m growth $$(grep -rlw growth tests --include='test_*.py')

# What a change is tried with before it is committed; the markers are explained in CONTRIBUTING.md.
check: $(VENV)/.test
	$(VENV)/bin/python -m pytest --quiet -m "not growth and not recorded and not slow and not server and not browser and not spark and not precommit"

lint: $(VENV)/.test
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

facts: $(VENV)/.test
	$(VENV)/bin/python -m tests.facts --show $(SHOW) $(FACTS)

# Every recording with a judge of its own, with totals; then those that a test judges.
facts-all: $(VENV)/.test
	$(VENV)/bin/python -m tests.facts --all --show $(SHOW)
	$(VENV)/bin/python -m pytest --quiet -m recorded tests/ddl tests/binlog tests/plan tests/diagnose tests/link

# A sample of the recordings; SAME='--every 1' asks about all of them.
same: $(VENV)/.test
	$(VENV)/bin/python -m tests.same $(BASE) $(SAME)

bench: $(VENV)/.test
	$(VENV)/bin/python benchmarks/startup.py
	$(VENV)/bin/python benchmarks/compare.py

# The pictures of README.md and docs/, out of what the commands print and write.
screens: $(VENV)/.test
	$(VENV)/bin/python .ci/screens.py docs/images

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache
