#!/usr/bin/env bash
# Configures, builds and tests Weft with subsets of its backends, each in its own folder in build/subsets/.
#
#   scripts/test_subsets.sh                     every backend alone, and two unusual pairs
#   scripts/test_subsets.sh "cuda;vulkan" host  the given subsets
#   SUBSET_TESTS=core scripts/test_subsets.sh   a regular expression for ctest; default: all but the long tests
#
# Building a subset takes minutes. A subset fails if a backend's headers are missing. See tests/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."

subsets=("$@")
if [[ $# == 0 ]]; then subsets=(cuda hip vulkan host "cuda;host" "hip;vulkan"); fi
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
long_drivers="host-(1|4|64|128|schedule|check)|lavapipe-(4|16)|validation"
only=(-E "^(divergence_fuzz.*|translate_.*|vendor_.*|emulated_.*|packaging.*|.*@($long_drivers))$")
if [[ -n "${SUBSET_TESTS:-}" ]]; then only=(-R "$SUBSET_TESTS"); fi

failed=()
for subset in "${subsets[@]}"; do
  folder="build/subsets/${subset//;/-}"
  echo "== $subset"
  if ! { cmake --preset ci -B "$folder" "-DWEFT_BACKENDS=$subset" "${launcher[@]}" &&
         cmake --build "$folder" --parallel "$(nproc)" &&
         ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" "${only[@]}" \
           </dev/null; }; then
    failed+=("$subset")
  fi
done
if [[ ${#failed[@]} != 0 ]]; then
  echo "failed: ${failed[*]}"
  exit 1
fi
echo "every subset passed: ${subsets[*]}"
