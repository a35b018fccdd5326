#!/usr/bin/env bash
# Sets up, builds, and runs Weft on a real mesh and a real image: examples/mesh_and_image. Every answer is checked
# against the CPU, and the picture is build/demo/weft-demo.png.
#
#   scripts/demo.sh                      on every usable device
#   scripts/demo.sh --device vulkan:1    on one; arguments go to the program, --help lists them
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh --demo
cmake --preset demo
cmake --build --preset demo
echo
build/demo/examples/mesh_and_image/mesh_and_image --out build/demo/weft-demo.png "$@"
