# Stands for Zstandard's package: Debian has none for Windows. Builds it from its single source in WEFT_ZSTD_SOURCE.
enable_language(C)
add_library(weft_test_zstd STATIC ${WEFT_ZSTD_SOURCE}/zstd.c)
target_include_directories(weft_test_zstd SYSTEM INTERFACE ${WEFT_ZSTD_SOURCE})
# A program that only unpacks has a third of it, by --gc-sections: which keeps what unwind tables refer to.
target_compile_options(weft_test_zstd PRIVATE -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables)
add_library(zstd::libzstd_static ALIAS weft_test_zstd)
