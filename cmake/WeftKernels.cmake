# weft_add_kernels(<target> [NAMESPACE <ns>] [HEADER <name.h>] [DEFINES NAME=VALUE...] [OPTIONS <option>...]
#                  KERNELS <file>...)
#
# Compiles compute shaders to SPIR-V at build time and embeds them in <target>. Each becomes a function that returns the
# module, declared in a generated header (by default <target>_kernels.h, on the target's include path):
#
#   weft_add_kernels(app NAMESPACE app::kernels KERNELS saxpy.comp)
#
#   #include "app_kernels.h"
#   weft::Kernel saxpy = device.kernel(app::kernels::saxpy());
#
# Files exist already, or an earlier custom command generates them. The file name gives the language: .hlsl is HLSL and
# .slang is Slang, with the entry point main, .spv is SPIR-V, anything else is GLSL. It also gives the stage: .vert and
# .frag are shaders for graphics pipelines of your own, anything else is a compute shader.
#
# glslangValidator (Debian: glslang-tools) compiles GLSL, slangc Slang, and WEFT_HLSL_COMPILER HLSL: the first found of
# dxc, slangc and glslangValidator. OPTIONS go to the compiler, so set WEFT_HLSL_COMPILER where HLSL has OPTIONS.
#
# After a line `#extension GL_GOOGLE_include_directive : require`, GLSL may #include "weft/..." from Weft's shader
# library, and files in its own folder. A change to any of them recompiles the shader. A second call for the same target
# must name another HEADER.
include(${CMAKE_CURRENT_LIST_DIR}/WeftShaderCompilers.cmake)

function(weft_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE;HEADER" "DEFINES;OPTIONS;KERNELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_add_kernels: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_KERNELS)
    message(FATAL_ERROR "weft_add_kernels: KERNELS names no shader")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE kernels)
  endif()
  if(NOT arg_HEADER)
    set(arg_HEADER ${target}_kernels.h)
  endif()
  get_target_property(headers ${target} WEFT_KERNEL_HEADERS)
  if(arg_HEADER IN_LIST headers)
    message(FATAL_ERROR "weft_add_kernels: ${target} already has a ${arg_HEADER}; name another with HEADER")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY WEFT_KERNEL_HEADERS ${arg_HEADER})
  cmake_path(GET arg_HEADER STEM LAST_ONLY stem)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
  set(embed ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WeftEmbedSpirv.cmake)
  set(declarations "")
  set(codes "")
  foreach(kernel IN LISTS arg_KERNELS)
    cmake_path(ABSOLUTE_PATH kernel OUTPUT_VARIABLE source)
    get_source_file_property(generated ${source} GENERATED)
    if(NOT EXISTS ${source} AND NOT generated)
      message(FATAL_ERROR "weft_add_kernels: ${source} does not exist. If a custom command generates it, call "
        "add_custom_command() first.")
    endif()
    cmake_path(GET source STEM LAST_ONLY name)
    string(MAKE_C_IDENTIFIER ${name} name)
    cmake_path(GET source EXTENSION LAST_ONLY suffix)
    set(module ${folder}/${stem}/${name}.spv)
    if(suffix STREQUAL ".spv")
      set(module ${source})
    else()
      weft_compile_shader(${module} ${source} DEFINES ${arg_DEFINES} OPTIONS ${arg_OPTIONS})
    endif()
    set(code ${folder}/${stem}/${name}.cpp)
    add_custom_command(
      OUTPUT ${code}
      COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DOUTPUT=${code} -DNAME=${name} -DNAMESPACE=${arg_NAMESPACE}
              -P ${embed}
      DEPENDS ${module} ${embed}
      VERBATIM)
    target_sources(${target} PRIVATE ${code})
    set_source_files_properties(${code} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    list(APPEND codes ${code})
    string(APPEND declarations "weft::Spirv ${name}();\n")
  endforeach()
  # A target in another folder sees these files, but not the rules that generate them.
  add_custom_target(${target}_${stem} DEPENDS ${codes})
  add_dependencies(${target} ${target}_${stem})
  file(MAKE_DIRECTORY ${folder}/${stem})  # compilers create no folders
  file(CONFIGURE OUTPUT ${folder}/${arg_HEADER} CONTENT [=[
#pragma once

#include <weft/spirv.h>

namespace @arg_NAMESPACE@ {

@declarations@
}  // namespace @arg_NAMESPACE@
]=] @ONLY)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
