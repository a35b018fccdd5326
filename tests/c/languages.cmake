# Builds Weft as a shared library, and runs the programs of examples/c in other languages with it, on each of DEVICES.
# Stops at the first step that fails.
cmake_policy(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(examples ${WEFT_SOURCE}/examples/c)
string(TOUPPER "${BUILD_TYPE}" type)
run(${CMAKE_COMMAND} -S ${WEFT_SOURCE} -B ${WORK}/weft -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} "-DCMAKE_CXX_FLAGS_${type}=${FLAGS}"
    -DWEFT_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS} -DBUILD_SHARED_LIBS=ON -DWEFT_BUILD_TESTS=OFF
    -DWEFT_BUILD_EXAMPLES=OFF -DWEFT_BUILD_TOOLS=OFF -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12)
run(${CMAKE_COMMAND} --build ${WORK}/weft --target weft)
file(GLOB_RECURSE library ${WORK}/weft/libweft.so)
if(NOT library)
  message(FATAL_ERROR "${WORK}/weft has no libweft.so")
endif()
cmake_path(GET library PARENT_PATH folder)
set(ENV{LD_LIBRARY_PATH} ${folder})

run(${RUSTC} --edition 2021 -D warnings -L native=${folder} -l dylib=weft ${examples}/sort.rs -o ${WORK}/sort_in_rust)
run(${MCS} -warnaserror -out:${WORK}/Sort.exe ${examples}/Sort.cs)
foreach(device IN LISTS DEVICES)
  foreach(program IN ITEMS "${WORK}/sort_in_rust" "${MONO};${WORK}/Sort.exe" "${PYTHON};${examples}/sort.py;${library}")
    execute_process(COMMAND ${program} ${device} COMMAND_ECHO STDOUT OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output MATCHES "^sorted 100000 keys from [0-9]+ to [0-9]+\n$")
      message(FATAL_ERROR "It printed:\n${output}")
    endif()
  endforeach()
  # A mistake is an exception, or a message and a status, with Weft's sentence.
  foreach(program IN ITEMS "${WORK}/sort_in_rust" "${MONO};${WORK}/Sort.exe" "${PYTHON};${examples}/sort.py;${library}")
    execute_process(COMMAND ${program} "no such device" RESULT_VARIABLE status OUTPUT_VARIABLE output
      ERROR_VARIABLE output)
    if(status EQUAL 0 OR NOT output MATCHES "weft_open_device: ")
      message(FATAL_ERROR "${program} does not say that there is no such device:\n${output}")
    endif()
  endforeach()
endforeach()
