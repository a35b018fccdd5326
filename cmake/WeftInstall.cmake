# Rules for `cmake --install`: headers, library, the weft command, the shader library, and the CMake package for
# find_package(weft). No installed file names the build or source folder, so the prefix can be moved. Components are the
# packages of WeftPackages.cmake: weft_library, weft_development and weft_command.
include(CMakePackageConfigHelpers)

option(WEFT_INSTALL "Generate the install target" ${PROJECT_IS_TOP_LEVEL})
if(NOT WEFT_INSTALL)
  return()
endif()

set(WEFT_INSTALL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(WEFT_INSTALL_SHADER_DIR ${CMAKE_INSTALL_DATADIR}/weft/glsl)

install(TARGETS weft EXPORT weft-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT weft_library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT weft_library NAMELINK_COMPONENT weft_development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT weft_development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/weft ${PROJECT_SOURCE_DIR}/algorithms/include/weft
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT weft_development FILES_MATCHING PATTERN "*.h")
if(WEFT_C)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/c/include/weft
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT weft_development FILES_MATCHING PATTERN "*.h")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shaders/
  DESTINATION ${WEFT_INSTALL_SHADER_DIR}/weft COMPONENT weft_development FILES_MATCHING PATTERN "*.glsl" PATTERN "*.comp")

if(TARGET weft_tool)  # a part of find_package(weft) where it is installed
  set_target_properties(weft_tool PROPERTIES EXPORT_NAME command)
  install(TARGETS weft_tool EXPORT weft-command
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT weft_command)
  install(EXPORT weft-command NAMESPACE weft:: DESTINATION ${WEFT_INSTALL_CMAKE_DIR} COMPONENT weft_command)
endif()

get_target_property(library_type weft TYPE)
if(library_type STREQUAL STATIC_LIBRARY)
  set(WEFT_IS_STATIC TRUE)
else()
  set(WEFT_IS_STATIC FALSE)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${WEFT_INSTALL_CMAKE_DIR}
  PATH_VARS WEFT_INSTALL_SHADER_DIR)
# Before 1.0 a minor version may break its callers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/weft-config.cmake
    ${PROJECT_BINARY_DIR}/weft-config-version.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftKernels.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftPlans.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftEmbedPack.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftLinkedPackages.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftShaderCompilers.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftEmbedSpirv.cmake
    ${PROJECT_SOURCE_DIR}/cmake/WeftCheckHlsl.cmake
  DESTINATION ${WEFT_INSTALL_CMAKE_DIR} COMPONENT weft_development)
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${WEFT_INSTALL_CMAKE_DIR} COMPONENT weft_development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT weft_license)

# weft.pc, for other build systems. A program that links a static Weft also links its dependencies, which refer to each
# other.
function(weft_collect_libraries target)
  get_property(libraries GLOBAL PROPERTY WEFT_PC_LIBRARIES)
  if(target MATCHES "^\\$<LINK_ONLY:(.+)>$")
    set(target ${CMAKE_MATCH_1})
  endif()
  if(NOT TARGET ${target})
    if(target MATCHES "^(-l)?([A-Za-z0-9_+-]+)$" AND NOT "-l${CMAKE_MATCH_2}" IN_LIST libraries)  # rt, -ldl
      set_property(GLOBAL APPEND PROPERTY WEFT_PC_LIBRARIES -l${CMAKE_MATCH_2})
    endif()
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    set(name "-l:$<TARGET_FILE_NAME:${target}>")
    if(name IN_LIST libraries)
      return()
    endif()
    set_property(GLOBAL APPEND PROPERTY WEFT_PC_LIBRARIES "${name}")
  endif()
  get_target_property(next ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS next)
    if(library)
      weft_collect_libraries(${library})
    endif()
  endforeach()
endfunction()
set(pc_definitions "")
if(WIN32 AND NOT WEFT_IS_STATIC)
  set(pc_definitions " -DWEFT_SHARED")
endif()
set(pc_libraries "")
if(WEFT_IS_STATIC)
  get_target_property(linked weft LINK_LIBRARIES)
  foreach(library IN LISTS linked)
    weft_collect_libraries(${library})
  endforeach()
  get_property(libraries GLOBAL PROPERTY WEFT_PC_LIBRARIES)
  list(JOIN libraries " " pc_libraries)
  set(pc_libraries " -Wl,--start-group ${pc_libraries} -Wl,--end-group")
endif()
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/weft.pc.in CONTENT [=[
prefix=${pcfiledir}/@prefix_from_pc@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: weft
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}@pc_definitions@
Libs: -L${libdir} -lweft@pc_libraries@ -pthread
]=] @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/weft.pc INPUT ${PROJECT_BINARY_DIR}/weft.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT weft_development)

include(WeftPackages)
