# Part of wine.cmake.

# The same program on the host device, with objects for this processor.
execute_process(COMMAND ${WEFT} devices --json OUTPUT_VARIABLE devices COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\"x86-64[a-z0-9-]*\"" architecture "${devices}")
string(REPLACE "\"" "" architecture "${architecture}")
set(architecture ${architecture}-windows)
set(host_pack ${WORK}/host.weftpack)
run("WEFT_CACHE_DIR=${CACHES}/weft" ${WEFT} pack ${list} --profile ${architecture} -o ${host_pack})
run("WEFT_PACKS=Z:${host_pack}" ${wine} ${WORK}/shipped.exe host)

# Tests of core and of the primitives.
set(sample_of_conformance WEFT_TEST_SAMPLE=1)
set(sample_of_algorithms WEFT_TEST_SAMPLE=8 WEFT_TEST_TYPES=1)
list(APPEND arguments_of_algorithms
  "-sf=*/algorithms/reduce/*,*/algorithms/runs/*,*/algorithms/scan/*,*/algorithms/select/*,*/algorithms/sort/*")
foreach(program IN ITEMS conformance algorithms)
  foreach(device IN ITEMS vulkan:llvmpipe host)
    string(MAKE_C_IDENTIFIER ${program}_${device} name)
    set(tests ${WORK}/${name})
    set(packs_for --device ${device})
    if(device STREQUAL host)
      set(packs_for --profile ${architecture})
    endif()
    record_tests(${program} ${device} "${sample_of_${program}}" ${tests} ${packs_for}
      ${arguments_of_${program}})
    run("${recorded};${lavapipe_256};WEFT_TEST_GLSL=Z:${tests}/glsl;WEFT_CACHE_DIR=;WEFT_PACKS=Z:${tests}/tests.weftpack"
      ${wine} ${WORK}/build/${program}.exe ${arguments_of_${program}})
  endforeach()
endforeach()

# Kernels' objects are gone when their device is.
file(GLOB left ${WORK}/wine/prefix/drive_c/users/*/Temp/weft-* ${WORK}/wine/prefix/drive_c/users/*/AppData/Local/Temp/weft-*)
if(left)
  message(FATAL_ERROR "Temporary files are left: ${left}")
endif()
