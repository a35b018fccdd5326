#pragma once

#include <cstdint>

namespace weft::test::cuda_on_cpu {

// Blocks run one after the other, so the driver reports one resident block.
constexpr uint32_t most_blocks_x = 0x7fffffff, most_blocks_yz = 65535;
constexpr uint32_t multiprocessors = 1, most_resident_blocks = 1, most_resident_threads = 2048;
constexpr uint32_t reserved_block_memory_bytes = 1024;  ///< Per block, of its multiprocessor's memory.
constexpr uint32_t declared_memory_bytes = 48 * 1024;   ///< Available to a block without opting in to more.

}  // namespace weft::test::cuda_on_cpu
