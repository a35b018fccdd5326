# WEFT_BACKENDS lists the backends to build, in any order; empty: all that can be built. open_device("") prefers them in
# the order given here.
set(WEFT_KNOWN_BACKENDS cuda hip vulkan host)

# Each backend's dependencies. WEFT_MISSING_<backend> says what to install, or is empty if nothing is missing. CUDA, HIP
# and Vulkan need only headers: their libraries are opened at run time.
#
# weft_find_headers(<variable> <header> <root> <environment> <folder>...)
# If the user sets <root>, the header is searched only there, and again whenever <root> changes. Otherwise environment
# variables and the folders are searched too.
macro(weft_find_headers variable header root environment)
  if(DEFINED ${variable}_ROOT AND NOT "${${variable}_ROOT}" STREQUAL "${${root}}")
    unset(${variable} CACHE)
  endif()
  set(${variable}_ROOT "${${root}}" CACHE INTERNAL "Where ${header} was searched")
  if("${${root}}" STREQUAL "")
    find_path(${variable} NAMES ${header} HINTS ENV ${root} ENV ${environment} PATHS ${ARGN} PATH_SUFFIXES include)
  else()
    find_path(${variable} NAMES ${header} PATHS ${${root}} PATH_SUFFIXES include NO_DEFAULT_PATH)
  endif()
endmacro()
weft_find_headers(WEFT_CUDA_INCLUDE_DIR cuda.h CUDAToolkit_ROOT CUDA_PATH /usr/local/cuda /opt/cuda)
weft_find_headers(WEFT_HIP_INCLUDE_DIR hip/hip_runtime_api.h ROCM_PATH HIP_PATH /opt/rocm)
find_package(Vulkan QUIET)
set(Boost_USE_STATIC_LIBS ON)
find_package(boost_context 1.74 QUIET CONFIG)
if(NOT boost_context_FOUND)  # a Boost without static libraries
  set(Boost_USE_STATIC_LIBS OFF)
  find_package(boost_context 1.74 QUIET CONFIG)
endif()
set(WEFT_BOOST_STATIC ${Boost_USE_STATIC_LIBS})

set(WEFT_MISSING_cuda "")
if(NOT WEFT_CUDA_INCLUDE_DIR OR NOT EXISTS ${WEFT_CUDA_INCLUDE_DIR}/nvrtc.h)
  set(where "")
  if(CUDAToolkit_ROOT)
    set(where " in CUDAToolkit_ROOT=${CUDAToolkit_ROOT}")
  endif()
  string(CONCAT WEFT_MISSING_cuda "cuda.h and nvrtc.h were not found${where}. Install NVIDIA's CUDA toolkit 12 or 13, "
    "or give its location with -DCUDAToolkit_ROOT=<folder>.")
else()
  file(STRINGS ${WEFT_CUDA_INCLUDE_DIR}/cuda.h version REGEX "^#define CUDA_VERSION [0-9]+")
  string(REGEX MATCH "[0-9]+" version "${version}")
  if(version LESS 12000)
    string(CONCAT WEFT_MISSING_cuda "${WEFT_CUDA_INCLUDE_DIR}/cuda.h has version ${version}, but Weft needs 12000 or "
      "later. Install NVIDIA's CUDA toolkit 12 or 13, and give its location with -DCUDAToolkit_ROOT=<folder>.")
  endif()
endif()
set(WEFT_MISSING_hip "")
if(NOT WEFT_HIP_INCLUDE_DIR)
  set(where "")
  if(ROCM_PATH)
    set(where " in ROCM_PATH=${ROCM_PATH}")
  endif()
  string(CONCAT WEFT_MISSING_hip "hip/hip_runtime_api.h was not found${where}. Install libamdhip64-dev (Debian), or "
    "give the location of ROCm with -DROCM_PATH=<folder>.")
endif()
set(WEFT_MISSING_vulkan "")
if(NOT Vulkan_FOUND)
  set(WEFT_MISSING_vulkan
    "Vulkan's headers were not found. Install libvulkan-dev (Debian), or install the Vulkan SDK and set VULKAN_SDK.")
endif()
set(WEFT_MISSING_host "")
if(NOT boost_context_FOUND AND NOT WIN32)
  set(WEFT_MISSING_host "Boost.Context 1.74 or later was not found. Install libboost-context-dev (Debian).")
endif()

set(possible "")
foreach(backend IN LISTS WEFT_KNOWN_BACKENDS)
  if(NOT WEFT_MISSING_${backend})
    list(APPEND possible ${backend})
  endif()
endforeach()
set(WEFT_BACKENDS "" CACHE STRING "Backends to build, a list of: ${WEFT_KNOWN_BACKENDS}; empty: all that can be built")
set(chosen "${WEFT_BACKENDS}")
if(NOT chosen)
  set(chosen "${possible}")
endif()

if(NOT chosen)
  set(message "None of Weft's backends can be built.")
  foreach(backend IN LISTS WEFT_KNOWN_BACKENDS)
    if(WEFT_MISSING_${backend})
      string(APPEND message "\n${backend}: ${WEFT_MISSING_${backend}}")
    endif()
  endforeach()
  message(FATAL_ERROR "${message}")
endif()
foreach(backend IN LISTS chosen)
  if(NOT backend IN_LIST WEFT_KNOWN_BACKENDS)
    message(FATAL_ERROR
      "WEFT_BACKENDS names '${backend}', which Weft does not have; its backends are: ${WEFT_KNOWN_BACKENDS}")
  endif()
  if(WEFT_MISSING_${backend})
    message(FATAL_ERROR "WEFT_BACKENDS names '${backend}', which cannot be built: ${WEFT_MISSING_${backend}}")
  endif()
endforeach()
set(WEFT_BACKENDS "")
foreach(backend IN LISTS WEFT_KNOWN_BACKENDS)
  if(backend IN_LIST chosen)
    list(APPEND WEFT_BACKENDS ${backend})
    message(STATUS "Backend ${backend}: built in")
  elseif(WEFT_MISSING_${backend})
    message(STATUS "Backend ${backend}: left out. ${WEFT_MISSING_${backend}}")
  else()
    message(STATUS "Backend ${backend}: left out, not named in WEFT_BACKENDS")
  endif()
endforeach()

set(WEFT_DEFAULT_DEVICE "" CACHE STRING
  "Selector of the device that open_device(\"\") opens, e.g. vulkan:nvidia, host:subgroup=64; empty: the best one")
if(NOT WEFT_DEFAULT_DEVICE STREQUAL "")
  string(REGEX REPLACE ":.*" "" backend "${WEFT_DEFAULT_DEVICE}")
  if(NOT backend IN_LIST WEFT_BACKENDS)
    message(FATAL_ERROR "WEFT_DEFAULT_DEVICE is '${WEFT_DEFAULT_DEVICE}', but this build has no backend '${backend}'; "
      "it has: ${WEFT_BACKENDS}")
  endif()
endif()

# Writes the source that defines weft::backend::built_in_backends() and default_device() for this configuration.
function(weft_write_backend_registry file)
  set(declarations "")
  set(entries "")
  foreach(backend IN LISTS WEFT_BACKENDS)
    string(APPEND declarations "const Backend& ${backend}_backend();\n")
    list(APPEND entries "&${backend}_backend()")
  endforeach()
  list(JOIN entries ", " entries)
  file(CONFIGURE OUTPUT ${file} CONTENT [=[
#include "core/src/runtime/backend.h"

namespace weft::backend {

@declarations@
std::span<const Backend* const> built_in_backends() {
  static const Backend* const backends[] = {@entries@};
  return backends;
}

const char* default_device() { return R"selector(@WEFT_DEFAULT_DEVICE@)selector"; }

}  // namespace weft::backend
]=] @ONLY)
endfunction()
