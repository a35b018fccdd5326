# Warnings and sanitizers for Weft's own targets; consumers keep their own.
# Vulkan structures are filled after {sType}, which -Wmissing-field-initializers takes for a slip.
function(weft_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
  if(WEFT_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WEFT_SANITIZE)
    # Checks of dynamic types need type information, and Debian's glslang has none.
    target_compile_options(${target} PRIVATE -fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${WEFT_SANITIZE})
  endif()
endfunction()
