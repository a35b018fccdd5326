#include <weft/mipmaps.h>

#include "tests/translate/vendors/plans.h"

namespace weft::test {

void mipmaps(Plans& plans) {
  // Levels of 4096 texels are even, some of 4000 are odd.
  const auto add = [&](const std::string& what, TexelType type, uint32_t channels, MipFilter filter) {
    const std::string texels = std::to_string(channels) + " " + what;
    const Mipmaps::Options options{.filter = filter};
    plans.make<Mipmaps>("mipmaps of " + texels, TexelFormat{type, channels}, 4000u, 4000u, options);
    plans.make<Mipmaps>("even mipmaps of " + texels, TexelFormat{type, channels}, 4096u, 4096u, options);
  };
  add("bytes", TexelType::unorm8, 4, MipFilter::box);
  add("bytes", TexelType::unorm8, 3, MipFilter::box);
  add("bytes in sRGB", TexelType::srgb8, 4, MipFilter::box);
  add("halves", TexelType::float16, 4, MipFilter::box);
  add("floats", TexelType::float32, 4, MipFilter::box);
  add("floats, smallest and largest", TexelType::float32, 2, MipFilter::min_max);
  add("halves, largest", TexelType::float16, 1, MipFilter::max);
  plans.make<Mipmaps>("pyramid of sums of a float", TexelFormat{TexelType::float32, 1}, 4000u, 4000u,
                      Mipmaps::Options{.op = Operator::sum()});
}

}  // namespace weft::test
