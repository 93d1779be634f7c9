#!/bin/sh
# Installs the service with a virtual environment of its own into a folder, from the sources in the working directory,
# and compiles the rules and the search into its folder `compiled`: install.sh /opt/azul
#
# They are compiled for any processor of this architecture, so that one image finds its machine code wherever it runs.
set -eu
target=$1
python3 -m venv "$target"
"$target/bin/python" -m pip install --disable-pip-version-check --quiet ".[mcp]"
mkdir "$target/compiled"
cd /  # so that what was installed is compiled, not what lies here
AZUL_CACHE_DIR="$target/compiled" NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= "$target/bin/python" -m workers.warm
chmod -R a+rX "$target"
