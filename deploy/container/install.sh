#!/bin/sh
# Install the service from the working directory into a new virtual environment, compile the rules and the search into
# its folder `compiled`, and write its bill of materials (CycloneDX) to `sbom.cdx.json`: install.sh /opt/azul
#
# All packages come from the lock. The code is compiled for any processor of this architecture, so one image runs on
# all of them.
set -eu
target=$1
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_DEPS=1 PIP_QUIET=1
tools=$(mktemp -d)
python3 -m venv "$tools"
"$tools/bin/python" -m pip install --require-hashes -r deploy/lock/image.txt
"$tools/bin/python" -m pip wheel --no-build-isolation --wheel-dir "$tools/wheels" ./openapi/clients/python .
python3 -m venv "$target"
"$target/bin/python" -m pip install --require-hashes -r deploy/lock/serve.txt -r deploy/lock/options.txt
"$target/bin/python" -m pip install "$tools"/wheels/*.whl
"$tools/bin/python" -m cyclonedx_py environment --output-reproducible --output-file "$target/sbom.cdx.json" \
  "$target/bin/python"
rm -rf "$tools"
mkdir "$target/compiled"
AZUL_CACHE_DIR="$target/compiled" NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= "$target/bin/azul-games-server" warm
chmod -R a+rX "$target"
