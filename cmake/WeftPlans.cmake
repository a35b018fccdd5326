# weft_add_plans(<target> LIST <file> [NAME <name>] [PROFILES <profile>...] [DEVICES <selector>...] [TUNING <file>])
#
# Compiles the plans and kernels of a list into a pack when the project is built, and links it into <target>. A generated
# header declares a function that returns the pack:
#
#   weft_add_plans(app LIST plans.txt PROFILES nvidia amd sm_90)
#
#   #include "app_plans.h"
#   options.packs = {app_plans()};
#
# NAME replaces the name of both, <target>_plans. PROFILES, DEVICES and TUNING are those of `weft pack`, with files
# relative to the current source folder. A change of the list, of a module that it names, or of another file makes the
# pack anew. WEFT_PACK_COMMAND is the `weft` command of the same version, needed where this build or package of Weft has
# none: with WEFT_COMPILERS=OFF, or for another system.
set(WEFT_PACK_COMMAND "" CACHE FILEPATH "The weft command that makes packs; empty: this Weft's own")

function(weft_add_plans target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIST;NAME;TUNING" "PROFILES;DEVICES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_add_plans: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LIST)
    message(FATAL_ERROR "weft_add_plans: LIST names no list of plans")
  endif()
  if(NOT arg_PROFILES AND NOT arg_DEVICES)
    message(FATAL_ERROR "weft_add_plans: name the devices that the pack serves with PROFILES or DEVICES")
  endif()
  if(NOT arg_NAME)
    string(MAKE_C_IDENTIFIER ${target}_plans arg_NAME)
  endif()
  cmake_path(ABSOLUTE_PATH arg_LIST OUTPUT_VARIABLE list)
  if(NOT EXISTS ${list})
    message(FATAL_ERROR "weft_add_plans: ${list} does not exist. WEFT_RECORD_PLANS=${list} in the environment of the "
      "program makes it (docs/shipping.md).")
  endif()
  set(command ${WEFT_PACK_COMMAND})
  if(NOT command AND NOT WEFT_COMPILERS)
    # Its command, if it has one, makes no packs.
  elseif(NOT command AND TARGET weft_tool)
    set(command $<TARGET_FILE:weft_tool>)
  elseif(NOT command AND TARGET weft::command)
    set(command $<TARGET_FILE:weft::command>)
  endif()
  if(NOT command)
    message(FATAL_ERROR "weft_add_plans: this Weft has no command that makes packs. Build Weft with its tools too, and "
      "name its command with -DWEFT_PACK_COMMAND=<path of weft>.")
  endif()
  # Modules are beside the list.
  file(STRINGS ${list} kernels REGEX "^ *kernel ")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  cmake_path(GET list PARENT_PATH beside)
  set(modules "")
  foreach(kernel IN LISTS kernels)
    if(kernel MATCHES " file=([^ ]+)")
      list(APPEND modules ${beside}/${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(profiles "")
  set(files "")
  foreach(profile IN LISTS arg_PROFILES)
    if(profile MATCHES "\\.json$")
      cmake_path(ABSOLUTE_PATH profile)
      list(APPEND files ${profile})
    endif()
    list(APPEND profiles --profile=${profile})
  endforeach()
  list(TRANSFORM arg_DEVICES PREPEND "--device=" OUTPUT_VARIABLE devices)
  set(tuning "")
  if(arg_TUNING)
    cmake_path(ABSOLUTE_PATH arg_TUNING)
    list(APPEND files ${arg_TUNING})
    set(tuning --tuning=${arg_TUNING})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_packs)
  set(pack ${folder}/${arg_NAME}.weftpack)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${pack}
    COMMAND ${command} pack ${list} ${profiles} ${devices} ${tuning} -o ${pack}
    DEPENDS ${list} ${modules} ${files} ${command}
    COMMENT "Making the pack ${arg_NAME}"
    VERBATIM)
  file(CONFIGURE OUTPUT ${folder}/${arg_NAME}.h CONTENT [=[
#pragma once

#include <weft/pack.h>

/// The plans and kernels of @arg_LIST@, compiled. The pack's bytes are a part of the program.
weft::Pack @arg_NAME@();
]=] @ONLY)
  set(embed ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WeftEmbedPack.cmake)
  add_custom_command(
    OUTPUT ${folder}/${arg_NAME}.cpp
    COMMAND ${CMAKE_COMMAND} -DPACK=${pack} -DNAME=${arg_NAME} -DOUTPUT=${folder}/${arg_NAME}.cpp -P ${embed}
    DEPENDS ${pack} ${embed}
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${arg_NAME}.cpp)
  set_source_files_properties(${folder}/${arg_NAME}.cpp TARGET_DIRECTORY ${target} PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
