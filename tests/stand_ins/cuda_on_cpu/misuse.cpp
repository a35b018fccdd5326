#include "tests/stand_ins/cuda_on_cpu/misuse.h"

#include <cstdio>

namespace weft::test::cuda_on_cpu {

void report_misuse(const char* what) { std::fprintf(stderr, "cuda on cpu: misuse: %s\n", what); }

}  // namespace weft::test::cuda_on_cpu
