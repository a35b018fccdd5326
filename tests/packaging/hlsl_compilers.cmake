# Checks which compiler weft_add_kernels() takes for HLSL and Slang, and that it warns of what glslang compiles wrongly.
# dxc and slangc are scripts here, which write the header of a module and the arguments that they got.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/hlsl DESTINATION ${WORK})
file(WRITE ${WORK}/hlsl/twice.slang "")
foreach(name IN ITEMS dxc slangc)
  file(WRITE ${WORK}/bin/${name} [=[#!/bin/sh
echo "$@" > $0.arguments
out= ; depfile=
while [ $# -gt 0 ]; do
  case $1 in -o|-Fo) out=$2;; -depfile) depfile=$2;; esac
  shift
done
printf '\003\002\043\007\000\000\001\000\000\000\000\000\001\000\000\000\000\000\000\000' > $out
[ -z "$depfile" ] || echo "$out:" > $depfile
]=])
  file(CHMOD ${WORK}/bin/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

# build(<kernels> <option>...): configures and builds the kernels; sets `output`.
function(build kernels)
  foreach(command IN ITEMS
      "${CMAKE_COMMAND};-S;${WORK}/hlsl;-B;${WORK}/build;-G;${GENERATOR};-DCMAKE_CXX_COMPILER=${COMPILER}"
      "${CMAKE_COMMAND};--build;${WORK}/build;--target;app_app_kernels")
    set(options "")
    if(NOT command MATCHES "--build")
      set(options -UWEFT_* -DWEFT_SOURCE=${WEFT_SOURCE} "-DKERNELS=${kernels}" ${ARGN})
    endif()
    execute_process(COMMAND ${command} ${options} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${kernels} ${ARGN}: fails\n${text}")
    endif()
  endforeach()
  string(REGEX REPLACE "[ \n]+" " " text "${text}")  # CMake breaks messages into lines
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(expect wanted text)
  string(FIND "${text}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "'${wanted}' is missing in:\n${text}")
  endif()
endfunction()

function(expect_arguments compiler)
  file(READ ${WORK}/bin/${compiler}.arguments arguments)
  file(REMOVE ${WORK}/bin/${compiler}.arguments)
  foreach(wanted IN LISTS ARGN)
    expect("${wanted}" "${arguments}")
  endforeach()
endfunction()

build("sums.hlsl;harmless.hlsl" -DWEFT_HLSL_COMPILER=${GLSLANG_VALIDATOR})
expect("sums.hlsl: compiled by glslangValidator, " "${output}")
expect("WavePrefixSum() and WavePrefixProduct() include the lane itself" "${output}")
expect("the sign of % and fmod() is that of the divisor" "${output}")
if(output MATCHES "harmless.hlsl: compiled")
  message(FATAL_ERROR "A warning without a reason:\n${output}")
endif()

# dxc comes first, and a file that it includes compiles it again.
build("sums.hlsl" -DCMAKE_PROGRAM_PATH=${WORK}/bin)
expect_arguments(dxc "-spirv -T cs_6_0 -E main" "-DDIVISOR=3" "sums.spv ${WORK}/hlsl/sums.hlsl")
if(output MATCHES "compiled by glslangValidator")
  message(FATAL_ERROR "A warning of glslang, which is not used:\n${output}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)  # a second, the coarsest clock of a file system
file(TOUCH ${WORK}/hlsl/operations.hlsli)
build("sums.hlsl" -DCMAKE_PROGRAM_PATH=${WORK}/bin)
expect_arguments(dxc "-spirv")

build("sums.hlsl;twice.slang" -DWEFT_HLSL_COMPILER=${WORK}/bin/slangc -DWEFT_SLANGC=${WORK}/bin/slangc)
expect_arguments(slangc "-target spirv -entry main -stage compute" "-DDIVISOR=3")

# Without a compiler, the error says where to get one.
function(expect_advice kernel variable advice)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${WORK}/hlsl -B ${WORK}/build -UWEFT_* -DWEFT_SOURCE=${WEFT_SOURCE} -DKERNELS=${kernel}
            -D${variable}=
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE text)
  if(status EQUAL 0)
    message(FATAL_ERROR "${kernel} without ${variable}: CMake succeeds")
  endif()
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  expect("${advice}" "${text}")
  expect("-D${variable}=<file>" "${text}")
endfunction()
expect_advice(sums.hlsl WEFT_HLSL_COMPILER "install glslang-tools (Debian, Ubuntu)")
expect_advice(twice.slang WEFT_SLANGC "a release of Slang")
