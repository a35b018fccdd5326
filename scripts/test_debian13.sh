#!/usr/bin/env bash
# Builds Weft on Debian 13 with warnings as errors, and runs `conformance` there: on the host device, on lavapipe, and
# under the validation layer. scripts/test.sh --full calls this.
#
#   scripts/test_debian13.sh                  takes some ten minutes on two cores the first time
#   scripts/test_debian13.sh -R conformance   arguments go to ctest instead of the choice above
#
# The system is a debootstrap in build/debian13 (2.5 GB), from the mirror that this machine's apt uses. It stays, with a
# compiler cache, for the next run. Needs Debian, root, mounts and apt's network; says so where one is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'debian13: %s\n' "$*"; }
left_out() { say "left out: $*"; exit 0; }

root=$PWD/build/debian13 suite=trixie
arguments=("$@")
if [[ $# == 0 ]]; then arguments=(-R '^conformance@(host-lanes|host-check|lavapipe-8|validation)$'); fi

[[ $(id -u) == 0 ]] || left_out "it needs root"
command -v debootstrap >/dev/null || left_out "it needs debootstrap (scripts/setup.sh --full)"
unshare --mount true 2>/dev/null || left_out "this machine gives no mounts of its own (unshare --mount)"
. /etc/os-release
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' "Release: ${VERSION_CODENAME:-}" \
  "Component: main" "Identifier: Packages" | head -n 1)
[[ ${ID:-} == debian && -n $mirror ]] || left_out "apt's sources have no mirror of Debian"

if [[ ! -e $root/complete ]]; then
  say "installing Debian 13 in build/debian13"
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { say "debootstrap failed; its output is in build/debian13.log" >&2; exit 1; }
  mkdir -p "$root/weft" "$root/weft-build"
  touch "$root/complete"
fi

# The tree is mounted at /weft, with a build folder of this system's own.
unshare --mount bash -s -- "$root" "$PWD" "$(nproc)" "${arguments[@]}" <<'INSIDE'
set -euo pipefail
root=$1 tree=$2 jobs=$3
shift 3
mount --bind "$tree" "$root/weft"
mount --bind "$root/weft-build" "$root/weft/build"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  CCACHE_DIR=/weft/build/ccache CCACHE_BASEDIR=/weft/build/ci CCACHE_DEPEND=1 bash -euc '
    cd /weft
    umask 022
    scripts/setup.sh
    cmake --preset ci -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DWEFT_TEST_REQUIRE_DRIVERS=ON
    cmake --build --preset ci --parallel "$0" --target weft conformance
    ctest --preset ci --no-tests=error --parallel "$0" "$@"' "$jobs" "$@" </dev/null
INSIDE
say passed
