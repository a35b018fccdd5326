#!/usr/bin/env bash
# Formats C++ and CUDA sources with clang-format 19, and checks the line lengths of shaders and Markdown (120 columns).
#
#   scripts/format.sh            formats in place, then checks
#   scripts/format.sh --check    changes nothing; the exit status is 1 if something is not formatted. CI runs this.
#
# Markdown tables, code blocks and single long words (links) may be longer. Looks at the files that git tracks.
set -euo pipefail
cd "$(dirname "$0")/.."

check=false
case "${1:-}" in
  --check) check=true ;;
  "") ;;
  *) echo "format.sh: unknown argument '$1'; the only argument is --check" >&2; exit 2 ;;
esac

# Debian 12 and 13 and Ubuntu 24.04 have this version. Others break lines elsewhere: 14 in 57 files.
formatter=
for candidate in clang-format-19 clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q ' version 19\.'; then formatter=$candidate; break; fi
done
if [[ -z $formatter ]]; then
  echo "format.sh: clang-format 19 is not found; install the package clang-format-19 (scripts/setup.sh does)" >&2
  exit 2
fi

options=(-i)
if [[ $check == true ]]; then options=(--dry-run --Werror -ferror-limit=1); fi
status=0
git ls-files -z '*.cpp' '*.h' '*.cu' | xargs -0 -n 40 -P "$(nproc)" "$formatter" "${options[@]}" || status=1

# Reports FILE:LINE for each line of more than 120 characters.
long_lines() {
  LC_ALL=C.UTF-8 awk '
    FNR == 1 { code = 0 }
    FILENAME ~ /\.md$/ && /^ *```/ { code = !code }
    length($0) <= 120 { next }
    FILENAME ~ /\.md$/ && (code || /^ *\|/ || /^ *[^ ]+$/ || /^    /) { next }
    { printf "%s:%d: %d characters; 120 are allowed\n", FILENAME, FNR, length($0); found = 1 }
    END { exit found }' "$@"
}
mapfile -t texts < <(git ls-files '*.glsl' '*.comp' '*.md')
long_lines "${texts[@]}" || status=1

if ((status != 0)); then
  echo "format.sh: not formatted; run scripts/format.sh, and break the long lines named above by hand" >&2
fi
exit "$status"
