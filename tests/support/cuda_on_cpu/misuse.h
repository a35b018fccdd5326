#pragma once

namespace weft::test::cuda_on_cpu {

/// Says on standard error that the caller broke a rule of CUDA's. Tests fail on it, for not every result is looked at.
void report_misuse(const char* what);

}  // namespace weft::test::cuda_on_cpu
