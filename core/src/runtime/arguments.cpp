#include <weft/arguments.h>

#include <algorithm>

namespace weft {

Arguments& Arguments::push(std::span<const std::byte> block) {
  if (block.size() > max_push_constant_bytes) {
    throw Error(ErrorCode::invalid_argument,
                "A push-constant block of " + std::to_string(block.size()) + " bytes was given; the limit is " +
                    std::to_string(max_push_constant_bytes) + ". Put the rest into a buffer and pass a pointer to it.");
  }
  std::ranges::copy(block, block_.begin());
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(block.size()), block_.end(), std::byte{});
  block_bytes_ = block.size();
  padding_.reset();
  return *this;
}

Arguments& Arguments::bind(uint32_t set, uint32_t binding, const Region& region, uint32_t element) {
  const auto same = [&](const Binding& b) { return b.set == set && b.binding == binding && b.element == element; };
  const auto bound = std::ranges::find_if(bindings_, same);
  if (bound != bindings_.end()) {
    bound->region = region;
  } else {
    bindings_.push_back({set, binding, element, region});
  }
  return *this;
}

}  // namespace weft
