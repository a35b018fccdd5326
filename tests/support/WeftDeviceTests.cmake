# Defines the drivers that the tests run on, and turns a test program into one ctest entry for each.
#
# Programs read WEFT_TEST_DEVICES, so they also run by hand on any device: WEFT_TEST_DEVICES=vulkan:nvidia ./conformance
option(WEFT_TEST_REQUIRE_DRIVERS
  "Fail to configure if lavapipe, SwiftShader, the validation layer, hipRTC or clang is missing but packaged" OFF)
set(WEFT_TEST_CACHES ${PROJECT_BINARY_DIR}/test-caches CACHE PATH
  "Folder of the tests' compiled kernels, which builds may share")
option(WEFT_TEST_FULL "Run every test on every driver, as scripts/test.sh --full does" OFF)
set(WEFT_TEST_FLAGS "" CACHE STRING "Additional compiler options for the test programs")
set(WEFT_TEST_DEVICES "" CACHE STRING
  "Further devices of this machine to test, as open_device() selectors: vulkan:nvidia;vulkan:1")

set(vulkan_folders /usr/local/share/vulkan /usr/share/vulkan /etc/vulkan)
# A driver for which scripts/setup.sh has no package on this system is not required.
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/setup.sh --list OUTPUT_VARIABLE WEFT_TEST_PACKAGES)
string(REPLACE "\n" ";" WEFT_TEST_PACKAGES "${WEFT_TEST_PACKAGES}")
set(WEFT_TEST_LAVAPIPE_JSON_package mesa-vulkan-drivers)
set(WEFT_TEST_SWIFTSHADER_JSON_package chromium-common)
set(WEFT_TEST_VALIDATION_JSON_package vulkan-validationlayers)
set(WEFT_TEST_CLANG_package clang-19)
find_file(WEFT_TEST_LAVAPIPE_JSON NAMES lvp_icd.json lvp_icd.x86_64.json lvp_icd.aarch64.json
  PATHS ${vulkan_folders} PATH_SUFFIXES icd.d NO_DEFAULT_PATH)
find_file(WEFT_TEST_SWIFTSHADER_JSON NAMES vk_swiftshader_icd.json
  PATHS /usr/lib/chromium /usr/lib/chromium-browser /opt/google/chrome ${vulkan_folders}
  PATH_SUFFIXES icd.d NO_DEFAULT_PATH)
find_file(WEFT_TEST_VALIDATION_JSON NAMES VkLayer_khronos_validation.json
  PATHS ${vulkan_folders} PATH_SUFFIXES explicit_layer.d NO_DEFAULT_PATH)
find_program(WEFT_TEST_CLANG NAMES ${WEFT_CLANG_NAMES})

# A configuration is a driver with its settings: name, devices, needs, environment. A need is a backend, or a variable
# that names a file. Without the backend, the configuration has no tests; without the file, they are listed as disabled.
set(WEFT_TEST_CONFIGURATIONS "")
set(WEFT_TEST_LEFT_OUT "")
macro(weft_test_configuration name devices needs)
  string(MAKE_C_IDENTIFIER ${name} id)
  set(${id}_environment "WEFT_TEST_DEVICES=${devices}" ${ARGN})
  set(${id}_missing "")
  set(left_out FALSE)
  foreach(need ${needs})
    if(need IN_LIST WEFT_KNOWN_BACKENDS)
      if(NOT need IN_LIST WEFT_BACKENDS)
        set(left_out TRUE)
      endif()
    elseif(NOT ${need})
      set(${id}_missing ${need})
    endif()
  endforeach()
  if(left_out)
    list(APPEND WEFT_TEST_LEFT_OUT ${name})
  else()
    list(APPEND WEFT_TEST_CONFIGURATIONS ${name})
    if(${id}_missing)
      set(package ${${${id}_missing}_package})
      set(message "Tests on ${name} cannot run: ${${id}_missing} was not found. ")
      set(packaged FALSE)
      if(package IN_LIST WEFT_TEST_PACKAGES OR NOT WEFT_TEST_PACKAGES)
        set(packaged TRUE)
        string(APPEND message "scripts/setup.sh installs it (${package}); ")
      else()
        string(APPEND message "This system has no package for it; ")
      endif()
      string(APPEND message "-D${${id}_missing}=<file> names another file.")
      if(WEFT_TEST_REQUIRE_DRIVERS AND packaged)
        message(FATAL_ERROR "${message}")
      endif()
      message(WARNING "${message} They are listed as disabled.")
    endif()
  endif()
endmacro()

set(lavapipe "VK_DRIVER_FILES=${WEFT_TEST_LAVAPIPE_JSON}")
set(both "VK_DRIVER_FILES=${WEFT_TEST_LAVAPIPE_JSON}:${WEFT_TEST_SWIFTSHADER_JSON}")
foreach(size 4 8 16)
  math(EXPR bits "${size} * 32")
  weft_test_configuration(lavapipe-${size} vulkan:llvmpipe "vulkan;WEFT_TEST_LAVAPIPE_JSON"
    ${lavapipe} LP_NATIVE_VECTOR_WIDTH=${bits} WEFT_TEST_SUBGROUP_SIZE=${size})
endforeach()
weft_test_configuration(swiftshader vulkan:swiftshader "vulkan;WEFT_TEST_SWIFTSHADER_JSON"
  "VK_DRIVER_FILES=${WEFT_TEST_SWIFTSHADER_JSON}" WEFT_TEST_SUBGROUP_SIZE=4)
# lavapipe-8 under the validation layer, without the extensions that the layer does not know.
weft_test_configuration(validation vulkan:llvmpipe "vulkan;WEFT_TEST_LAVAPIPE_JSON;WEFT_TEST_VALIDATION_JSON"
  ${lavapipe} LP_NATIVE_VECTOR_WIDTH=256 WEFT_TEST_SUBGROUP_SIZE=8 WEFT_VALIDATION=1)
# lavapipe-8 as a device that a program made with the fewest features that Weft takes, and wrapped.
weft_test_configuration(wrapped wrapped "vulkan;WEFT_TEST_LAVAPIPE_JSON"
  ${lavapipe} LP_NATIVE_VECTOR_WIDTH=256 WEFT_TEST_SUBGROUP_SIZE=8)
# A quick run compiles kernels of the host device without optimisation where neither speed nor the optimiser's view of
# the translated C++ is tested: `host` and `host-lanes` do that. It takes half of the time.
set(quick_compiler "")
if(NOT WEFT_TEST_FULL)
  set(file ${PROJECT_BINARY_DIR}/tests/c++-O1)
  file(WRITE ${file} "#!/bin/sh\nexec \"\${CXX:-c++}\" \"$@\" -O1\n")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(quick_compiler "WEFT_CXX=${file}")
endif()
# The same, and one with all features, whose commands run on the host device in checking mode: hazards are found.
weft_test_configuration(traced "traced,traced-minimum" "vulkan;host;WEFT_TEST_LAVAPIPE_JSON"
  ${lavapipe} LP_NATIVE_VECTOR_WIDTH=256 WEFT_TEST_SUBGROUP_SIZE=8 ${quick_compiler})
weft_test_configuration(both "vulkan:llvmpipe,vulkan:swiftshader"
  "vulkan;WEFT_TEST_LAVAPIPE_JSON;WEFT_TEST_SWIFTSHADER_JSON" ${both} LP_NATIVE_VECTOR_WIDTH=256)
# Each invocation by itself: the judge.
foreach(size 1 4 32 64 128)
  weft_test_configuration(host-${size} host:subgroup=${size},form=fibers host WEFT_TEST_SUBGROUP_SIZE=${size}
    ${quick_compiler})
endforeach()
weft_test_configuration(host host:subgroup=32,form=fibers host)
# A subgroup as one flow of control: the default.
weft_test_configuration(host-lanes host host)
foreach(size 8 16 64)
  weft_test_configuration(host-lanes-${size} host:subgroup=${size},form=lanes host WEFT_TEST_SUBGROUP_SIZE=${size})
endforeach()
# The default's kernels by another compiler.
weft_test_configuration(host-clang host "host;WEFT_TEST_CLANG" WEFT_CXX=${WEFT_TEST_CLANG})
# Another schedule of all work; and every memory access checked.
weft_test_configuration(host-schedule host:subgroup=8,schedule=20221,threads=3 host WEFT_TEST_SUBGROUP_SIZE=8
  ${quick_compiler})
weft_test_configuration(host-check host:subgroup=16,check=on host WEFT_TEST_SUBGROUP_SIZE=16 ${quick_compiler})
# Checked, with workgroups that take turns on the checking mode's one thread.
weft_test_configuration(host-check-schedule host:subgroup=8,schedule=331,check=on host WEFT_TEST_SUBGROUP_SIZE=8
  ${quick_compiler})
# Tiles of one invocation, which plain host has by default, where every access is checked and on another device; and the
# tiles of GPUs in lanes.
set(serial_tiles ${PROJECT_BINARY_DIR}/tests/serial_tiles)
set(group_tiles ${PROJECT_BINARY_DIR}/tests/group_tiles)
set(serial_lines "")
set(group_lines "")
foreach(primitive reduce scan compact compact_indices compact_by_flags compact_by_byte_flags partition split unique
    run_length run_length_decode map reduce_by_key scan_by_key segmented_reduce segmented_scan sort sort_one_tile
    sort_pairs histogram merge merge_sort merge_sort_pairs)
  foreach(bytes 1 2 3 4 5 6 8 12 16 20)
    string(APPEND serial_lines "primitive=${primitive} element_bytes=${bytes} count=1 serial_bytes=2048\n")
    string(APPEND group_lines "primitive=${primitive} element_bytes=${bytes} count=1 workgroup=64 bytes_per_invocation=32\n")
  endforeach()
endforeach()
file(WRITE ${serial_tiles} "${serial_lines}")
file(WRITE ${group_tiles} "${group_lines}")
weft_test_configuration(lavapipe-serial vulkan:llvmpipe "vulkan;WEFT_TEST_LAVAPIPE_JSON"
  ${lavapipe} LP_NATIVE_VECTOR_WIDTH=256 WEFT_TEST_SUBGROUP_SIZE=8 WEFT_TUNING=${serial_tiles})
weft_test_configuration(host-check-serial host:subgroup=16,check=on host WEFT_TEST_SUBGROUP_SIZE=16
  WEFT_TUNING=${serial_tiles} ${quick_compiler})
weft_test_configuration(host-lanes-groups host:subgroup=16,form=lanes host WEFT_TEST_SUBGROUP_SIZE=16
  WEFT_TUNING=${group_tiles})
weft_test_configuration(lavapipe-and-host "vulkan:llvmpipe,host" "vulkan;host;WEFT_TEST_LAVAPIPE_JSON"
  ${lavapipe} LP_NATIVE_VECTOR_WIDTH=256)
# On the tests' own CUDA driver and NVRTC, which run kernels on the CPU.
set(on_cpu ${quick_compiler} WEFT_TEST_SUBGROUP_SIZE=32 WEFT_CUDA_DRIVER=$<TARGET_FILE:cuda_on_cpu>
           WEFT_NVRTC=$<TARGET_FILE:nvrtc_on_cpu>)
if(host IN_LIST WEFT_BACKENDS AND NOT WEFT_MISSING_cuda)  # they use the host device's compiler, and CUDA's headers
  weft_test_configuration(cuda-on-cpu cuda:0 cuda ${on_cpu})
  weft_test_configuration(hip-on-cuda-on-cpu hip hip ${on_cpu}
    WEFT_HIP_DRIVER=$<TARGET_FILE:hip_on_cuda> WEFT_HIPRTC=$<TARGET_FILE:hip_on_cuda>)
else()
  list(APPEND WEFT_TEST_LEFT_OUT cuda-on-cpu hip-on-cuda-on-cpu)
endif()
weft_test_configuration(none "" "")  # for programs that open no device
foreach(device IN LISTS WEFT_TEST_DEVICES)
  weft_test_configuration(${device} ${device} "")
endforeach()
set(WEFT_TEST_ANY_DEVICE TRUE)
if(WEFT_TEST_CONFIGURATIONS STREQUAL "none")
  set(WEFT_TEST_ANY_DEVICE FALSE)
  message(STATUS "No test of this build opens a device: the backends ${WEFT_BACKENDS} have none that every machine "
    "has. Name this machine's devices with -DWEFT_TEST_DEVICES=<selectors>.")
endif()

# weft_add_device_program(<program> <source>...)
# Adds a test program, which needs no file of the build tree to run.
function(weft_add_device_program program)
  add_executable(${program} ${ARGN})
  target_link_libraries(${program} PRIVATE weft_test_support)
  target_compile_options(${program} PRIVATE ${WEFT_TEST_FLAGS})
  weft_compile_options(${program})
endfunction()

# The sample that a quick run takes on most drivers: one in twelve tests of each source file, with one type each. Both
# are drawn by the run's seed (support/sample.h).
set(WEFT_TEST_SAMPLE WEFT_TEST_SAMPLE=12 WEFT_TEST_TYPES=1)
# The sample of the large programs under sanitizers: the plain build runs all of their tests on the same driver.
set(WEFT_TEST_SANITIZED_SAMPLE "")
if(WEFT_SANITIZE AND NOT WEFT_TEST_FULL)
  set(WEFT_TEST_SANITIZED_SAMPLE WEFT_TEST_SAMPLE=12)
endif()

# weft_add_device_test(<program> [CONFIGURATIONS <name>...] [SAMPLED <name>...] [FULL <name>...] [NAME <name>]
#                      [INTERPRETER <path>] [TIMEOUT <seconds>] [COST <seconds>] [ARGS ...] [ENVIRONMENT ...])
# Adds a ctest entry for each configuration of this build. All entries share compiled kernels, across all builds with
# the same WEFT_TEST_CACHES: a sanitized build reuses the plain build's.
# CONFIGURATIONS: take part in every run.
# SAMPLED: run a sample of the tests in a quick run, and all of them with WEFT_TEST_FULL.
# FULL: only with WEFT_TEST_FULL.
# INTERPRETER: runs in place of the program, which is then a target that its tests need.
# COST: approximate time of an entry. The longest start first, so that none runs alone on one core at the end.
function(weft_add_device_test program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;INTERPRETER;TIMEOUT;COST" "CONFIGURATIONS;SAMPLED;FULL;ARGS;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
  endif()
  if(WEFT_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 3")
  endif()
  if(NOT arg_NAME)
    set(arg_NAME ${program})
  endif()
  if(NOT arg_INTERPRETER)
    set(arg_INTERPRETER ${program})
  endif()
  set(configurations ${arg_CONFIGURATIONS} ${arg_SAMPLED})
  if(WEFT_TEST_FULL)
    list(APPEND configurations ${arg_FULL})
    set(arg_SAMPLED "")
  endif()
  foreach(configuration IN LISTS configurations)
    if(configuration IN_LIST WEFT_TEST_LEFT_OUT)
      continue()
    endif()
    if(NOT configuration IN_LIST WEFT_TEST_CONFIGURATIONS)
      message(FATAL_ERROR "weft_add_device_test: there is no configuration '${configuration}'")
    endif()
    string(MAKE_C_IDENTIFIER ${configuration} id)
    set(sample "")
    if(configuration IN_LIST arg_SAMPLED)
      set(sample ${WEFT_TEST_SAMPLE})
    endif()
    set(entry "${arg_NAME}@${configuration}")
    add_test(NAME ${entry} COMMAND ${arg_INTERPRETER} ${arg_ARGS})
    set(caches WEFT_CACHE_DIR=${WEFT_TEST_CACHES}/weft)
    if(configuration MATCHES "-on-cpu$")  # the emulated NVRTC differs between builds
      set(caches WEFT_CACHE_DIR=${PROJECT_BINARY_DIR}/test-caches/on-cpu)
    endif()
    # lavapipe's cache does not distinguish values of LP_NATIVE_VECTOR_WIDTH: one for all would return kernels with the
    # wrong subgroup size.
    if("${${id}_environment}" MATCHES "LP_NATIVE_VECTOR_WIDTH=([0-9]+)")
      list(APPEND caches MESA_SHADER_CACHE_DIR=${WEFT_TEST_CACHES}/mesa-${CMAKE_MATCH_1})
    endif()
    # LeakSanitizer's tracer sometimes crashes in a process with lavapipe's generated code, and it would also report the
    # driver's own memory. The sanitizers' other checks stay.
    set(environment ASAN_OPTIONS=detect_leaks=0 ${caches} ${${id}_environment} ${arg_ENVIRONMENT} ${sample})
    set_tests_properties(${entry} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${configuration}"
      ENVIRONMENT "${environment}")
    if(arg_COST)
      set_tests_properties(${entry} PROPERTIES COST ${arg_COST})
    endif()
    if(configuration STREQUAL "validation")
      # Also finds messages about devices that a test opened itself.
      set_tests_properties(${entry} PROPERTIES FAIL_REGULAR_EXPRESSION "weft: (warning: )?validation: ")
    endif()
    if(configuration MATCHES "-on-cpu$")
      add_dependencies(${program} cuda_on_cpu nvrtc_on_cpu)
      set_tests_properties(${entry} PROPERTIES FAIL_REGULAR_EXPRESSION "cuda on cpu: misuse: ")
    endif()
    if(configuration MATCHES "^hip-on-")
      add_dependencies(${program} hip_on_cuda)
    endif()
    if(configuration MATCHES "^host")
      # The first entry compiles every kernel with the C++ compiler; the others find them in the cache, since machine
      # code is the same for every subgroup size.
      set_tests_properties(${entry} PROPERTIES RESOURCE_LOCK ${arg_NAME}@host)
      if(arg_TIMEOUT LESS 1800 AND NOT arg_TIMEOUT LESS 900)
        set_tests_properties(${entry} PROPERTIES TIMEOUT 1800)
      endif()
    endif()
    if(${id}_missing)
      set_tests_properties(${entry} PROPERTIES DISABLED TRUE)
    endif()
  endforeach()
endfunction()
