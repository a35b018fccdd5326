# Builds examples/engine by the preset `slim`, with a pack for lavapipe made by the command of this build, and runs it.
# See CMakeLists.txt.
cmake_minimum_required(VERSION 3.25)
set(lavapipe VK_DRIVER_FILES=${LAVAPIPE} LP_NATIVE_VECTOR_WIDTH=256 MESA_SHADER_CACHE_DIR=${CACHES}/mesa-256)

# run(<environment> <command>...), where the environment is a list NAME=VALUE, "" for none.
function(run environment)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${environment} ${ARGN} WORKING_DIRECTORY ${WEFT_SOURCE}
    COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run("" ${CMAKE_COMMAND} --preset slim -B ${WORK}/build -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_UNITY_BUILD=ON
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DWEFT_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS} -DWEFT_PACK_COMMAND=${WEFT}
    -DENGINE_PACK_PROFILES= -DENGINE_PACK_DEVICES=vulkan:llvmpipe)
run("WEFT_CACHE_DIR=${CACHES}/weft;${lavapipe}" ${CMAKE_COMMAND} --build ${WORK}/build)
run("${lavapipe};WEFT_CACHE_DIR=;PATH=/nonexistent" ${WORK}/build/examples/engine/engine --frames 3 --particles 4096
    --size 96 72 --check --output ${WORK}/pictures)
