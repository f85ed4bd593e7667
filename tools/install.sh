#!/usr/bin/env bash
# Makes a working installation in .venv: installs the system packages that are missing (Debian and Ubuntu), chooses a
# Python from 3.11 on, and installs this package with its development tools. Changes nothing that is already there.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'install: %s\n' "$*"; }

libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
library() { [[ $libraries == *"$1"* ]]; }
program() { command -v "$1" >/dev/null 2>&1; }

has_cjk_font() { program fc-list && [ -n "$(fc-list ':charset=96f2' 2>/dev/null | head -n 1)" ]; }
has_latin_font() { program fc-list && [ -n "$(fc-list 'Open Sans' 2>/dev/null | head -n 1)" ]; }
has_postgres() { program initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
has_browser() { program chromium || program chromium-browser || program google-chrome; }

# A Python that can make virtual environments and is new enough; the caller's own choice comes first.
suitable() {
    "$1" - 2>/dev/null <<'PYTHON'
import ensurepip, sys, venv
sys.exit(sys.version_info < (3, 11))
PYTHON
}
choose_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        if program "$candidate" && suitable "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

required=()
useful=()
choose_python >/dev/null || { [ -x .venv/bin/python ] || required+=(python3 python3-venv); }
library libpango-1.0.so || required+=(libpango-1.0-0)
library libpangoft2-1.0.so || required+=(libpangoft2-1.0-0)
program redis-server || required+=(redis-server)
has_cjk_font || required+=(fontconfig fonts-noto-cjk)
library libharfbuzz-subset.so || useful+=(libharfbuzz-subset0)  # reports in Chinese are ten times slower without it
has_latin_font || useful+=(fonts-open-sans)                     # the letters that reports in English are made for
has_postgres || useful+=(postgresql)                            # the store's tests against PostgreSQL
program pdftotext || useful+=(poppler-utils)                    # the reports' tests
has_browser || useful+=(chromium)                               # the web pages' tests

if [ "${#required[@]}" -gt 0 ] || [ "${#useful[@]}" -gt 0 ]; then
    if ! program apt-get; then
        say "this system has no apt-get. Please install by its own means what these Debian packages hold:"
        say "  ${required[*]:-} ${useful[*]:-}"
        say "Without pango no PDF reports can be made, without redis-server no jobs run; the rest is for tests and speed."
    else
        as_root=()
        if [ "$(id -u)" -ne 0 ]; then
            if program sudo; then
                as_root=(sudo)
            else
                say "missing: ${required[*]:-} ${useful[*]:-}; installing them needs root or sudo"
                exit 1
            fi
        fi
        export DEBIAN_FRONTEND=noninteractive
        apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends)
        say "installing ${required[*]:-} ${useful[*]:-}"
        "${as_root[@]}" apt-get -q update </dev/null >/dev/null || say "the package lists could not be renewed; going on with the old ones"
        if [ "${#required[@]}" -gt 0 ]; then
            "${apt[@]}" install "${required[@]}" </dev/null >/dev/null
        fi
        for package in ${useful[@]+"${useful[@]}"}; do
            "${apt[@]}" install "$package" </dev/null >/dev/null || say "$package could not be installed; tests that need it are skipped"
        done
    fi
fi

if [ ! -x .venv/bin/python ]; then
    python=$(choose_python) || {
        say "no Python from 3.11 on was found; name one: PYTHON=/path/to/python3.12 make install"
        exit 1
    }
    say "making .venv with $("$python" --version) ($python)"
    "$python" -m venv .venv
fi
suitable .venv/bin/python || {
    say ".venv holds $(.venv/bin/python --version); remove it and run again, Python 3.11 or newer is needed"
    exit 1
}

stamp=.venv/installed
if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
    say "installing the package and its development tools into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' </dev/null
    touch "$stamp"
fi

.venv/bin/python -c 'import weasyprint' 2>/dev/null || {
    say "WeasyPrint does not start; it needs pango (libpango-1.0-0, libpangoft2-1.0-0)"
    exit 1
}
say "ready: .venv/bin/pbem"
