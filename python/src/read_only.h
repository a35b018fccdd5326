#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace weft::python {

/// The buffers that a kernel declares `readonly`, so that it takes arrays that are.
struct ReadOnlyBuffers {
  std::set<std::pair<uint32_t, uint32_t>> bindings;  ///< By set and binding.
  std::set<uint32_t> references;                     ///< Offsets of buffer references in the push-constant block.
};

ReadOnlyBuffers read_only_buffers(const std::vector<uint32_t>& module);

}  // namespace weft::python
