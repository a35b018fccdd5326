# Tests of core and of the primitives that run with a Weft without compilers, on the plans and modules that the same
# tests make with compilers. For scripts that have CACHES, TESTS_RECORDERS and WEFT, and set lavapipe_256.
cmake_minimum_required(VERSION 3.25)

# run(<environment> <command>...), where the environment is a list NAME=VALUE, "" for none.
function(run environment)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${environment} ${ARGN} COMMAND_ECHO STDOUT
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# pack_what_compiles(<list> <pack> --device|--profile <name>)
# Tests also make plans that are errors. They are taken from the list.
function(pack_what_compiles list pack option name)
  while(TRUE)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env WEFT_CACHE_DIR=${CACHES}/weft ${lavapipe_256}
        ${WEFT} pack ${list} ${option} ${name} -o ${pack}
      RESULT_VARIABLE status ERROR_VARIABLE error)
    if(status EQUAL 0)
      return()
    endif()
    file(READ ${list} lines)
    if(NOT error MATCHES "error: '([^\n]*)' for ${name} ?")
      message(FATAL_ERROR "${error}")
    endif()
    string(REPLACE "${CMAKE_MATCH_1}\n" "" rest "${lines}")
    if(rest STREQUAL lines)
      message(FATAL_ERROR "${error}")
    endif()
    file(WRITE ${list} "${rest}")
  endwhile()
endfunction()

set(seed $ENV{WEFT_TEST_SEED})
if(NOT seed)
  string(RANDOM LENGTH 9 ALPHABET 123456789 seed)
endif()

# Without the tests that expect a compiler's errors.
set(arguments_of_conformance -sf=*/tests/conformance/*
  -sfe=*/bindings.cpp,*/capabilities.cpp,*/foreign_spirv.cpp,*/forks.cpp,*/kernels.cpp,*/options.cpp,*/specialization.cpp)
set(arguments_of_algorithms "-tce=*what is wrong*,scans by key start each run*")  # and those of folders

# record_tests(<program> <device> <sample> <folder> --device|--profile <name> <arguments>...)
# Makes <folder>/tests.weftpack and <folder>/glsl of what the program's tests need on the device. Sets `recorded` to the
# environment that makes the same choices again.
function(record_tests program device sample folder option name)
  file(MAKE_DIRECTORY ${folder}/glsl)
  set(recorded ${sample} WEFT_TEST_DEVICES=${device} WEFT_TEST_SEED=${seed})
  run("${recorded};${lavapipe_256};WEFT_TEST_GLSL=${folder}/glsl;WEFT_CACHE_DIR=${CACHES}/weft;WEFT_RECORD_PLANS=${folder}/plans.txt"
    ${TESTS_RECORDERS}/recording_${program} ${ARGN})
  pack_what_compiles(${folder}/plans.txt ${folder}/tests.weftpack ${option} ${name})
  set(recorded ${recorded} PARENT_SCOPE)
endfunction()
