#!/usr/bin/env bash
# Makes build/python, an environment of the system's Python with the packages that the Python package is built and tested
# with: python/requirements-test.txt, from PyPI. Does nothing if it has them. scripts/test.sh calls this; then
#
#   cmake --preset ci -DWEFT_PYTHON=ON -DPython_EXECUTABLE=$PWD/build/python/bin/python
set -euo pipefail
cd "$(dirname "$0")/.."

environment=build/python
wanted=$(cat python/requirements-*.txt && /usr/bin/python3 --version)
if [[ -f $environment/installed && $(<"$environment/installed") == "$wanted" ]]; then exit 0; fi
echo "setup_python: installing python/requirements-test.txt in $environment"
rm -rf "$environment"
/usr/bin/python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check -r python/requirements-test.txt
echo "$wanted" >"$environment/installed"
