# Warnings and sanitizers for Weft's own targets; consumers keep their own.
option(WEFT_SANITIZE_PROGRAMS "With WEFT_SANITIZE: also sanitize the command, benchmarks and test programs" ON)
set(WEFT_ALWAYS_SANITIZED weft weft_support)  # the library, and the command's reading and writing of files

# Vulkan structures are initialized with {sType} and filled later; -Wmissing-field-initializers takes that for an error.
function(weft_compile_options target)
  set(sanitize ${WEFT_SANITIZE})
  if(NOT WEFT_SANITIZE_PROGRAMS AND NOT target IN_LIST WEFT_ALWAYS_SANITIZED)
    set(sanitize "")
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                         -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # which warns at callers of std::stable_sort about libstdc++'s own calls
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
    if(CMAKE_UNITY_BUILD)  # what is local in a source may be called as something at file scope in another
      target_compile_options(${target} PRIVATE -Wno-shadow)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # GCC 12 at -O3: false, at "a" + std::string()
  endif()
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # takes what is included for a header
    if(NOT target STREQUAL weft)  # what is local in a test may be called as something at file scope in another source
      target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local)
    endif()
  endif()
  if(WEFT_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(sanitize)
    # Checks of dynamic types need RTTI, which Debian's glslang lacks.
    target_compile_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                           -fno-omit-frame-pointer -g1 -O0)  # -O1 takes 1.5 times as long to compile
    target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
  endif()
endfunction()
