# Finds the packages that a static Weft links, for its own build and for programs that link an installed Weft.
# WEFT_MISSING_PACKAGES has a sentence for each missing package.
set(WEFT_MISSING_PACKAGES "")
# weft_find(<package> <Debian package>)
macro(weft_find package debian)
  find_package(${package} QUIET CONFIG)
  if(NOT ${package}_FOUND)
    string(APPEND WEFT_MISSING_PACKAGES "\n  ${package} was not found: install ${debian} (Debian, Ubuntu).")
  endif()
endmacro()

# glslang's and SPIRV-Tools' packages name each other's targets without finding them, so the order matters.
find_package(Threads REQUIRED)
weft_find(zstd libzstd-dev)
if(WEFT_COMPILERS)
  weft_find(SPIRV-Tools spirv-tools)
  weft_find(SPIRV-Tools-opt spirv-tools)
  # The package file of glslang-dev stops CMake if the programs of glslang-tools are missing.
  find_program(WEFT_GLSLANG_VALIDATOR glslangValidator)
  if(NOT WEFT_GLSLANG_VALIDATOR)
    string(APPEND WEFT_MISSING_PACKAGES "\n  glslangValidator was not found: install glslang-tools (Debian, Ubuntu).")
  else()
    weft_find(glslang glslang-dev)
  endif()
  weft_find(spirv_cross_core libspirv-cross-c-shared-dev)
endif()
