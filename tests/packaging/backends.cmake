# Configures Weft with unusual subsets of its backends, and with mistakes that CMake must report. Builds nothing.
cmake_minimum_required(VERSION 3.25)
set(build ${WORK}/build)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_EXAMPLES=OFF
           -DWEFT_BUILD_TESTS=OFF)
# Folders that imitate the vendors' headers, so that none of those are needed.
file(WRITE ${WORK}/cuda/cuda.h "#define CUDA_VERSION 12080\n")
file(WRITE ${WORK}/cuda/nvrtc.h "")
file(WRITE ${WORK}/old/cuda.h "#define CUDA_VERSION 11080\n")
file(WRITE ${WORK}/old/nvrtc.h "")
file(WRITE ${WORK}/hip/hip/hip_runtime_api.h "")
set(cuda -DWEFT_CUDA_INCLUDE_DIR=${WORK}/cuda)
set(old_cuda -DWEFT_CUDA_INCLUDE_DIR=${WORK}/old)
set(no_cuda -DWEFT_CUDA_INCLUDE_DIR=${WORK}/nowhere)
set(hip -DWEFT_HIP_INCLUDE_DIR=${WORK}/hip)
set(no_hip -DWEFT_HIP_INCLUDE_DIR=)
set(no_vulkan -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON)
set(no_host -DCMAKE_DISABLE_FIND_PACKAGE_boost_context=ON)

# configure(works|fails <backends, separated by +, or "default"> <list of texts that CMake must print> <option>...)
function(configure result backends expected)
  set(chosen "")
  if(NOT backends STREQUAL "default")
    string(REPLACE "+" ";" chosen "-DWEFT_BACKENDS=${backends}")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${WEFT_SOURCE} -B ${build} -UWEFT_* -UCUDAToolkit_ROOT -UROCM_PATH -UVulkan_* -Uboost_*
            -UCMAKE_DISABLE_* ${common} ${ARGN}
            "${chosen}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(wrong "")
  if(result STREQUAL "works" AND NOT status EQUAL 0)
    set(wrong " CMake fails;")
  elseif(result STREQUAL "fails" AND status EQUAL 0)
    set(wrong " CMake succeeds;")
  endif()
  string(REGEX REPLACE "[ \n]+" " " words "${output}")  # CMake breaks messages into lines
  foreach(text IN LISTS expected)
    string(FIND "${words}" "${text}" at)
    if(at EQUAL -1)
      string(APPEND wrong " the output lacks '${text}';")
    endif()
  endforeach()
  if(wrong)
    message(FATAL_ERROR "Configured with ${backends} ${ARGN}:${wrong}\n${output}")
  endif()
  message(STATUS "${result}, as it should: ${backends} ${ARGN}")
endfunction()

# Checks that `text` is in the generated registry of backends.
function(registry_has text)
  file(READ ${build}/backends/registry.cpp registry)
  string(FIND "${registry}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "The registry has no '${text}':\n${registry}")
  endif()
endfunction()

configure(works cuda "Backend cuda: built in;Backend vulkan: left out, not named in WEFT_BACKENDS" ${cuda})
registry_has("{&cuda_backend()}")
configure(works hip "Backend hip: built in" ${hip})
registry_has("{&hip_backend()}")
registry_has("R\"selector()selector\"")
configure(works host+vulkan+cuda "Backend host: built in" ${cuda} -DWEFT_DEFAULT_DEVICE=host:subgroup=64,threads=2)
registry_has("{&cuda_backend(), &vulkan_backend(), &host_backend()}")
registry_has("R\"selector(host:subgroup=64,threads=2)selector\"")
configure(works default "Backend cuda: left out. cuda.h and nvrtc.h were not found." ${no_cuda} ${hip} ${no_vulkan})
registry_has("{&hip_backend(), &host_backend()}")

# What is installed after the first time that CMake ran is built in by the next.
configure(works default "Backend hip: left out. hip/hip_runtime_api.h was not found." ${no_hip})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WEFT_SOURCE} -B ${build} ${hip} OUTPUT_QUIET ERROR_QUIET)
registry_has("&hip_backend()")

configure(fails cuda+host "WEFT_BACKENDS names 'cuda', which cannot be built;CUDA toolkit 12 or 13" ${no_cuda})
configure(fails cuda "has version 11080;12000 or later" ${old_cuda})
configure(fails hip+host "WEFT_BACKENDS names 'hip', which cannot be built;libamdhip64-dev" ${no_hip})
configure(fails vulkan "WEFT_BACKENDS names 'vulkan', which cannot be built;libvulkan-dev" ${no_vulkan})
configure(fails host "WEFT_BACKENDS names 'host', which cannot be built;libboost-context-dev" ${no_host})
configure(fails metal+host "WEFT_BACKENDS names 'metal', which Weft does not have")
configure(fails default
  "None of Weft's backends can be built;CUDA toolkit 12 or 13;libamdhip64-dev;libvulkan-dev;libboost-context-dev"
  ${no_cuda} ${no_hip} ${no_vulkan} ${no_host})
configure(fails vulkan "WEFT_DEFAULT_DEVICE is 'cuda:0', but this build has no backend 'cuda'"
  -DWEFT_DEFAULT_DEVICE=cuda:0)

configure(fails cuda+host "not found in CUDAToolkit_ROOT=/nonexistent" -DCUDAToolkit_ROOT=/nonexistent)
configure(works default "Backend cuda: left out;not found in CUDAToolkit_ROOT=/nonexistent"
  -DCUDAToolkit_ROOT=/nonexistent)
configure(works cuda "Backend cuda: built in" -DCUDAToolkit_ROOT=${WORK}/cuda)
configure(fails hip+host "not found in ROCM_PATH=/nonexistent" -DROCM_PATH=/nonexistent)
configure(works hip+cuda "Backend hip: built in" -DROCM_PATH=${WORK}/hip ${cuda})

configure(works host "CMAKE_BUILD_TYPE is empty, so Weft is built without optimisation" -DCMAKE_BUILD_TYPE=)
configure(fails host "Weft cannot be built;install spirv-tools (;install glslang-tools (;install libxxhash-dev ("
  -DCMAKE_DISABLE_FIND_PACKAGE_SPIRV-Tools=ON -DWEFT_GLSLANG_VALIDATOR= -DWEFT_XXHASH_INCLUDE_DIR=)

# Whatever is missing, its package is named, and scripts/setup.sh installs it.
set(without -DWEFT_XXHASH_INCLUDE_DIR= -DWEFT_STB_INCLUDE_DIR= -DWEFT_TEST_GRAMMARS= -DWEFT_TEST_VULKAN_REGISTRY=)
foreach(package SPIRV-Tools SPIRV-Tools-opt glslang spirv_cross_core zstd CLI11 nlohmann_json tinyobjloader doctest)
  list(APPEND without -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
set(packages spirv-tools glslang-dev libspirv-cross-c-shared-dev libzstd-dev libxxhash-dev libcli11-dev libstb-dev
             nlohmann-json3-dev libtinyobjloader-dev doctest-dev spirv-headers libvulkan-dev)
list(TRANSFORM packages REPLACE "(.+)" "install \\1 (Debian" OUTPUT_VARIABLE sentences)
configure(fails vulkan "${sentences};scripts/setup.sh installs all dependencies" ${without}
  -DWEFT_BUILD_TOOLS=ON -DWEFT_BUILD_EXAMPLES=ON -DWEFT_BUILD_TESTS=ON)
execute_process(COMMAND ${WEFT_SOURCE}/scripts/setup.sh --list OUTPUT_VARIABLE installed COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" installed "${installed}")
foreach(package IN LISTS packages)
  if(NOT package IN_LIST installed)
    message(FATAL_ERROR "CMake tells to install ${package}, which scripts/setup.sh does not")
  endif()
endforeach()

# A driver is not required if the system has no package for it.
set(drivers -DWEFT_BUILD_TESTS=ON -DWEFT_TEST_REQUIRE_DRIVERS=ON -DWEFT_TEST_SWIFTSHADER_JSON=
            -DWEFT_TEST_LAVAPIPE_JSON=${WORK}/lavapipe.json
            -DWEFT_TEST_VALIDATION_JSON=/json -DWEFT_TEST_HIPRTC=/library -DWEFT_TEST_CLANG=/compiler)
file(WRITE ${WORK}/lavapipe.json [[{"ICD": {"library_path": "libvulkan_lvp.so"}}]])
file(WRITE ${WORK}/debian "ID=debian\nVERSION_ID=12\n")
file(WRITE ${WORK}/ubuntu "ID=ubuntu\nVERSION_ID=24.04\n")
set(ENV{WEFT_OS_RELEASE} ${WORK}/debian)
configure(fails vulkan "Tests on swiftshader cannot run;scripts/setup.sh installs it (chromium-common)" ${drivers})
set(ENV{WEFT_OS_RELEASE} ${WORK}/ubuntu)
configure(works vulkan "Tests on swiftshader cannot run;This system has no package for it;listed as disabled"
  ${drivers})
