#!/usr/bin/env bash
# Installs the grader into an environment of its own: Gradescope runs this once, when it builds the container.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
python="${PYTHON:-python3}"

usable() {
    command -v "$python" >/dev/null && "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}
if ! usable; then
    apt-get update
    apt-get install -y --no-install-recommends python3 python3-venv
fi
"$python" -m venv --clear "$here/venv"
install() {
    "$here/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" --find-links "$here/wheels" isolation-grader -r "$here/packages.txt"
}
# Without network, where all that is needed is in the bundle.
install --no-index || install
"$here/venv/bin/isolation-grade" --version
