# The library's dependencies. Debian has them as static libraries, so a program built with Weft needs no library but the
# C++ runtime.
include(WeftLinkedPackages)
find_path(WEFT_XXHASH_INCLUDE_DIR xxhash.h)
if(NOT WEFT_XXHASH_INCLUDE_DIR)
  string(APPEND WEFT_MISSING_PACKAGES "\n  xxhash.h was not found: install libxxhash-dev (Debian, Ubuntu).")
endif()
if(WEFT_MISSING_PACKAGES)
  message(FATAL_ERROR "Weft cannot be built:${WEFT_MISSING_PACKAGES}\nscripts/setup.sh installs all dependencies.")
endif()
