# Builds and runs the project in consumer/ with Weft; see CMakeLists.txt. Stops at the first step that fails.
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
# Uses the calling build's flags, so that its compiler cache helps.
string(TOUPPER "${BUILD_TYPE}" type)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
           -DCMAKE_BUILD_TYPE=${BUILD_TYPE} "-DCMAKE_CXX_FLAGS_${type}=${FLAGS}"
           -DWEFT_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS})

set(unity -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12)
set(quick ${unity} "-DCMAKE_CXX_FLAGS_${type}=-O0")  # where a compiler cache has nothing
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# An installed Weft must not depend on where it was built.
function(names_no_folder)
  file(GLOB_RECURSE files ${prefix}/*.cmake ${prefix}/*.h ${prefix}/*.glsl ${prefix}/*.comp ${prefix}/*.pc)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    foreach(folder IN LISTS ARGN)
      string(FIND "${text}" "${folder}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} names ${folder}, which does not exist on other machines")
      endif()
    endforeach()
  endforeach()
endfunction()

file(REMOVE_RECURSE ${WORK}/consumer ${WORK}/staged ${WORK}/prefix)
set(options ${common})
if(HOW STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${WEFT_BUILD} --prefix ${WORK}/staged)
  file(RENAME ${WORK}/staged ${prefix})
  names_no_folder(${WEFT_SOURCE} ${WEFT_BUILD} ${WORK}/staged)
  list(APPEND options -DCMAKE_PREFIX_PATH=${prefix})
elseif(HOW STREQUAL "shared")
  include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
  names_no_folder(${WEFT_SOURCE} ${WORK}/weft)
  list(APPEND options -DCMAKE_PREFIX_PATH=${prefix})
elseif(HOW STREQUAL "fetch_content")
  include(${CMAKE_CURRENT_LIST_DIR}/fetch_content.cmake)
  list(APPEND options ${quick} -DWEFT_REPOSITORY=file://${WORK}/repository -DWEFT_BACKENDS=host)
else()
  list(APPEND options ${quick} -DWEFT_SOURCE=${WEFT_SOURCE})
endif()
run(${CMAKE_COMMAND} -S ${consumer} -B ${WORK}/consumer ${options})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/app/app)
run(${WORK}/consumer/c/sort_in_c)
run(${WORK}/consumer/hlsl/hlsl)
run(${WORK}/consumer/hlsl/hlsl ${WORK}/consumer/hlsl/saxpy_registers.spv)
run(${WORK}/consumer/types/types)
run(${WORK}/consumer/without_exceptions/without_exceptions)
if(HOW STREQUAL "shared")
  unpack(weft)  # find_package() did without
endif()
if(EXISTS ${prefix})
  run(${prefix}/bin/weft --version)
  run(${prefix}/bin/weft devices)
endif()

if(HOW STREQUAL "installed" AND NOT EXISTS ${prefix}/share/doc/weft/LICENSE)
  message(FATAL_ERROR "LICENSE is not installed")
endif()

# pkg-config, for projects without CMake.
function(build_by_pkg_config)
  find_program(PKG_CONFIG pkg-config REQUIRED)
  file(GLOB_RECURSE pc ${prefix}/*.pc)
  cmake_path(GET pc PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs weft OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  cmake_path(GET folder PARENT_PATH libraries)
  run(${COMPILER} -std=c++20 ${WEFT_SOURCE}/examples/first_program.cpp ${flags} -Wl,-rpath,${libraries}
      -o ${WORK}/by_pkg_config)
  run(${WORK}/by_pkg_config)
endfunction()
if(EXISTS ${prefix} AND NOT SANITIZED)
  build_by_pkg_config()
endif()

# If a static Weft's dependency is missing, CMake names Debian's package.
function(configure_without package option)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${consumer} -B ${WORK}/without_${package} ${common}
            -DCMAKE_PREFIX_PATH=${prefix} ${option}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " words "${output}")
  if(status EQUAL 0 OR NOT words MATCHES "install ${package} \\(Debian, Ubuntu\\)")
    message(FATAL_ERROR "Configured with ${option}, CMake does not ask for ${package}:\n${output}")
  endif()
endfunction()
if(HOW STREQUAL "installed")
  configure_without(spirv-tools -DCMAKE_DISABLE_FIND_PACKAGE_SPIRV-Tools-opt=ON)
  configure_without(glslang-tools -DWEFT_GLSLANG_VALIDATOR=)
  configure_without(glslang-dev -DCMAKE_DISABLE_FIND_PACKAGE_glslang=ON)
  configure_without(libspirv-cross-c-shared-dev -DCMAKE_DISABLE_FIND_PACKAGE_spirv_cross_core=ON)
  if(DEFAULT_DEVICE)  # the host device is built in
    configure_without(libboost-context-dev -DCMAKE_DISABLE_FIND_PACKAGE_boost_context=ON)
  endif()
endif()

if(HOW STREQUAL "shared" AND DEFAULT_DEVICE)
  execute_process(COMMAND ${prefix}/bin/weft devices OUTPUT_VARIABLE devices COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${devices}" "open_device(\"\") opens ${DEFAULT_DEVICE} " at)
  if(at EQUAL -1)
    message(FATAL_ERROR "weft devices does not say that the default device is ${DEFAULT_DEVICE}:\n${devices}")
  endif()
endif()
