# What a shared library exports: the C++ interface, which WEFT_API marks, and the C interface, with symbol versions.
# weft_static is for what uses more of the library than that: the command, the benchmarks and the tests.
set(WEFT_ABI 0)  # docs/versions.md says when it changes
set_target_properties(weft PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${WEFT_ABI}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
if(NOT BUILD_SHARED_LIBS)
  add_library(weft_static ALIAS weft)
  return()
endif()

if(WIN32)
  target_compile_definitions(weft PRIVATE WEFT_BUILDS_DLL INTERFACE WEFT_SHARED)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(weft PRIVATE -fno-keep-inline-dllexport)  # programs compile inline functions themselves
    target_link_options(weft PRIVATE LINKER:--gc-sections)
  endif()
  # Headers of C mark nothing, so that other languages read them as they are.
  set(definitions "EXPORTS\n")
  get_property(headers TARGET weft PROPERTY WEFT_C_HEADERS)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} lines REGEX "^(weft_result|const char\\*) weft_")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "(weft_[a-z0-9_]+)\\(" name "${line}")
      string(APPEND definitions "  ${CMAKE_MATCH_1}\n")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/weft.def CONTENT "${definitions}")
  target_sources(weft PRIVATE ${PROJECT_BINARY_DIR}/weft.def)
else()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.map.in ${PROJECT_BINARY_DIR}/weft.map @ONLY)
  target_link_options(weft PRIVATE LINKER:--version-script=${PROJECT_BINARY_DIR}/weft.map)
  set_property(TARGET weft APPEND PROPERTY LINK_DEPENDS ${PROJECT_BINARY_DIR}/weft.map)
endif()

add_library(weft_static STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:weft>)
target_compile_features(weft_static PUBLIC cxx_std_20)
target_include_directories(weft_static INTERFACE $<TARGET_PROPERTY:weft,INTERFACE_INCLUDE_DIRECTORIES>)
get_target_property(libraries weft LINK_LIBRARIES)
target_link_libraries(weft_static PUBLIC ${libraries})
set_target_properties(weft_static PROPERTIES LINKER_LANGUAGE CXX)
