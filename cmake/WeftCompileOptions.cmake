# Warnings and sanitizers for Weft's own targets; consumers keep their own.
option(WEFT_SANITIZE_PROGRAMS "With WEFT_SANITIZE: sanitize the command, benchmarks and test programs too" ON)
set(WEFT_ALWAYS_SANITIZED weft weft_tools_support)  # the library, and what reads and writes the command's files

# Vulkan structures are filled after {sType}, which -Wmissing-field-initializers takes for a slip.
function(weft_compile_options target)
  set(sanitize ${WEFT_SANITIZE})
  if(NOT WEFT_SANITIZE_PROGRAMS AND NOT target IN_LIST WEFT_ALWAYS_SANITIZED)
    set(sanitize "")
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # which blames callers of std::stable_sort for what libstdc++ calls inside
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  if(WEFT_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(sanitize)
    # Checks of dynamic types need type information, and Debian's glslang has none.
    target_compile_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                           -fno-omit-frame-pointer -g1 -O0)  # -O1 takes half as long again to compile
    target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
  endif()
endfunction()
