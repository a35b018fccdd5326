# Warnings and sanitizers for Weft's own targets; consumers keep their own.
option(WEFT_SANITIZE_TESTS "With WEFT_SANITIZE: sanitize the test programs too, and not just what they test" ON)
set(WEFT_TESTS_FOLDER ${PROJECT_SOURCE_DIR}/tests)

# Vulkan structures are filled after {sType}, which -Wmissing-field-initializers takes for a slip.
function(weft_compile_options target)
  set(sanitize ${WEFT_SANITIZE})
  get_target_property(folder ${target} SOURCE_DIR)
  cmake_path(IS_PREFIX WEFT_TESTS_FOLDER ${folder} is_test)
  if(is_test AND NOT WEFT_SANITIZE_TESTS)
    set(sanitize "")
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
  if(WEFT_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(sanitize)
    # Checks of dynamic types need type information, and Debian's glslang has none.
    target_compile_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                           -fno-omit-frame-pointer -g1)
    target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
  endif()
endfunction()
