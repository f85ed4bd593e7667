# What one needs from a shell: make install, make test, make demo. Everything lands in .venv/ and out/.

SHELL := /bin/bash
GAME ?= p40
OUT ?= out
WORKERS ?= 2
BIN := .venv/bin

.PHONY: install test lint unit determinism demo leaks bench rules-coverage rule-texts clean help

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /: /' | sort

install:  ## install what is missing, make .venv
	@bash tools/install.sh

.venv/installed: pyproject.toml tools/install.sh
	@bash tools/install.sh
	@touch $@

test: .venv/installed lint unit determinism  ## everything that continuous integration checks

lint: .venv/installed  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: .venv/installed  ## all tests, slow ones too
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal

determinism: .venv/installed  ## the same log on every Python and hash seed found here
	@bash tools/determinism.sh

demo: .venv/installed  ## play a short campaign: make demo GAME=p40 (or s42, classic, p01)
	$(BIN)/pbem demo --game $(GAME) --out $(OUT)/

leaks: .venv/installed  ## search what a demonstration left for hidden cards and orders in the wrong hands
	@$(BIN)/python tools/search_leaks.py $(OUT)

bench: .venv/installed  ## measure
	$(BIN)/python -m bench

rules-coverage: .venv/installed  ## which code and tests cite each rule
	@$(BIN)/python tools/rules_coverage.py --strict p40 s42 fov classic err p01 wwm

rule-texts: .venv/installed  ## write pbem/rules/texts/ anew from docs/rules/
	@$(BIN)/python tools/make_rule_texts.py

clean:  ## remove what can be made again, .venv excepted
	rm -rf $(OUT) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
