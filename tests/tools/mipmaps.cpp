#include <weft/mipmaps.h>

#include "support/png.h"
#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

namespace {

/// The start of an RGB image, without texels.
std::string header_of_png(uint32_t width, uint32_t height) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
  for (const uint32_t size : {width, height}) {
    for (const int shift : {24, 16, 8, 0}) png += char(size >> shift);
  }
  return png + std::string("\x08\x02\0\0\0CRC.", 9);
}

/// Width and height in the header of a PNG file, which has big-endian numbers.
std::pair<uint32_t, uint32_t> size_of_png(const std::string& png) {
  REQUIRE_GE(png.size(), 24);
  CHECK_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(png[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

}  // namespace

TEST_CASE("a transparent colour of a PNG image becomes alpha") {
  const Folder folder;
  // One row of uncompressed texels. Readers of images may leave checksums out, and this one does.
  const auto chunk = [](const std::string& kind, const std::string& data) {
    return std::string("\0\0\0", 3) + char(data.size()) + kind + data + "CRC.";
  };
  const auto read = [&](char kind, uint8_t width, const std::string& transparent, const std::string& texels) {
    const std::string row = std::string(1, '\0') + texels, size{char(row.size()), '\0', char(~row.size()), '\xff'};
    folder.write("one.png", "\x89PNG\r\n\x1a\n" +
                                chunk("IHDR", std::string("\0\0\0", 3) + char(width) + std::string("\0\0\0\1\x8", 5) +
                                                  kind + std::string("\0\0\0", 3)) +
                                (transparent.empty() ? "" : chunk("tRNS", transparent)) +
                                chunk("IDAT", "\x78\x01\x01" + size + row + "sums") + chunk("IEND", ""));
    const support::Array image = support::read_png(folder.path() / "one.png");
    CHECK(image.shape[1] == width);
    return bytes_of(std::vector<std::byte>(image.data));
  };
  const std::string colour("\0\1\0\2\0\3", 6);
  CHECK(read('\2', 2, "", "\1\2\3\4\5\6") == "\1\2\3\4\5\6");
  CHECK(read('\2', 2, colour, "\1\2\3\4\5\6") == std::string("\1\2\3\0\4\5\6\xff", 8));
  CHECK(read('\0', 2, "", "\1\2") == "\1\2");
  CHECK(read('\0', 2, std::string("\0\2", 2), "\1\2") == std::string("\1\1\1\xff\2\2\2\0", 8));
}

DEVICE_TEST("mipmaps of a file agree with the CPU") {
  std::mt19937_64 generator = random_generator("command mipmaps");
  const Folder folder;
  folder.write("bytes.npy", npy("|u1", random_values<uint8_t>(97 * 45 * 4, generator), "(45, 97, 4)"));
  folder.write("floats.npy", npy("<f4", random_values<float>(2 * 12 * 20 * 2, generator), "(2, 12, 20, 2)"));
  run(device, folder, {"mipmaps", "bytes.npy", "--colors", "srgb", "--verify", "-o", "levels.npy"});
  const NpyContent levels = parse_npy(folder.read("levels.npy"));
  CHECK(levels.dictionary.find("(1396, 4)") != std::string::npos);
  run(device, folder, {"mipmaps", "floats.npy", "--filter", "min-max", "--level", "2", "--verify", "-o", "two.npy"});
  CHECK(parse_npy(folder.read("two.npy")).dictionary.find("(2, 3, 5, 2)") != std::string::npos);
}

DEVICE_TEST("mipmaps of pictures") {
  std::mt19937_64 generator = random_generator("mipmaps of pictures");
  const Folder folder;
  folder.write("image.npy", npy("|u1", random_values<uint8_t>(40 * 24 * 3, generator), "(24, 40, 3)"));
  // A level as a picture gives the same levels as the array that it was made from.
  run(device, folder, {"mipmaps", "image.npy", "--level", "1", "-o", "one.png"});
  CHECK(size_of_png(folder.read("one.png")) == std::pair(20u, 12u));
  run(device, folder, {"mipmaps", "one.png", "--colors", "linear", "--level", "1", "-o", "of_png.npy", "--verify"});
  run(device, folder, {"mipmaps", "image.npy", "--level", "2", "-o", "of_array.npy"});
  CHECK_EQ(folder.read("of_png.npy"), folder.read("of_array.npy"));
  run(device, folder, {"mipmaps", "one.png", "-o", "all.png", "--verify"});
  CHECK(size_of_png(folder.read("all.png")) == std::pair(30u, 12u));
}

TEST_CASE("mipmaps explain what is wrong with a file") {
  const Folder folder;
  folder.write("line.npy", npy("<f4", std::vector<float>(12)));
  folder.write("wide.npy", npy("<f4", std::vector<float>(30), "(2, 3, 5)"));
  folder.write("words.npy", npy("<u4", std::vector<uint32_t>(12), "(4, 3)"));
  folder.write("floats.npy", npy("<f4", std::vector<float>(12), "(4, 3)"));
  folder.write("broken.png", "\x89PNG\r\n\x1a\n and no more");
  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), "mipmaps");
    check_failure(folder.weft(arguments), 1, words);
  };
  fails({"line.npy"}, {"line.npy", "(height, width, channels)"});
  fails({"wide.npy"}, {"wide.npy", "5 channels", "1 to 4"});
  fails({"words.npy"}, {"u8, f16 or f32", "not u32"});
  folder.write("text.png", "no image");
  folder.write("huge.png", header_of_png(0x7FFFFFFF, 5));
  folder.write("flat.png", header_of_png(5, 0));
  folder.write("none.npy", npy("|u1", std::vector<uint8_t>{}, "(2, 3, 0)"));
  fails({"none.npy"}, {"none.npy", "0 channels", "1 to 4"});
  fails({"broken.png"}, {"broken.png", "PNG image", "orrupt PNG"});
  fails({"text.png"}, {"text.png", "PNG image", "not of any known type"});
  fails({"huge.png"}, {"huge.png", "PNG image", "ery large image"});
  fails({"flat.png"}, {"flat.png", "PNG image", "orrupt PNG"});
  fails({"floats.npy", "--filter", "mean"}, {"'mean'", "box, min, max and min-max"});
  fails({"floats.npy", "--colors", "srgb"}, {"--colors srgb", "u8", "not f32"});
  fails({"floats.npy", "-o", "levels.png"}, {"PNG images have", "u8"});
}
