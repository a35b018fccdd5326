#pragma once

#include "bench/benchmark.h"

namespace weft::bench {

// How each primitive's cases are made; the definitions are in cases/.
std::unique_ptr<Case> prepare_copy_kernel(const Problem& problem);
std::unique_ptr<Case> prepare_copy_buffer(const Problem& problem);
std::unique_ptr<Case> prepare_reduce(const Problem& problem);
std::unique_ptr<Case> prepare_scan(const Problem& problem);
std::unique_ptr<Case> prepare_scan_look_back(const Problem& problem);
std::unique_ptr<Case> prepare_scan_reduce_then_scan(const Problem& problem);
std::unique_ptr<Case> prepare_compact(const Problem& problem);
std::unique_ptr<Case> prepare_compact_look_back(const Problem& problem);
std::unique_ptr<Case> prepare_compact_reduce_then_scan(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_naive(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_subgroup(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_multi_item(const Problem& problem);
std::unique_ptr<Case> prepare_enqueue_complement(const Problem& problem);

}  // namespace weft::bench
