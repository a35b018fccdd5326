#!/usr/bin/env bash
# Sets up, builds and passes all tests; CI runs this and nothing else.
#
#   scripts/test.sh            everything, about an hour on two cores
#   scripts/test.sh -R scan    arguments go to ctest, here: only the tests whose names match
#
# Three builds: build/ci with warnings as errors, on every driver; build/asan under AddressSanitizer and
# UndefinedBehaviorSanitizer; build/fuzz with libFuzzer, for a minute, when everything is tested. For a GPU of this
# machine, see tests/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/ccache}  # who runs this may have no home to write to

scripts/setup.sh </dev/null
cmake --preset ci -DWEFT_TEST_REQUIRE_DRIVERS=ON "$launcher"
cmake --build --preset ci --parallel "$jobs"
cmake --preset asan -DWEFT_TEST_REQUIRE_DRIVERS=ON -DWEFT_BUILD_EXAMPLES=OFF "$launcher"
cmake --build --preset asan --parallel "$jobs"

# Both run whatever the first one says, so that one run shows all that is wrong.
status=0
for preset in ci asan; do
  echo "== tests of the $preset build"
  ctest --preset "$preset" --no-tests=error --parallel "$jobs" "$@" </dev/null || status=$?
done
if [[ $# == 0 ]]; then
  echo "== a minute of fuzzing"
  cmake --preset fuzz "$launcher" && cmake --build --preset fuzz --parallel "$jobs" &&
    ctest --preset fuzz --no-tests=error </dev/null || status=$?
fi
exit "$status"
