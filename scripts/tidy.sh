#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy. Takes some ten seconds a file, so CI leaves it out.
#
#   scripts/tidy.sh [FILE...]     these sources; without any, those that changed since the last commit
#   scripts/tidy.sh --all         every source of core, backends, algorithms, c, python, support, bench and tools that
#                                 build/default compiles: not those for Windows, for a build without compilers, or with
#                                 peers that are not installed; of python/ with -DWEFT_PYTHON=ON
#
# Needs clang-tidy 19 or later, such as the package clang-tidy-19 (version 14 does not compile GCC 12's ranges) and a
# configured build/default (cmake --preset default), which has a command for each source.
set -euo pipefail
cd "$(dirname "$0")/.."

tidy=
for version in 19 20 21 22; do
  if tidy=$(command -v "clang-tidy-$version"); then break; fi
done
if [[ -z $tidy ]]; then
  echo "tidy.sh: neither clang-tidy-19 nor a later one is found; install the package clang-tidy-19" >&2
  exit 2
fi
if [[ ! -e build/default/compile_commands.json ]]; then
  echo "tidy.sh: build/default/compile_commands.json is not there; run cmake --preset default" >&2
  exit 2
fi

sources=()
case "${1:-}" in
  --all)
    compiled=$(grep -o '"file": "[^"]*"' build/default/compile_commands.json | cut -d '"' -f 4)
    mapfile -t sources < <(git ls-files '*.cpp' | grep -E '^(core|backends|algorithms|c|python|support|bench|tools)/' |
      sed "s|^|$PWD/|" | grep -F -x "$compiled" | sort -u)
    ;;
  "") mapfile -t sources < <(git diff --name-only --diff-filter=d HEAD -- '*.cpp') ;;
  *) sources=("$@") ;;
esac
if [[ ${#sources[@]} == 0 ]]; then
  echo "tidy.sh: no source has changed since the last commit; name files, or --all" >&2
  exit 0
fi
printf '%s\n' "${sources[@]}" | xargs -n 1 -P "$(nproc)" "$tidy" --quiet --warnings-as-errors='*' -p build/default
