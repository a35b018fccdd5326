#include <weft/mipmaps.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/images/mipmaps.comp.
struct Block {
  uint64_t image, levels, counters;
  uint32_t width, height, level_count, tiles, layer_texels, layer_counters;
};

using Size = std::array<uint32_t, 2>;

uint64_t area(const Size& size) { return uint64_t{size[0]} * size[1]; }

// The texel as an element: its units and alignment.
Element element_of(const TexelFormat& format) {
  const std::string scalar = format.channel_bytes() == 4   ? "float"
                             : format.channel_bytes() == 2 ? "float16_t"
                                                           : "uint8_t";
  std::vector<Element::Field> fields;
  for (uint32_t c = 0; c < format.channels; ++c) fields.push_back({scalar, "channel" + std::to_string(c)});
  return Element::structure(fields);
}

void check_plan(const TexelFormat& format, const Size& size, const Mipmaps::Options& options) {
  if (format.channels == 0 || format.channels > 4) {
    core::invalid("Mipmaps", "texels have 1 to 4 channels, not " + std::to_string(format.channels) + ".");
  }
  const std::string images = std::to_string(options.layers) + " image(s) of " + std::to_string(size[0]) + " x " +
                             std::to_string(size[1]) + " texels";
  const auto [least, most] = std::minmax(size[0], size[1]);
  if (least == 0 || most > Mipmaps::max_width) {
    core::invalid("Mipmaps", images + "; width and height are 1 to " + std::to_string(Mipmaps::max_width) + ".");
  }
  if (options.layers == 0 || options.max_levels == 0) {
    core::invalid("Mipmaps", "'layers' is " + std::to_string(options.layers) + " and 'max_levels' " +
                                 std::to_string(options.max_levels) + "; both are at least 1.");
  }
  constexpr uint64_t limit = uint64_t{1} << 31;
  if (area(size) * options.layers >= limit) core::invalid("Mipmaps", images + "; together they have fewer than 2^31.");
}

void check_index(const char* name, uint32_t index, uint32_t first, uint32_t end) {
  if (index >= first && index < end) return;
  core::invalid("Mipmaps", std::string("there is no ") + name + " " + std::to_string(index) + " here; the first is " +
                               std::to_string(first) + ", and " + std::to_string(end) + " comes after the last.");
}

// How the levels are divided into tiles and steps, as the kernel does it.
struct Shape {
  Size image;
  uint32_t layers, levels;
  uint32_t tile_levels;  // The most levels of a tile.

  Size size(uint32_t level) const { return {std::max(image[0] >> level, 1u), std::max(image[1] >> level, 1u)}; }
  uint64_t texels(uint32_t first, uint32_t end) const {
    uint64_t sum = 0;
    for (uint32_t level = first; level < end; ++level) sum += area(size(level));
    return sum;
  }
  uint64_t tiles(uint32_t level) const {
    const uint32_t side = 1u << (tile_levels - 1);
    const Size of = size(level);
    return area({(of[0] + side - 1) / side, (of[1] + side - 1) / side});
  }
  // Whether both axes are 1 or even at this level.
  bool is_split(uint32_t level) const {
    return std::ranges::all_of(size(level), [](uint32_t along) { return along == 1 || along % 2 == 0; });
  }
  // Whether no texel has a third tap.
  bool is_even() const {
    for (uint32_t level = 0; level + 1 < levels; ++level) {
      if (!is_split(level)) return false;
    }
    return true;
  }
  // The first level of the step after the one that starts with `first`.
  uint32_t next_step(uint32_t first) const {
    const bool is_whole = tiles(first) == 1;
    uint32_t level = first + 1;
    while (level < levels && level < first + tile_levels && (is_whole || is_split(level - 1))) ++level;
    return level;
  }
  // The counters of a layer: one for each tile that is not of the first step.
  uint64_t counters() const {
    uint64_t sum = 0;
    for (uint32_t first = next_step(1); first < levels; first = next_step(first)) sum += tiles(first);
    return sum;
  }
};

// Tiles of 32 x 32 texels and their levels take up to 11 KiB of workgroup memory; those of larger texels are smaller.
uint32_t tile_levels_of(const Element& texel) { return texel.words() <= 2 ? 6 : 5; }

// The number that leaves a kernel the registers it needs on sm_90, without spills.
uint32_t workgroups_per_multiprocessor(const TexelFormat& format, const Element& texel, bool is_even) {
  if (!is_even) return texel.words() <= 2 ? 3 : 2;
  return format.type == TexelType::unorm8 ? 8 : 4;
}

Kernel make_kernel(const Device& device, const TexelFormat& format, const Element& texel, const Shape& shape,
                   const Mipmaps::Options& options) {
  KernelMaker maker = KernelMaker(device, "Mipmaps").bits_of(texel).tiling(make_tiling(device.info(), 1, {}));
  maker.workgroups_per_multiprocessor(workgroups_per_multiprocessor(format, texel, shape.is_even()));
  if (shape.is_even()) maker.define("WEFT_MIP_EVEN");
  maker.define("T_WORDS", std::to_string(texel.words())).define("T_BYTES", std::to_string(texel.bytes()));
  maker.define("WEFT_CHANNELS", std::to_string(format.channels));
  maker.define("WEFT_CHANNEL_BITS", std::to_string(8 * format.channel_bytes()));
  maker.define("WEFT_MIP_LEVELS", std::to_string(tile_levels_of(texel)));
  if (format.type == TexelType::srgb8) maker.define("WEFT_SRGB");
  if (options.op) {
    maker.expression("WEFT_MIP_COMBINE", "operator '" + options.op->name + "'", options.op->combine, "on texels");
  } else if (options.filter != MipFilter::box) {
    const char* const flips[] = {"", "uvec4(0u)", "uvec4(~0u)", "uvec4(0u, ~0u, 0u, ~0u)"};
    maker.define("WEFT_MIP_FLIP", flips[size_t(options.filter)]);
  }
  return maker.make("images/mipmaps");
}

}  // namespace

struct Mipmaps::Impl {
  Device device;
  Element texel;
  Shape shape;
  Kernel kernel;
};

Mipmaps::Mipmaps(const Device& device, const TexelFormat& format, uint32_t width, uint32_t height,
                 const Options& options) {
  const PlanNote note(device, MipmapsParameters{format, width, height, options});
  check_plan(format, {width, height}, options);
  const Element texel = element_of(format);
  const uint32_t levels = std::min<uint32_t>(std::bit_width(std::max(width, height)), options.max_levels);
  const Shape shape{{width, height}, options.layers, levels, tile_levels_of(texel)};
  impl_ = std::make_shared<Impl>(Impl{device, texel, shape, make_kernel(device, format, texel, shape, options)});
}

Mipmaps::Mipmaps(const Device& device, const TexelFormat& format, uint32_t width, uint32_t height)
    : Mipmaps(device, format, width, height, Options{}) {}

uint32_t Mipmaps::levels() const { return impl_->shape.levels; }

std::array<uint32_t, 2> Mipmaps::size(uint32_t level) const {
  check_index("level", level, 0, levels());
  return impl_->shape.size(level);
}

uint64_t Mipmaps::offset(uint32_t level, uint32_t layer) const {
  const Shape& shape = impl_->shape;
  check_index("level", level, 1, levels());
  check_index("layer", layer, 0, shape.layers);
  return (layer * shape.texels(1, levels()) + shape.texels(1, level)) * impl_->texel.bytes();
}

uint64_t Mipmaps::image_bytes() const { return impl_->shape.layers * area(size(0)) * impl_->texel.bytes(); }

uint64_t Mipmaps::level_bytes() const {
  return impl_->shape.layers * impl_->shape.texels(1, levels()) * impl_->texel.bytes();
}

uint64_t Mipmaps::counter_bytes() const { return 4 * impl_->shape.layers * impl_->shape.counters(); }

void Mipmaps::record(Recorder& recorder, const Arguments& arguments) const {
  const Shape& shape = impl_->shape;
  const uint32_t align = impl_->texel.unit_bytes();
  ArgumentChecks checks("Mipmaps", impl_->device, recorder);
  checks.region("image", arguments.image, image_bytes(), align);
  checks.region("levels", arguments.levels, level_bytes(), align);
  checks.region("counters", arguments.counters, counter_bytes(), 4);
  checks.overlaps();
  if (levels() == 1) return;
  const uint64_t tiles = shape.layers * shape.tiles(1);
  const Block block{arguments.image.address(),
                    arguments.levels.address(),
                    arguments.counters.address(),
                    shape.image[0],
                    shape.image[1],
                    levels(),
                    uint32_t(tiles),
                    uint32_t(shape.texels(1, levels())),
                    uint32_t(shape.counters())};
  recorder.dispatch(impl_->kernel, spread(tiles, impl_->device.info().limits), block);
}

Mipmaps mipmaps(Stream& stream, const TexelFormat& format, uint32_t width, uint32_t height, const ElementMemory& image,
                const ElementMemory& levels, const Mipmaps::Options& options) {
  check_plan(format, {width, height}, options);
  const Element texel = element_of(format);
  std::string parameters = options.op ? key_of(*options.op) : std::string();
  for (const uint32_t value : {uint32_t(format.type), uint32_t(options.filter), width, height, options.max_levels}) {
    parameters += "\n" + std::to_string(value);
  }
  const auto plan = stream.cached<Mipmaps>(plan_key("mipmaps", texel, parameters, options.layers), [&] {
    return std::make_shared<Mipmaps>(stream.device(), format, width, height, options);
  });
  const Region& from = elements_in("mipmaps", "image", image, texel);
  const Region& to = elements_in("mipmaps", "levels", levels, texel);
  if (from.bytes == 0) return *plan;
  const Region counters = stream.scratch(plan->counter_bytes());
  stream.fill_region(counters, std::array<std::byte, 4>{});
  plan->record(stream, {.image = from, .levels = to, .counters = counters});
  return *plan;
}

}  // namespace weft
