#!/usr/bin/env bash
# Installs what Weft builds with and is tested on. Safe to run again; needs root (or sudo) only when a package is missing.
#
#   scripts/setup.sh            install what is missing
#   scripts/setup.sh --list     print the packages and stop
#
# Debian 12 is supported in full. On Ubuntu 24.04 the same packages are installed, with the differences printed below.
set -euo pipefail

build=(g++ cmake ninja-build git pkg-config
       libvulkan-dev                     # headers and the loader that is opened at run time
       glslang-dev glslang-tools         # GLSL -> SPIR-V, at run time and at build time
       spirv-tools spirv-headers         # validation, assembly
       libspirv-cross-c-shared-dev       # reflection
       libxxhash-dev                     # cache keys and checksums
       libcli11-dev nlohmann-json3-dev   # the weft command
       libstb-dev libtinyobjloader-dev libassimp-dev   # the demo's picture and mesh
       gnuplot-nox                       # weft bench --plot
       doctest-dev)
run=(mesa-vulkan-drivers                 # lavapipe
     chromium-common                     # SwiftShader
     vulkan-validationlayers vulkan-tools
     glmark2-data)                       # the demo's mesh and picture

. /etc/os-release
say() { printf 'setup: %s\n' "$*"; }

if [[ "${1:-}" == --list ]]; then printf '%s\n' "${build[@]}" "${run[@]}"; exit 0; fi
if ! command -v apt-get >/dev/null; then
  say "this is ${PRETTY_NAME:-an unknown system} without apt-get; install these yourself: ${build[*]} ${run[*]}" >&2
  exit 1
fi

as_root() { if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi; }
installed() { [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == "install ok installed" ]]; }

# lavapipe before Mesa 23 computes wrong results, and Debian 12's own is 22.3.6.
lavapipe_is_new_enough() {
  installed mesa-vulkan-drivers &&
    dpkg --compare-versions "$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers)" ge 25
}

# The backports suite lives on the mirror that the machine already uses: take its first entry and change the suite.
add_backports() {
  local list=/etc/apt/sources.list.d/weft-backports
  if grep -qrs "${VERSION_CODENAME}-backports" /etc/apt/sources.list /etc/apt/sources.list.d/; then return; fi
  if [[ -f /etc/apt/sources.list.d/debian.sources ]]; then
    awk -v suite="${VERSION_CODENAME}-backports" '
      /^#/ { next } /^$/ { if (seen) exit; next } { seen = 1 }
      /^Suites:/ { print "Suites: " suite; next } { print }' /etc/apt/sources.list.d/debian.sources |
      as_root tee "$list.sources" >/dev/null
  else
    awk -v release="$VERSION_CODENAME" '
      $1 == "deb" { for (i = 1; i <= NF; ++i) if ($i == release) { $i = release "-backports"; print; exit } }' \
      /etc/apt/sources.list | as_root tee "$list.list" >/dev/null
  fi
  say "added the ${VERSION_CODENAME}-backports suite for Mesa 25"
}

case "${ID:-}:${VERSION_ID:-}" in
  debian:12) ;;
  ubuntu:24.04)
    say "Ubuntu 24.04: mesa-vulkan-drivers is new enough once updated; chromium is a snap there and brings no SwiftShader,"
    say "so the tests that require SwiftShader need WEFT_TEST_DEVICES without it."
    run=("${run[@]/chromium-common/}") ;;
  *) say "untested system ${PRETTY_NAME:-unknown}; trying Debian's package names" ;;
esac

missing=()
for package in "${build[@]}" "${run[@]}"; do
  [[ -z "$package" ]] || installed "$package" || missing+=("$package")
done
needs_mesa=false
if [[ "${ID:-}:${VERSION_ID:-}" == debian:12 ]] && ! lavapipe_is_new_enough; then needs_mesa=true; fi

if [[ ${#missing[@]} == 0 && $needs_mesa == false ]]; then say "everything is installed"; exit 0; fi
say "installing: ${missing[*]} $([[ $needs_mesa == true ]] && echo 'mesa-vulkan-drivers (backports)')"
export DEBIAN_FRONTEND=noninteractive
if [[ $needs_mesa == true ]]; then add_backports; fi
as_root apt-get update -qq
if [[ ${#missing[@]} != 0 ]]; then as_root apt-get install -y -qq --no-install-recommends "${missing[@]}"; fi
if [[ $needs_mesa == true ]]; then
  as_root apt-get install -y -qq --no-install-recommends -t "${VERSION_CODENAME}-backports" mesa-vulkan-drivers
fi
say "done"
