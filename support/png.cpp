#include "support/png.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include <weft/error.h>

#include "core/src/platform/utf8.h"

#ifndef __clang_analyzer__  // It suspects leaks in stb's code.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#endif
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_FAILURE_USERMSG
#include <stb_image.h>
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace weft::support {

bool is_png(const std::string& name) {
  std::string ending = core::utf8_text(core::utf8_path(name).extension());
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return ending == ".png";
}

Array read_png(const std::string& name) {
  const std::vector<std::byte> file = read_bytes(name);
  const auto* const bytes = reinterpret_cast<const stbi_uc*>(file.data());
  int width = 0, height = 0, channels = 0;
  const auto load = [&](int wanted) {
    return std::unique_ptr<stbi_uc, void (*)(void*)>(
        stbi_load_from_memory(bytes, int(file.size()), &width, &height, &channels, wanted), stbi_image_free);
  };
  // Only loading counts a transparent colour as a channel; stbi_info_from_memory() reads the header alone.
  auto image = load(0);
  if (image && channels == 2) {
    image = load(4);
    channels = 4;
  }
  if (!image) {
    throw Error(ErrorCode::invalid_argument, name + " cannot be read as a PNG image: " + stbi_failure_reason());
  }
  Array array{ScalarType::u8, {uint64_t(height), uint64_t(width), uint64_t(channels)}, {}};
  const auto* const first = reinterpret_cast<const std::byte*>(image.get());
  array.data.assign(first, first + array.shape[0] * array.shape[1] * array.shape[2]);
  return array;
}

std::vector<std::byte> png_of(std::span<const uint64_t> shape, std::span<const std::byte> image) {
  std::vector<std::byte> file;
  const auto append = [](void* to, void* data, int size) {
    const auto* const bytes = static_cast<const std::byte*>(data);
    static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(), bytes,
                                                     bytes + size);
  };
  const int height = int(shape[0]), width = int(shape[1]), channels = shape.size() > 2 ? int(shape[2]) : 1;
  if (stbi_write_png_to_func(append, &file, width, height, channels, image.data(), width * channels)) return file;
  throw Error(ErrorCode::io_failed,
              "cannot encode a PNG image of " + std::to_string(width) + " x " + std::to_string(height) + " texels");
}

}  // namespace weft::support
