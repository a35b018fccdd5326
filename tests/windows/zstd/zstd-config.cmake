# Stands for Zstandard's package: Debian has none for Windows. Builds it from its single source in WEFT_ZSTD_SOURCE.
add_library(weft_test_zstd STATIC ${WEFT_ZSTD_SOURCE}/zstd.c)
target_include_directories(weft_test_zstd SYSTEM INTERFACE ${WEFT_ZSTD_SOURCE})
add_library(zstd::libzstd_static ALIAS weft_test_zstd)
