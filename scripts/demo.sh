#!/usr/bin/env bash
# Installs what is missing, then builds and runs examples/mesh_and_image: Weft on a real mesh and a real image. Checks
# every answer against the CPU, and draws build/demo/weft-demo.png.
#
#   scripts/demo.sh                      on every usable device
#   scripts/demo.sh --device vulkan:1    on one device; arguments go to the program, --help lists them
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh --demo
cmake --preset demo
cmake --build --preset demo
echo
build/demo/examples/mesh_and_image/mesh_and_image --out build/demo/weft-demo.png "$@"
