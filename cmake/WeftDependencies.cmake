# What the library is built with. What it links is static in Debian, so a program built with Weft needs no library but the
# C++ runtime.
include(WeftLinkedPackages)
find_path(WEFT_XXHASH_INCLUDE_DIR xxhash.h)
if(NOT WEFT_XXHASH_INCLUDE_DIR)
  string(APPEND WEFT_MISSING_PACKAGES "\n  xxhash.h is not found: install libxxhash-dev (Debian, Ubuntu).")
endif()
if(WEFT_MISSING_PACKAGES)
  message(FATAL_ERROR "Weft cannot be built:${WEFT_MISSING_PACKAGES}\nscripts/setup.sh installs all that it needs.")
endif()
