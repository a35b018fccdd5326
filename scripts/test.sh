#!/usr/bin/env bash
# Installs packages, builds Weft and runs the tests. CI runs this without arguments, and nothing else.
#
#   scripts/test.sh               what a change must pass before it is committed: the tests, scripts/format.sh --check
#   scripts/test.sh -R scan       arguments go to ctest; here: only tests whose names match
#   scripts/test.sh --full        every test on every driver, a minute of fuzzing, and Debian 13 where that can be run
#   scripts/test.sh --full 1/4    the first of four parts of that; each part can be repeated alone
#
# There are two builds: build/ci, with warnings as errors, runs on every driver; build/asan runs under AddressSanitizer
# and UndefinedBehaviorSanitizer. --full adds build/fuzz, with libFuzzer. tests/README.md lists the tests of each run.
# One seed chooses a run's random inputs and samples: WEFT_TEST_SEED, or a new one, which is printed.
set -euo pipefail
cd "$(dirname "$0")/.."

full=OFF part=1 parts=1
if [[ "${1:-}" == --full ]]; then
  full=ON
  shift
  if [[ "${1:-}" =~ ^([1-9][0-9]?)/([1-9][0-9]?)$ ]]; then
    part=${BASH_REMATCH[1]} parts=${BASH_REMATCH[2]}
    shift
    if ((part > parts)); then echo "test.sh: there is no part $part of $parts" >&2; exit 1; fi
  fi
fi

jobs=$(nproc)
umask 022                                           # Weft does not load what everybody can write
export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/ccache}  # who runs this may have no home to write to
export CCACHE_NOHASHDIR=1                           # both builds compile the tests alike
export CCACHE_DEPEND=1                              # nothing is preprocessed twice
export WEFT_TEST_SEED=${WEFT_TEST_SEED:-$((RANDOM << 30 | RANDOM << 15 | RANDOM))}
options=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DWEFT_TEST_REQUIRE_DRIVERS=ON "-DWEFT_TEST_FULL=$full")

say() { printf '== %(%H:%M:%S)T %s\n' -1 "$*"; }

if [[ $full == ON ]]; then scripts/setup.sh --full; else scripts/setup.sh; fi </dev/null
scripts/setup_python.sh
say "WEFT_TEST_SEED=$WEFT_TEST_SEED"
python=(-DWEFT_PYTHON=ON "-DPython_EXECUTABLE=$PWD/build/python/bin/python")
for preset in ci asan; do
  say "building build/$preset"
  export CCACHE_BASEDIR=$PWD/build/$preset          # both name CMake's unity sources alike
  cmake --preset "$preset" "${options[@]}" "-DWEFT_SANITIZE_PROGRAMS=$full" "${python[@]}"
  python=()                                         # a sanitized module needs a sanitized Python
  cmake --build --preset "$preset" --parallel "$jobs"
done

# What follows a failure still runs, so that one run shows all failures; the last line names them.
failed=()
scripts/format.sh --check || failed+=("the format")
for preset in ci asan; do
  say "tests of build/$preset"
  ctest --preset "$preset" --no-tests=error --parallel "$jobs" -I "$part,,$parts" "$@" </dev/null ||
    failed+=("tests of build/$preset")
done
if [[ $full == ON && $part == "$parts" && $# == 0 ]]; then
  say "a minute of fuzzing"
  { cmake --preset fuzz "${options[@]}" && cmake --build --preset fuzz --parallel "$jobs" &&
    ctest --preset fuzz --no-tests=error </dev/null; } || failed+=("fuzzing")
  say "Debian 13"
  scripts/test_debian13.sh </dev/null || failed+=("Debian 13")
fi
if ((${#failed[@]} > 0)); then
  say "failed: $(IFS=,; echo "${failed[*]}")"
  exit 1
fi
say passed
