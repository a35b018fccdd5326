#include <weft/morton.h>

#include "support/morton.h"
#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

namespace {

std::vector<uint32_t> narrow(const std::vector<uint64_t>& codes) { return {codes.begin(), codes.end()}; }

}  // namespace

TEST_CASE("codes on the CPU are those that can be computed by hand") {
  const std::vector<float> plane{0, 0, 3, 1, 2, 4, 4, 4}, space{0, 0, 0, 1, 1, 1, 0.5, 0, 0.75};
  CHECK(support::morton_codes(plane, 2, false, std::vector<float>{0, 0, 4, 4}) ==
        std::vector<uint64_t>{0, 0xb0000000u, 0xd5555555u, 0xffffffffu});
  CHECK(support::morton_codes(space, 3, false) ==
        std::vector<uint64_t>{0, 0x3fffffffu, (uint64_t(5) << 27) + (uint64_t(1) << 24)});
}

DEVICE_TEST("morton of a file agrees with the CPU") {
  std::mt19937_64 generator = random_generator("command morton");
  const Folder folder;
  std::vector<float> points(3000);
  for (float& x : points) x = float(generator() % 1000) / 7;
  for (const uint32_t dimensions : {2u, 3u}) {
    const std::string d = std::to_string(dimensions);
    folder.write("in.npy", npy("<f4", points, "(" + std::to_string(3000 / dimensions) + ", " + d + ")"));
    folder.write("in.bin", bytes_of(points));
    run(device, folder, {"morton", "in.npy", "-o", "codes.npy", "--verify"});
    CHECK(values_of<uint32_t>(parse_npy(folder.read("codes.npy")).data) ==
          narrow(support::morton_codes(points, dimensions, false)));
    const std::string low = dimensions == 2 ? "9,9" : "9,9,9", high = dimensions == 2 ? "70,99" : "70,99,1e9";
    const std::vector<float> bounds =
        dimensions == 2 ? std::vector<float>{9, 9, 70, 99} : std::vector<float>{9, 9, 9, 70, 99, 1e9};
    run(device, folder,
        {"morton", "in.bin", "--type", "f32", "--dimensions", d, "--wide", "--low", low, "--high", high, "-o",
         "codes.npy", "--verify"});
    CHECK(values_of<uint64_t>(parse_npy(folder.read("codes.npy")).data) ==
          support::morton_codes(points, dimensions, true, bounds));
  }
}

TEST_CASE("morton explains what is wrong") {
  const Folder folder;
  folder.write("points.npy", npy("<f4", std::vector<float>(12), "(4, 3)"));
  folder.write("line.npy", npy("<f4", std::vector<float>(7)));
  folder.write("doubles.npy", npy("<f8", std::vector<double>(12), "(4, 3)"));
  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), "morton");
    check_failure(folder.weft(arguments), 1, words);
  };
  fails({"doubles.npy"}, {"f32", "not f64"});
  fails({"line.npy"}, {"line.npy", "(N, 3)", "--dimensions"});
  fails({"line.npy", "--dimensions", "2"}, {"7 numbers", "points of 2"});
  fails({"line.npy", "--dimensions", "4"}, {"--dimensions", "from 2 to 3"});
  fails({"points.npy", "--low", "0,0,0"}, {"--low and --high"});
  fails({"points.npy", "--low", "0,0", "--high", "1,1,1"}, {"--low", "3 numbers", "'0,0'"});
  fails({"points.npy", "--low", "0,2,0", "--high", "1,1,1"}, {"--low at most --high", "axis 1", "from 2 to 1"});
  fails({"points.npy", "--low", "nan,0,0", "--high", "1,1,1"}, {"finite", "axis 0", "nan"});
  fails({"points.npy", "--low", "0,0,0", "--high", "1,1,1e39"}, {"finite", "axis 2", "inf"});
}
