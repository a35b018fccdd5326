# The compilers of weft_add_kernels(). Each writes ${module} from ${source}, both absolute paths.

# weft_find_shader_compiler(<variable> <advice> <name>...): the first of the programs, or an error that ends in the advice.
function(weft_find_shader_compiler variable advice)
  find_program(${variable} NAMES ${ARGN})
  if(NOT ${variable})
    list(JOIN ARGN ", " names)
    message(FATAL_ERROR "No compiler for this shader was found (${names}): ${advice}, or give one with "
      "-D${variable}=<file>.")
  endif()
endfunction()

# weft_compile_shader(<module> <source> [DEFINES NAME=VALUE...] [OPTIONS <option>...]): adds the rule.
function(weft_compile_shader module source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEFINES;OPTIONS")
  cmake_path(GET source EXTENSION LAST_ONLY suffix)
  cmake_path(GET source FILENAME file)
  list(TRANSFORM arg_DEFINES PREPEND -D)
  set(options -I${WEFT_SHADER_INCLUDE_DIR} ${arg_DEFINES} ${arg_OPTIONS})
  set(depfile DEPFILE ${module}.d)
  set(included "")
  set(check "")
  if(suffix STREQUAL ".slang")
    weft_find_shader_compiler(WEFT_SLANGC "install the Vulkan SDK or a release of Slang" slangc)
    set(compiler ${WEFT_SLANGC})
  elseif(suffix STREQUAL ".hlsl")
    weft_find_shader_compiler(WEFT_HLSL_COMPILER "install glslang-tools (Debian, Ubuntu)"
      dxc slangc glslangValidator)
    set(compiler ${WEFT_HLSL_COMPILER})
  else()
    weft_find_shader_compiler(WEFT_GLSLANG_VALIDATOR "install glslang-tools (Debian, Ubuntu)" glslangValidator)
    set(compiler ${WEFT_GLSLANG_VALIDATOR})
  endif()
  cmake_path(GET compiler STEM compiler_name)
  if(compiler_name MATCHES "^dxc")
    # dxc writes dependencies only instead of a module.
    set(depfile "")
    weft_find_included(included ${source} ${WEFT_SHADER_INCLUDE_DIR})
    set(command ${compiler} -spirv -T cs_6_0 -E main -fspv-target-env=vulkan1.2 ${options} -Fo ${module} ${source})
  elseif(compiler_name MATCHES "^slangc")
    set(command ${compiler} ${source} -target spirv -entry main -stage compute ${options} -depfile ${module}.d
        -o ${module})
  else()
    set(stage comp)
    set(language --target-env vulkan1.2)
    if(suffix STREQUAL ".hlsl")
      # glslang declares HLSL's storage buffers as in SPIR-V 1.3 and earlier.
      set(language -D -e main --target-env vulkan1.1)
      set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WeftCheckHlsl.cmake)
      set(check COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DSOURCE=${file} -P ${script})
    elseif(suffix MATCHES "^\\.(vert|frag)$")
      set(stage ${CMAKE_MATCH_1})
    endif()
    set(command ${compiler} --quiet -V -S ${stage} ${language} ${options} --depfile ${module}.d -o ${module} ${source})
  endif()
  add_custom_command(
    OUTPUT ${module}
    COMMAND ${command}
    ${check}
    DEPENDS ${source} ${included}
    ${depfile}
    COMMENT "Compiling ${file} to SPIR-V"
    VERBATIM)
endfunction()

# weft_find_included(<variable> <source> <folder>...): the files that a source includes, directly or not, from its own
# folder or those. CMake runs again when one of them changes.
function(weft_find_included variable source)
  set(found "")
  set(open ${source})
  while(open)
    list(POP_FRONT open file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file PARENT_PATH folder)
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*).*" "\\1" name "${line}")
      foreach(candidate IN LISTS folder ARGN)
        if(EXISTS ${candidate}/${name} AND NOT ${candidate}/${name} IN_LIST found)
          list(APPEND found ${candidate}/${name})
          list(APPEND open ${candidate}/${name})
          break()
        endif()
      endforeach()
    endforeach()
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
