#!/usr/bin/env bash
# Plays fixed campaigns under several hash seeds and every CPython from 3.11 on that is found, and compares what
# comes out: the same inputs must give the same bytes everywhere. The pure core needs no installed packages.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-pbem.testing.determinism}

interpreters() {
    local candidate
    {
        [ -x .venv/bin/python ] && echo .venv/bin/python
        for candidate in python3 python3.11 python3.12 python3.13 python3.14; do
            command -v "$candidate" || true
        done
        compgen -G "${PYENV_ROOT:-$HOME/.pyenv}/versions/*/bin/python3" || true
    } | while read -r candidate; do
        "$candidate" -c '
import platform, sys
if sys.version_info >= (3, 11) and platform.python_implementation() == "CPython":
    print(platform.python_version(), sys.executable)
' 2>/dev/null || true
    done | sort -u -k1,1
}

found=$(interpreters)
[ -n "$found" ] || { echo "determinism: no CPython from 3.11 on was found"; exit 1; }

first=
while read -r version python; do
    for seed in 0 1 12345; do
        digest=$(env -i PATH="$PATH" HOME="$HOME" PYTHONPATH="$PWD" PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED="$seed" \
            "$python" -m "$program" </dev/null | sha256sum | cut -d ' ' -f 1)
        printf 'determinism: CPython %-8s PYTHONHASHSEED=%-6s %s\n' "$version" "$seed" "$digest"
        if [ -z "$first" ]; then
            first=$digest
        elif [ "$digest" != "$first" ]; then
            echo "determinism: the output differs from the first one"
            exit 1
        fi
    done
done <<<"$found"
echo "determinism: all equal"
