# Writes OUTPUT, a C++ source that defines NAME(), which returns PACK. The assembler reads the bytes, which takes no time;
# as an array in C++ a megabyte takes seconds. The hash is for compiler caches, which may overlook .incbin: ccache 4.7
# does in its depend mode.
file(SHA256 ${PACK} hash)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [=[
// @hash@
#include "@NAME@.h"

#include <cstddef>
#include <span>

asm(R"(
.pushsection .rodata
.balign 16
.hidden @NAME@_begin
.globl @NAME@_begin
@NAME@_begin:
.incbin "@PACK@"
.hidden @NAME@_end
.globl @NAME@_end
@NAME@_end:
.popsection
)");

extern "C" const std::byte @NAME@_begin[], @NAME@_end[];

weft::Pack @NAME@() { return weft::Pack::in_memory(std::span(@NAME@_begin, @NAME@_end), "@NAME@"); }
]=] @ONLY)
