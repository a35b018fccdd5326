#pragma once

namespace weft::test::cuda_on_cpu {

/// Reports on standard error that the caller broke a rule of CUDA. Tests fail on this, since not every result is
/// checked.
void report_misuse(const char* what);

}  // namespace weft::test::cuda_on_cpu
