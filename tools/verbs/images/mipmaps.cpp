#include <weft/mipmaps.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <weft/device.h>

#include "support/mipmaps.h"
#include "support/png.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const mipmaps_footer =
    R"(IN is a PNG image, or an array of u8, f16 or f32 of shape (height, width), (height, width, channels) or (layers,
height, width, channels), with 1 to 4 channels. Each level has half the width and height of the one above. A texel is
the mean, minimum or maximum of the 2 x 2 that it covers, or 3 along an axis of odd size. PNG images have
8 bits per channel, or are reduced to them. They are taken as sRGB: means are of linear values. Arrays are taken as
linear.

Without --level all levels from 1 on are written: as an array of texels, one level after the other, or as a PNG image
that shows them beside the image itself.

Examples:
  weft mipmaps photo.png -o levels.png --verify
  weft mipmaps photo.png --level 3 -o small.png
  weft mipmaps depth.npy --filter max -o pyramid.npy)";

struct MipmapOptions : PrimitiveOptions {
  std::string filter = "box", colors, level;
};

MipFilter filter_of(const MipmapOptions& options) {
  constexpr std::pair<const char*, MipFilter> filters[] = {
      {"box", MipFilter::box}, {"min", MipFilter::min}, {"max", MipFilter::max}, {"min-max", MipFilter::min_max}};
  for (const auto& [name, filter] : filters) {
    if (options.filter == name) return filter;
  }
  fail_invalid("--filter: '" + options.filter + "' is not a filter; the filters are box, min, max and min-max");
}

// An image in layers. `shape` is that of the file, without the height and width.
struct Image {
  TexelFormat format;
  ScalarType type;
  uint32_t width, height, layers;
  std::vector<std::byte> texels;
  bool has_layers, has_channels;

  // The shape of `texels` per layer, which may be two numbers.
  std::vector<uint64_t> shape_of(std::vector<uint64_t> of_layer) const {
    if (has_layers) of_layer.insert(of_layer.begin(), layers);
    if (has_channels) of_layer.push_back(format.channels);
    return of_layer;
  }
};

TexelType type_of(const MipmapOptions& options, ScalarType type, bool png) {
  const std::string colors = options.colors.empty() ? (png ? "srgb" : "linear") : options.colors;
  if (colors != "srgb" && colors != "linear") fail_invalid("--colors: '" + colors + "' is neither srgb nor linear");
  if (type == ScalarType::u8) return colors == "srgb" ? TexelType::srgb8 : TexelType::unorm8;
  if (colors == "srgb") fail_invalid("--colors srgb is for images of u8, not " + to_string(type));
  if (type == ScalarType::f16) return TexelType::float16;
  if (type == ScalarType::f32) return TexelType::float32;
  fail_invalid("weft mipmaps takes images of u8, f16 or f32, not " + to_string(type) + "; convert the file first");
}

Image read_image(const MipmapOptions& options) {
  const bool png = is_png(options.input);
  Array array = png ? read_png(options.input) : read_elements(options);
  const TexelType type = type_of(options, array.type, png);
  const std::vector<uint64_t>& shape = array.shape;
  const size_t axes = shape.size(), rows = axes == 4 ? 1 : 0;
  if (axes < 2 || axes > 4) {
    fail_invalid(options.input +
                 " does not have the shape (height, width), (height, width, channels) or (layers, height, " +
                 "width, channels)");
  }
  const uint64_t most = Mipmaps::max_width, channels = axes == 2 ? 1 : shape.back();
  if (channels < 1 || channels > 4) {
    fail_invalid(options.input + " has " + format_count(channels) + " channels, by its last axis; images have 1 to 4");
  }
  if (shape[rows] > most || shape[rows + 1] > most || shape[0] > UINT32_MAX) {
    fail_invalid(options.input + " is too large; images have up to " + format_count(most) + " rows and columns");
  }
  return {{type, uint32_t(channels)},
          array.type,
          uint32_t(shape[rows + 1]),
          uint32_t(shape[rows]),
          axes == 4 ? uint32_t(shape[0]) : 1,
          std::move(array.data),
          axes == 4,
          axes > 2};
}

// The image, and the levels below one another at its right.
Array picture_of(const Mipmaps& plan, const Image& image, std::span<const std::byte> levels) {
  const uint64_t texel = image.format.bytes(), width = image.width + plan.size(1)[0];
  uint64_t height = 0;
  for (uint32_t level = 1; level < plan.levels(); ++level) height += plan.size(level)[1];
  height = std::max<uint64_t>(height, image.height);
  Array picture{ScalarType::u8, image.shape_of({height, width}), std::vector<std::byte>(height * width * texel)};
  const auto draw = [&](const std::byte* texels, std::array<uint32_t, 2> size, uint64_t column, uint64_t row) {
    for (uint64_t y = 0; y < size[1]; ++y) {
      std::memcpy(&picture.data[((row + y) * width + column) * texel], texels + y * size[0] * texel, size[0] * texel);
    }
  };
  draw(image.texels.data(), plan.size(0), 0, 0);
  for (uint32_t level = 1, row = 0; level < plan.levels(); row += plan.size(level++)[1]) {
    draw(&levels[plan.offset(level)], plan.size(level), image.width, row);
  }
  return picture;
}

// The texels of one level, or of all.
Array result_of(const Mipmaps& plan, const Image& image, std::span<const std::byte> levels, uint32_t level) {
  const uint64_t texel = image.format.bytes();
  if (level == 0) {
    const uint64_t texels = plan.level_bytes() / texel / image.layers;
    return {image.type, image.shape_of({texels}), {levels.begin(), levels.end()}};
  }
  const auto [width, height] = plan.size(level);
  Array array{image.type, image.shape_of({height, width}), {}};
  for (uint32_t layer = 0; layer < image.layers; ++layer) {
    const auto part = levels.subspan(plan.offset(level, layer), uint64_t{width} * height * texel);
    array.data.insert(array.data.end(), part.begin(), part.end());
  }
  return array;
}

void check_png(const Image& image) {
  if (image.type != ScalarType::u8 || image.has_layers || image.format.channels == 2) {
    fail_invalid("PNG images have 1, 3 or 4 channels of u8 and no layers; write a .npy file instead");
  }
}

void run(const MipmapOptions& options) {
  const MipFilter filter = filter_of(options);
  const Image image = read_image(options);
  const bool png = is_png(options.output);
  if (png) check_png(image);
  const Device device = options.open_device();
  const Mipmaps plan(device, image.format, image.width, image.height, {.filter = filter, .layers = image.layers});
  if (plan.levels() == 1) fail_invalid(options.input + " has one texel, and so no levels below");
  const uint32_t level =
      options.level.empty() ? 0 : uint32_t(parse_number(options.level, "--level", 1, plan.levels() - 1));
  std::optional<ArrayFile> file = open_output(options, options.output);

  Stream stream = device.stream();
  const auto input = upload(stream, image.texels);
  const auto output = device.buffer<std::byte>(plan.level_bytes());
  const auto counters = upload(stream, std::vector<std::byte>(plan.counter_bytes()));
  const RunTimes times = timed_run(stream, options.repeat, {output}, [&](Recorder& recorder) {
    plan.record(recorder, {.image = input, .levels = output, .counters = counters});
  });
  const std::vector<std::byte> levels = stream.download(output);
  note(format_count(plan.levels() - 1) + " levels of " + std::to_string(image.width) + " x " +
       std::to_string(image.height) + " texels of " + std::to_string(image.format.bytes()) + " bytes on " +
       describe(device) + ": " + times.text() + ", " +
       format_rate(double(plan.image_bytes() + plan.level_bytes()) / times.median()));
  if (options.verify) {
    require_verified(wrong_mipmaps(plan, image.format, filter, image.layers, image.texels, levels),
                     "levels computed on the CPU, each from the one above");
  }
  Array result = png && level == 0 ? picture_of(plan, image, levels) : result_of(plan, image, levels, level);
  if (png) result.data = png_of(result.shape, result.data);
  write_or_print(file, result.type, result.shape, result.data);
}

}  // namespace

void add_mipmaps(CommandLine& command_line) {
  auto options = std::make_shared<MipmapOptions>();
  Verb verb = command_line.add_verb("mipmaps", "Compute the levels of an image's pyramid");
  add_primitive_options(verb, *options);
  verb.add_option("--filter", options->filter,
                  "box (mean), min, max, or min-max: min in the first and third channel, max in the others")
      .type_name("FILTER")
      .capture_default();
  verb.add_option("--colors", options->colors, "srgb or linear; default: srgb for PNG images, else linear")
      .type_name("SPACE");
  verb.add_option("--level", options->level, "Write this level alone").type_name("K");
  verb.footer(mipmaps_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
