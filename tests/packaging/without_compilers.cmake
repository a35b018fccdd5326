# Builds the project in without_compilers/ with the slim library, makes its packs with the command of this build, and
# runs it without compilers. See CMakeLists.txt. Stops at the first step that fails. With FULL, the program is optimised
# for size, which is checked, and runs with both widths of lavapipe's vectors; otherwise it is built quickly.
cmake_minimum_required(VERSION 3.25)
set(project ${CMAKE_CURRENT_LIST_DIR}/without_compilers)

include(${CMAKE_CURRENT_LIST_DIR}/recorded_tests.cmake)

file(REMOVE_RECURSE ${WORK})
set(options -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=MinSizeRel)
set(widths 256 128)
set(others 128 256)
if(NOT FULL)
  list(APPEND options -DCMAKE_CXX_FLAGS_MINSIZEREL=-O0)
  set(widths 256)
endif()
run("" ${CMAKE_COMMAND} -S ${project} -B ${WORK}/build ${options} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DWEFT_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS}
    -DWEFT_SOURCE=${WEFT_SOURCE} -DWEFT_INSTALL=ON -DTESTS=${TESTS} -DTOOLS=${FULL})
run("" ${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
set(shipped ${WORK}/build/shipped)

# It links the C and C++ libraries alone.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} -d ${shipped} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "[" "" dynamic "${dynamic}")  # which CMake's lists give a meaning of their own
string(REGEX MATCHALL "Shared library: [^]]+" needed "${dynamic}")
list(TRANSFORM needed REPLACE "Shared library: " "")
foreach(library IN LISTS needed)
  if(NOT library MATCHES "^(libstdc\\+\\+|libgcc_s|libc|libm|libdl|libpthread|ld-linux[a-z0-9_-]*)\\.so\\.[0-9]+$")
    message(FATAL_ERROR "${shipped} links ${library}; without compilers it needs only the C and C++ libraries: ${needed}")
  endif()
endforeach()
if(FULL)  # and it is small. (Vulkan alone makes it smaller still.)
  find_program(STRIP strip REQUIRED)
  run("" ${STRIP} -o ${shipped}.stripped ${shipped})
  file(SIZE ${shipped}.stripped bytes)
  message(STATUS "stripped: ${bytes} bytes; links ${needed}")
  if(bytes GREATER_EQUAL 2000000)
    message(FATAL_ERROR "The stripped program has ${bytes} bytes; it should have less than 2 MB")
  endif()
endif()

# Installed, the slim library asks for no compiler.
set(compilers SPIRV-Tools SPIRV-Tools-opt glslang spirv_cross_core)
list(TRANSFORM compilers REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON" OUTPUT_VARIABLE no_compilers)
run("" ${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
run("" ${CMAKE_COMMAND} -S ${project} -B ${WORK}/installed ${options} -DCMAKE_PREFIX_PATH=${WORK}/prefix ${no_compilers})

# lavapipe's cache does not distinguish values of LP_NATIVE_VECTOR_WIDTH.
foreach(width IN LISTS widths)
  set(lavapipe_${width} VK_DRIVER_FILES=${LAVAPIPE} LP_NATIVE_VECTOR_WIDTH=${width}
      MESA_SHADER_CACHE_DIR=${CACHES}/mesa-${width})
endforeach()

set(list ${WORK}/plans.txt)
run("WEFT_CACHE_DIR=${CACHES}/weft;WEFT_RECORD_PLANS=${list};${lavapipe_256}" ${RECORDER} vulkan:llvmpipe record)
foreach(width IN LISTS widths)
  set(pack ${WORK}/${width}.weftpack)
  run("WEFT_CACHE_DIR=${CACHES}/weft;${lavapipe_${width}}"
    ${WEFT} pack ${list} --device vulkan:llvmpipe --device host -o ${pack})
  set(shipped_with ${lavapipe_${width}} WEFT_PACKS=${pack} WEFT_CACHE_DIR= PATH=/nonexistent)
  run("${shipped_with}" ${shipped} vulkan:llvmpipe)
endforeach()
run("${shipped_with}" ${shipped} host)

# Tests of core and of the primitives.
set(families "*/algorithms/scan/*")
set(sample WEFT_TEST_SAMPLE=16 WEFT_TEST_TYPES=1)
set(devices_of_conformance vulkan:llvmpipe host)
set(devices_of_algorithms vulkan:llvmpipe)
if(FULL)
  string(APPEND families ",*/algorithms/select/*,*/algorithms/reduce/*,*/algorithms/sort/*,*/algorithms/runs/*")
  set(sample WEFT_TEST_SAMPLE=8 WEFT_TEST_TYPES=1)
  list(APPEND devices_of_algorithms host)
endif()
list(APPEND arguments_of_algorithms "-sf=${families}")
foreach(program conformance algorithms)
  foreach(device IN LISTS devices_of_${program})
    string(MAKE_C_IDENTIFIER ${program}_${device} name)
    set(folder ${WORK}/${name})
    record_tests(${program} ${device} "${sample}" ${folder} --device ${device} ${arguments_of_${program}})
    run("${recorded};${lavapipe_256};WEFT_TEST_GLSL=${folder}/glsl;WEFT_CACHE_DIR=;WEFT_PACKS=${folder}/tests.weftpack;PATH=/nonexistent"
      ${WORK}/build/slim_${program} ${arguments_of_${program}})
  endforeach()
endforeach()
if(NOT FULL)
  return()
endif()

set(slim_command ${WORK}/build/weft/tools/weft)
set(drive "")
set(packs_for_host --device host)
set(work ${WORK}/command)
include(${CMAKE_CURRENT_LIST_DIR}/slim_command.cmake)

# Packs for other devices: for other subgroups, and for a device without 64-bit and small types, which lavapipe is
# taken for.
foreach(width other IN ZIP_LISTS widths others)
  run("${lavapipe_${width}};WEFT_PACKS=${WORK}/${other}.weftpack;WEFT_CACHE_DIR=;PATH=/nonexistent"
    ${shipped} vulkan:llvmpipe foreign)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${lavapipe_256} ${WEFT} devices --json OUTPUT_VARIABLE devices
  COMMAND_ERROR_IS_FATAL ANY)
string(JSON backends LENGTH "${devices}" backends)
math(EXPR last "${backends} - 1")
foreach(i RANGE ${last})
  string(JSON backend GET "${devices}" backends ${i} name)
  if(backend STREQUAL vulkan)
    string(JSON device GET "${devices}" backends ${i} devices 0)
  endif()
endforeach()
foreach(feature IN ITEMS int64 float64 buffer_int64_atomics workgroup_int64_atomics int8 int16 float16 storage8 storage16)
  string(JSON device SET "${device}" features ${feature} false)
endforeach()
file(WRITE ${WORK}/less.json "${device}")
run("WEFT_CACHE_DIR=${CACHES}/weft" ${WEFT} pack ${WORK}/plans.txt --profile ${WORK}/less.json -o ${WORK}/less.weftpack)
set(foreign WEFT_PACKS=${WORK}/less.weftpack WEFT_CACHE_DIR= PATH=/nonexistent)
run("${lavapipe_256};${foreign}" ${shipped} vulkan:llvmpipe foreign)
if(SWIFTSHADER)  # 4 lanes, and no 64-bit types
  run("VK_DRIVER_FILES=${SWIFTSHADER};${foreign}" ${shipped} vulkan:swiftshader foreign)
endif()
