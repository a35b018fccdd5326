# Configures a project that calls weft_add_kernels() rightly and wrongly. Builds nothing.
cmake_minimum_required(VERSION 3.25)
file(WRITE ${WORK}/there.comp "void main() {}")
file(WRITE ${WORK}/main.cpp "")
file(WRITE ${WORK}/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(kernels LANGUAGES CXX)
include(${WEFT_SOURCE}/cmake/WeftKernels.cmake)
add_library(app OBJECT main.cpp)
add_custom_command(OUTPUT \${PROJECT_BINARY_DIR}/generated.comp COMMAND nothing)
weft_add_kernels(app \${CALL})
")

# configure(<text that CMake must print, empty if the call is right> <argument of weft_add_kernels>...)
function(configure expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -DCMAKE_CXX_COMPILER=${COMPILER} "-DCALL=${ARGN}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " words "${output}")  # CMake breaks messages into lines
  string(FIND "${words}" "${expected}" at)
  if(at EQUAL -1 OR (expected STREQUAL "" AND NOT status EQUAL 0) OR (NOT expected STREQUAL "" AND status EQUAL 0))
    message(FATAL_ERROR "weft_add_kernels(app ${ARGN}) should say '${expected}':\n${output}")
  endif()
endfunction()

configure("" KERNELS there.comp ${WORK}/build/generated.comp)
configure("missing.comp does not exist" KERNELS there.comp missing.comp)
configure("missing.spv does not exist" KERNELS missing.spv)
configure("KERNELS names no shader" NAMESPACE app)
configure("unknown arguments: there.comp" there.comp)
