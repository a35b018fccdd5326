#!/usr/bin/env bash
# Runs all tests that need a GPU, on a machine that has a GPU but does not build Weft, and prints a table.
#
#   scripts/gpu_suite.sh pack [BUILD] [ARCHIVE]     on the build machine: packs the programs of BUILD (build/ci) into an
#                                                   archive (gpu-suite.tar.xz, about 30 MB)
#   tar -xf gpu-suite.tar.xz && gpu-suite/gpu_suite.sh run [STEP...]     on the GPU machine
#
# Steps (default: all): cuda, vulkan, hip (each backend's suites), sanitizer (NVIDIA's compute-sanitizer on the
# algorithms), bench. The step hip runs on an NVIDIA GPU, through the tests' own libamdhip64 over the CUDA driver and
# NVRTC. It tests Weft's host code for HIP and wave32 kernels, but not AMD's GPUs, their wave64 or their memory. The
# exit status is nonzero if a suite failed, timed out or printed no result. Logs go to $LOGS (./gpu-suite-logs). Needs
# NVRTC, a C++ compiler for the corpus, and a Vulkan loader and driver for vulkan.
set -euo pipefail

programs=(conformance/conformance conformance/several_devices conformance/cache algorithms/algorithms
          algorithms/persistent/persistent translate/translate_corpus translate/divergence_fuzz cuda/cuda_tests
          interop/cuda_interop interop/cuda_runtime_interop interop/cuda_vulkan_interop)

pack() {
  local build=${1:-build/ci} archive=${2:-gpu-suite.tar.xz} folder
  if grep -q '^CMAKE_CUDA_COMPILER:' "$build/CMakeCache.txt"; then
    cmake --build "$build" --target cuda_runtime_interop
  fi
  folder=$(mktemp -d)
  mkdir "$folder/gpu-suite"
  for program in "${programs[@]}"; do
    if [[ -e $build/tests/$program ]]; then
      strip -o "$folder/gpu-suite/$(basename "$program")" "$build/tests/$program"
    fi
  done
  strip -o "$folder/gpu-suite/weft" "$build/tools/weft"
  strip -o "$folder/gpu-suite/cold_start" "$build/bench/cold_start"
  if [[ -e $build/tools/libweft_cub_peer.so ]]; then cp "$build/tools/libweft_cub_peer.so" "$folder/gpu-suite/"; fi
  strip -o "$folder/gpu-suite/libhip_on_cuda.so" "$(find "$build/tests" -name libhip_on_cuda.so -print -quit)"
  cp "${BASH_SOURCE[0]}" "$folder/gpu-suite/gpu_suite.sh"
  tar -C "$folder" -cJf "$archive" gpu-suite
  rm -rf "$folder"
  du -h "$archive"
}

row() { printf '%-10s %-22s %8s %8s %12s %8s  %s\n' "$@"; }

# suite BACKEND NAME COMMAND...: runs the command, and adds its last line to the table. Parts of a suite share a cache.
suite() {
  local backend=$1 name=$2 log=$logs/$1-$2.txt start=$SECONDS status=0
  shift 2
  WEFT_CACHE_DIR=$caches/$backend-${name%%-*} timeout "${LIMIT:-500}" "$@" >"$log" 2>&1 || status=$?
  local words
  words=$(sed -nE 's/^\[weft\] ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) unsupported.*/\1 \2 \3/p
    s/^([0-9]+) programs ran, ([0-9]+) failed.*/\1 \2 0/p' "$log" | tail -1)
  # shellcheck disable=SC2086
  set -- ${words:-? ? ?}
  row "$backend" "$name" "$1" "$2" "$3" "$((SECONDS - start)) s" \
    "$( ((status == 0)) || echo "exit status $status")" >>"$logs/table.txt"
  grep -hE '^\[weft\] unsupported: ' "$log" | sort -u >>"$logs/unsupported.txt" || true
}

# Runs in several processes, each of which compiles one kernel at a time. All use the same shuffled order, so that they
# end at about the same time.
algorithms() {
  local backend=$1 parts=8 filters=(-d -sfe='*/large_counts.cpp' -ob=rand -rs=1) tests part
  tests=$(./algorithms "${filters[@]}" --count | sed -n 's/.*filters: //p') || true  # the suites report why
  for ((part = 0; part < parts; ++part)); do
    suite "$backend" "algorithms-$((part + 1))-of-$parts" \
      ./algorithms "${filters[@]}" --first=$((tests * part / parts + 1)) --last=$((tests * (part + 1) / parts)) &
  done
}

# Counts above 2^32 take most of a GPU's memory.
large_counts() { suite "$1" algorithms-large ./algorithms -d -sf='*/large_counts.cpp'; }

suites() {
  local backend=$1 devices=$WEFT_TEST_DEVICES
  suite "$backend" conformance ./conformance -d  # runs alone: a busy GPU would disturb its tests of time-outs
  suite "$backend" persistent ./persistent -d    # alone too: its workgroups must all run at once
  algorithms "$backend"
  for name in cache translate_corpus; do suite "$backend" $name ./$name & done
  suite "$backend" divergence_fuzz ./divergence_fuzz --device "$devices" --count "${DIVERGENCE:-300}" &
  if [[ $backend != hip ]]; then
    WEFT_TEST_DEVICES="$devices,host" suite "$backend" several_devices ./several_devices &
  fi
  if [[ $backend == cuda ]]; then
    for name in cuda_interop cuda_runtime_interop cuda_vulkan_interop; do suite cuda $name ./$name & done
    suite cuda trap ./cuda_tests "-tc=a kernel that traps*" &
  fi
}

# on BACKEND FUNCTION: calls the function with the backend's name and environment.
on() {
  case $1 in
    cuda) export WEFT_TEST_DEVICES=cuda ;;
    vulkan) export WEFT_TEST_DEVICES=vulkan:nvidia ;;
    hip) export WEFT_TEST_DEVICES=hip WEFT_HIP_DRIVER=$PWD/libhip_on_cuda.so WEFT_HIPRTC=$PWD/libhip_on_cuda.so ;;
  esac
  "$2" "$1"
  wait
}

# If compute-sanitizer finds an error, the exit status is 99.
sanitizer() {
  export WEFT_TEST_DEVICES=cuda
  local parts=("*/scan/scan.cpp" "*/reduce/reduce.cpp" "*/compact.cpp" "*/enqueue.cpp,*/base/plans.cpp,*/base/errors.cpp")
  for tool in memcheck racecheck; do
    for part in 0 1 2 3; do
      suite cuda "$tool-$((part + 1))-of-4" compute-sanitizer --tool "$tool" --error-exitcode 99 \
        ./algorithms "-sf=${parts[part]}" &
    done
  done
}

run() {
  cd "$(dirname "${BASH_SOURCE[0]}")"
  local steps=("$@")
  if ((${#steps[@]} == 0)); then steps=(cuda vulkan hip sanitizer bench); fi
  wants() { [[ " ${steps[*]} " == *" $1 "* ]]; }
  logs=${LOGS:-$PWD/../gpu-suite-logs}
  caches=$(mktemp -d)
  mkdir -p "$logs"
  : >"$logs/table.txt"
  : >"$logs/unsupported.txt"
  ./weft devices >"$logs/devices.txt" 2>&1 || true
  for backend in cuda vulkan hip; do
    if wants $backend; then (on $backend suites) & fi
  done
  wait
  for backend in cuda vulkan hip; do
    if wants $backend; then (on $backend large_counts); fi
  done
  if wants sanitizer; then (sanitizer; wait); fi
  if wants bench; then
    local peer=()
    if [[ -e libweft_cub_peer.so ]]; then peer=(--peer cub); fi
    for device in cuda vulkan:nvidia; do
      WEFT_CACHE_DIR=$caches/bench ./weft bench copy reduce scan compact --device $device --sizes 2^16,2^20,2^24,2^28 \
        "${peer[@]}" 2>&1 | tee -a "$logs/bench.txt"
    done
    WEFT_CACHE_DIR=$caches/bench ./cold_start cuda 20 2>&1 | tee -a "$logs/bench.txt"
  fi
  rm -rf "$caches"
  echo
  row backend suite passed failed unsupported time ""
  sort "$logs/table.txt"
  echo
  sort -u "$logs/unsupported.txt"
  ! grep -E 'exit status|\?' "$logs/table.txt" >/dev/null
}

case "${1:-}" in
  pack) shift; pack "$@" ;;
  run) shift; run "$@" ;;
  *) sed -n '2,13p' "${BASH_SOURCE[0]}"; exit 1 ;;
esac
