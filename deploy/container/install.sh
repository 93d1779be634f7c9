#!/bin/sh
# Install the service from the working directory into a new virtual environment, and compile the rules and the search
# into its folder `compiled`: install.sh /opt/azul
#
# The code is compiled for any processor of this architecture, so that one image runs on all of them.
set -eu
target=$1
python3 -m venv "$target"
"$target/bin/python" -m pip install --disable-pip-version-check --quiet ./openapi/clients/python ".[mcp,archive-s3,tracing]"
mkdir "$target/compiled"
AZUL_CACHE_DIR="$target/compiled" NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= "$target/bin/azul-games-server" warm
chmod -R a+rX "$target"
