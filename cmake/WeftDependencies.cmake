# What the library links. glslang's and SPIRV-Tools' packages name one another's targets without finding them, so the
# order matters. Everything is static in Debian, so a program built with Weft needs no library but the C++ runtime.
find_package(Threads REQUIRED)
find_package(SPIRV-Tools REQUIRED CONFIG)
find_package(SPIRV-Tools-opt REQUIRED CONFIG)
find_package(glslang REQUIRED CONFIG)
find_package(spirv_cross_core REQUIRED CONFIG)
find_path(WEFT_XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
