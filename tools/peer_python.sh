#!/usr/bin/env bash
# Runs a command with the Python of a virtual environment that has packages from PyPI, on top of those of
# the system's Python: tools/peer_python.sh PYTHON "PACKAGES" ARGUMENTS... The environment is kept in the cache.
set -euo pipefail
python=$1 packages=$2
shift 2
place=${XDG_CACHE_HOME:-$HOME/.cache}/trammel/python-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if [[ ! -x $place/bin/python ]]; then "$python" -m venv --system-site-packages "$place"; fi
read -ra names <<< "$packages"
"$place/bin/python" -m pip install -q --disable-pip-version-check "${names[@]}" >&2
exec "$place/bin/python" "$@"
