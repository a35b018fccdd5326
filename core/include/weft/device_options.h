#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weft/api.h>
#include <weft/kernel_cache.h>
#include <weft/messages.h>
#include <weft/pack.h>
#include <weft/tuning.h>

namespace weft {

class PlanRecorder;

/// Files to load instead of the vendors' libraries: paths, or names that the system's loader finds. An empty member
/// stands for the usual names (docs/devices.md). Files that other users can write are refused. nvrtc, hiprtc and comgr
/// are opened when a kernel has to be compiled. Libraries stay loaded until the process ends, because drivers do not
/// survive unloading.
struct WEFT_API DriverLibraries {
  std::string cuda_driver;  ///< Instead of libcuda.so.1.
  std::string nvrtc;        ///< Instead of libnvrtc.so.13 or .12.
  std::string hip_driver;   ///< Instead of libamdhip64.so.7, .6 or .5.
  std::string hiprtc;       ///< Instead of the libhiprtc.so of the HIP runtime's version.
  std::string comgr;        ///< Instead of libamd_comgr.so.3 or .2, where hipRTC is not linked with it.

  /// The values of WEFT_CUDA_DRIVER, WEFT_NVRTC, WEFT_HIP_DRIVER, WEFT_HIPRTC and WEFT_COMGR.
  static DriverLibraries from_environment();
};

/// How a device is opened. A plain value. `DeviceOptions{}` reads nothing from the environment: no cache, no packs, no
/// tuning. To change one of the usual settings, start from from_environment():
///
///     auto options = weft::DeviceOptions::from_environment();
///     options.timeout = std::chrono::seconds(5);
struct WEFT_API DeviceOptions {
  /// How long a wait may take before it throws Error(timeout). Closing a stream waits for its work too; the time of
  /// waits on the stream that ended in a timeout is subtracted.
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  /// Checks every call to Vulkan with the Khronos validation layer, synchronization validation included. open_device()
  /// throws unsupported when the layer is not installed. Other backends have no such layer and report a warning.
  bool validation = false;
  /// Stores compiled kernels; null: no cache. Devices may share one.
  std::shared_ptr<KernelCache> cache;
  /// Kernels compiled ahead of time. The device takes a kernel from the first pack that has it, and looks in the cache
  /// only for others, and for the pipelines of Vulkan's drivers, which no pack has.
  std::vector<Pack> packs;
  /// Is told of each plan and kernel that is made, to list them for a pack (weft/plan_recorder.h); null: nobody is.
  std::shared_ptr<PlanRecorder> recorder;
  /// Tuning of plans on this device that have no tuning of their own. What has no entries here takes those of the pack
  /// that serves the device, else the defaults.
  Tuning tuning;
  /// Receives messages about this device; empty: they are printed to stderr.
  MessageCallback messages;
  /// The C++ compiler that the host device calls: a program, or a program and its arguments ("ccache g++"). Empty: the
  /// first of c++, g++ and clang++ on the PATH.
  std::string compiler;
  /// How many streams of a Vulkan device of Weft's own may run side by side, as far as its driver has queues; further
  /// ones take turns with them. At least 1. A queue takes time to open: 25 ms with NVIDIA's driver 580, and 10 ms to
  /// close. Other backends and wrapped devices have no such number.
  uint32_t queues = 4;
  DriverLibraries libraries;

  /// The options that open_device() uses by default. Reads these variables:
  ///
  /// | member | from |
  /// |---|---|
  /// | validation | WEFT_VALIDATION: `1` turns it on |
  /// | cache | a folder: WEFT_CACHE_DIR (empty: no cache), else $XDG_CACHE_HOME/weft, else $HOME/.cache/weft |
  /// | packs | WEFT_PACKS: paths, separated by `:`; empty ones are skipped |
  /// | recorder | WEFT_RECORD_PLANS: a list, to which plans and kernels of this process are added (empty: none) |
  /// | tuning | WEFT_TUNING (empty: none), else `tuning` in the folder of the cache, which need not exist |
  /// | compiler | WEFT_CXX, else CXX |
  /// | libraries | see DriverLibraries::from_environment() |
  ///
  /// A folder that WEFT_CACHE_DIR names must be usable, as with KernelCache::in_folder(). A default folder that is not
  /// usable is reported once in a process, as a warning, and kernels are compiled every time.
  ///
  /// Throws what Tuning::read(), Pack::open() and PlanRecorder::to_file() throw. A default tuning file that other users
  /// can change is not read; one warning in a process, on stderr, says so.
  static DeviceOptions from_environment();
};

}  // namespace weft
