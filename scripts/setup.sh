#!/usr/bin/env bash
# Installs the packages for Weft's build and tests. Safe to run again. Needs root (or sudo) only if one is missing.
#
#   scripts/setup.sh --demo     packages for scripts/demo.sh
#   scripts/setup.sh            also those for scripts/test.sh
#   scripts/setup.sh --full     also those for scripts/test.sh --full, and the source of Zstandard from PyPI
#   scripts/setup.sh --list [--demo|--full]     lists the packages for this system, and stops
#
# Debian 12 and 13 have all of them. Ubuntu 24.04 lacks SwiftShader: its Chromium is a snap. To list another system's
# packages, set WEFT_OS_RELEASE to a file that replaces /etc/os-release.
set -euo pipefail

demo=(g++ cmake ninja-build git pkg-config
      libvulkan-dev                     # headers, and the loader, which is opened at run time
      mesa-vulkan-drivers               # lavapipe
      glslang-dev glslang-tools         # GLSL -> SPIR-V, at run time and at build time
      spirv-tools spirv-headers         # validation, assembly
      libspirv-cross-c-shared-dev       # reflection
      libboost-context-dev              # fibers of the host device, which also needs g++ at run time
      libxxhash-dev                     # cache keys and checksums
      libzstd-dev                       # packs are compressed
      libcli11-dev libstb-dev libtinyobjloader-dev
      glmark2-data fonts-dejavu-core)   # the demo's mesh, image and font
tests=(ccache doctest-dev
       libtbb-dev                       # weft bench --peer cpp
       libhwy-dev                       # weft bench --peer vqsort (2 MB)
       nlohmann-json3-dev               # the weft command
       gnuplot-nox                      # weft bench --plot
       python3-dev python3-venv         # the Python package; scripts/setup_python.sh installs the rest
       libglfw3-dev                     # the window of examples/engine (2 MB)
       clang-format-19                  # scripts/format.sh
       libamdhip64-dev                  # HIP's headers; the library is opened at run time
       libamdhip64-5                    # hipRTC, which compiles for AMD without a GPU (80 MB)
       clang-19                         # for AMD's newer GPUs, which that hipRTC does not know (250 MB)
       chromium-common                  # SwiftShader
       vulkan-validationlayers)
full=(libclang-rt-19-dev                # libFuzzer, for the translator
      debootstrap                       # scripts/test_debian13.sh
      g++-aarch64-linux-gnu qemu-user   # kernels of the host device for AArch64 (250 MB)
      g++-mingw-w64-x86-64-posix        # Windows
      wine wine64 xvfb                  # which runs programs for it, given a display (600 MB)
      rustc mono-mcs mono-runtime       # examples/c in Rust and C# (400 MB)
      pocl-opencl-icd ocl-icd-opencl-dev # weft bench --peer pocl (250 MB)
      python3-pip                       # Zstandard's source, below
      dpkg-dev file lintian)            # Debian's packages of Weft
# Debian has no Zstandard for Windows, and no package with its source. That of Python's module has it as one file.
zstd=zstandard==0.25.0 zstd_folder=/usr/local/src/zstd

. "${WEFT_OS_RELEASE:-/etc/os-release}"
say() { printf 'setup: %s\n' "$*"; }

list=false
if [[ "${1:-}" == --list ]]; then list=true; shift; fi
case "${1:-}" in
  --demo) packages=("${demo[@]}") ;;
  --full) packages=("${demo[@]}" "${tests[@]}" "${full[@]}") ;;
  "") packages=("${demo[@]}" "${tests[@]}") ;;
  *) say "unknown argument '$1'; use --list, --demo or --full" >&2; exit 1 ;;
esac
system=${ID:-}:${VERSION_ID:-}
if [[ $system == ubuntu:24.04 ]]; then
  for i in "${!packages[@]}"; do if [[ ${packages[i]} == chromium-common ]]; then unset "packages[i]"; fi; done
fi
if [[ $list == true ]]; then printf '%s\n' "${packages[@]}"; exit 0; fi
if ! command -v apt-get >/dev/null; then
  say "${PRETTY_NAME:-this system} has no apt-get; install these packages yourself: ${packages[*]}" >&2
  exit 1
fi

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "installing needs root, but there is no sudo; run scripts/setup.sh as root once" >&2
    exit 1
  fi
}
apt() { as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get "$@"; }
# Prints how far apt is, a line for every tenth package; errors go to stderr. (mawk would hold the lines back until apt
# ends.)
show_progress() {
  local line word total=0 fetched=0 unpacked=0
  while IFS= read -r line; do
    case $line in
      *" newly installed, "*)
        read -ra word <<<"$line"
        total=$((word[0] + word[2])) ;;
      "Need to get "*) say "downloading ${line#Need to get }" ;;
      Get:*) if ((++fetched % 10 == 0)); then say "$fetched of $total packages downloaded"; fi ;;
      "Unpacking "*)
        if ((++unpacked % 10 == 0 || unpacked == total)); then say "$unpacked of $total packages unpacked"; fi ;;
    esac
  done
}
install_packages() { apt install -y --no-install-recommends "$@" | show_progress; }
installed() { [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == "install ok installed" ]]; }

# lavapipe computes wrong results before Mesa 23; Debian 12 has 22.3.6.
lavapipe_is_new_enough() {
  installed mesa-vulkan-drivers &&
    dpkg --compare-versions "$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers)" ge 25
}

show_files() {  # prints the files that exist, each followed by a blank line
  local file
  for file in "$@"; do if [[ -f $file ]]; then cat "$file" && echo; fi; done
}
# The backports suite is on the mirror that the machine already uses. So repeats that entry with the suite changed.
backports_like_sources() {  # deb822 files: a paragraph per stanza
  show_files /etc/apt/sources.list.d/*.sources | awk -v RS= -v release="$VERSION_CODENAME" '
    /(^|\n)Enabled:[ \t]*no/ { next }
    {
      lines = split($0, line, "\n"); stanza = ""; types = suites = 0
      for (i = 1; i <= lines; ++i) {
        if (line[i] ~ /^#/) continue
        if (line[i] ~ /^Types:/ && line[i] ~ /[ \t:]deb([ \t]|$)/) types = 1
        if (line[i] ~ /^Suites:/) {
          suites = (line[i] " ") ~ ("[ \t:]" release "[ \t]")
          line[i] = "Suites: " release "-backports"
        }
        stanza = stanza line[i] "\n"
      }
      if (types && suites) { printf "%s", stanza; exit }
    }'
}
backports_like_list() {  # one-line files
  show_files /etc/apt/sources.list /etc/apt/sources.list.d/*.list | awk -v release="$VERSION_CODENAME" '
    $1 == "deb" { for (i = 2; i <= NF; ++i) if ($i == release) { $i = release "-backports"; print; exit } }'
}
add_backports() {
  local list=/etc/apt/sources.list.d/weft-backports entry
  if show_files /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} |
    grep "^[^#]*${VERSION_CODENAME}-backports" >/dev/null; then return; fi
  entry=$(backports_like_sources)
  if [[ -n $entry ]]; then
    list=$list.sources
  elif entry=$(backports_like_list) && [[ -n $entry ]]; then
    list=$list.list
  else
    say "apt's sources have no entry for $VERSION_CODENAME; add ${VERSION_CODENAME}-backports, then run this again" >&2
    exit 1
  fi
  as_root tee "$list" <<<"$entry" >/dev/null
  say "added the suite ${VERSION_CODENAME}-backports in $list, for Mesa 25"
}

case "$system" in
  debian:12|debian:13) ;;
  ubuntu:24.04) say "Ubuntu 24.04 has no package for SwiftShader; its tests are disabled" ;;
  *) say "untested system ${PRETTY_NAME:-unknown}; trying Debian's package names" ;;
esac

needs_mesa=false
if [[ $system == debian:12 ]] && ! lavapipe_is_new_enough; then needs_mesa=true; fi
missing=()
for package in "${packages[@]}"; do
  if installed "$package"; then continue; fi
  if [[ $package == mesa-vulkan-drivers && $needs_mesa == true ]]; then continue; fi
  missing+=("$package")
done
needs_zstd=false
if [[ "${1:-}" == --full && ! -f $zstd_folder/zstd.c ]]; then needs_zstd=true; fi
if [[ ${#missing[@]} == 0 && $needs_mesa == false && $needs_zstd == false ]]; then
  say "everything is installed"
  exit 0
fi

if [[ $needs_mesa == true ]]; then add_backports; fi
say "reading apt's package lists"
apt -qq update >/dev/null
if [[ ${#missing[@]} != 0 ]]; then
  say "installing ${missing[*]}"
  install_packages "${missing[@]}"
fi
if [[ $needs_mesa == true ]]; then
  say "installing mesa-vulkan-drivers from ${VERSION_CODENAME}-backports"
  install_packages -t "${VERSION_CODENAME}-backports" mesa-vulkan-drivers
fi
if [[ $needs_zstd == true ]]; then
  say "downloading the source of $zstd, for Windows"
  download=$(mktemp -d)
  python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$download" "$zstd"
  as_root mkdir -p "$zstd_folder"
  as_root tar -x -C "$zstd_folder" --strip-components 2 --no-same-owner -f "$download"/zstandard-*.tar.gz \
    --wildcards '*/zstd/*'
  rm -r "$download"
fi
say "done"
