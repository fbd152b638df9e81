#!/usr/bin/env bash
# Installs the wheel in dist/ that is for the `python` on the PATH, and tests it there: a step of workflows/wheels.yml.
set -euo pipefail
folder="${RUNNER_TEMP:-/tmp}/try-$(python -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
python -m venv "$folder"
python="$folder/bin/python"
[[ -x "$python" ]] || python="$folder/Scripts/python.exe"
"$python" -m pip install --upgrade pip
"$python" -m pip install --no-index --find-links dist --only-binary :all: isolation-fast
"$python" -m pip install --group dev
"$python" -m pip install --no-build-isolation --no-deps ./grader
"$python" -I tools/smoke.py
"$python" -m pytest tests
