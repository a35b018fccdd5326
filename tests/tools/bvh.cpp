#include <cmath>

#include "support/mesh.h"
#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A bumpy sphere of rows * columns quadrilaterals, and large triangles below it.
std::string sphere(int rows, int columns) {
  std::string text = "# a mesh\no sphere\n";
  const auto add_vertex = [&](double x, double y, double z) {
    text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  };
  for (int i = 0; i <= rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double a = 3.14159 * i / rows, b = 6.28318 * j / columns, r = 1 + 0.1 * std::sin(7 * a) * std::cos(5 * b);
      add_vertex(r * std::sin(a) * std::cos(b), r * std::cos(a), r * std::sin(a) * std::sin(b));
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const auto corner = [&](int row, int column) {
        return " " + std::to_string(row * columns + column % columns + 1) + "/1/2";
      };
      text += "f" + corner(i, j) + corner(i + 1, j) + corner(i + 1, j + 1) + corner(i, j + 1) + "\n";
    }
  }
  for (const auto& [x, z] : {std::pair(-9, -9), {9, -9}, {9, 9}, {-9, 9}}) add_vertex(x, -1.2, z);
  return text + "f -4 -3 -2\nf -4// -2// -1//  # two corners shared\n";
}

/// The numbers of a row of the table.
std::vector<double> row_of(const std::string& table, const std::string& name) {
  const size_t at = table.find("\n" + name + "  ");
  REQUIRE_MESSAGE(at != std::string::npos, name << " in\n" << table);
  std::vector<double> numbers;
  std::string line = table.substr(at + 1 + name.size(), table.find('\n', at + 1) - at - 1 - name.size());
  std::erase(line, ',');
  std::istringstream words(line);
  for (double number; words >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE("meshes are read from .obj files") {
  const Folder folder;
  folder.write("mesh.obj",
               "v 0 0 0\nv\t1.5 -2e1 .5 1.0\r\nvn 0 0 1\n  v 2 2 2\nv 3 3 3\nv 4 4 4\nusemtl x\n"
               "f 1 2/7 3//9\nf -1 -2 -3 1 2\ng last line has no end\nf 3 2 1");
  const support::Mesh mesh = support::read_obj(folder.path() / "mesh.obj");
  CHECK(mesh.vertices ==
        std::vector<std::array<float, 3>>{{0, 0, 0}, {1.5, -20, 0.5}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}});
  CHECK(mesh.triangles == std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {4, 3, 2}, {4, 2, 0}, {4, 0, 1}, {2, 1, 0}});
}

TEST_CASE("meshes are read as other programs write them") {
  const Folder folder;
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const auto check = [&](const std::string& text) {
    INFO(text);
    folder.write("mesh.obj", text);
    const support::Mesh mesh = support::read_obj(folder.path() / "mesh.obj");
    CHECK(mesh.vertices == std::vector<std::array<float, 3>>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
    CHECK(mesh.triangles == std::vector<std::array<uint32_t, 3>>{{0, 1, 3}, {0, 3, 2}});
    CHECK(mesh.ignored.empty());
  };
  check(square + "f 1 2 4 3\n");
  check("\xef\xbb\xbf" + square + "f 1 2 4 3");
  check(square + "f 1 2 \\\n 4 3\n");
  check(square + "f \\\r\n 1 2\\ \r\n4\\\n3 # no more \\\n# comments do not go on: \\\n");
  check("f 1 2 4 3\n" + square);
  check("f +1/+1 +2//7 +4 +3\nv +0 +0. 1e-400\nv +1 -1e-9999 0#c\nv 1.0 1 0 1\nv 0 1 0 0.5 0.5 +0.5\n");
  std::string macintosh = "# old\r" + square + "f 1 2 4 3\r";
  std::ranges::replace(macintosh, '\n', '\r');
  check(macintosh);
  check(square + "vt 0 0\nvn 0 0 1\nvp 1\no x\ng\ns off\nusemtl a#b\nmtllib c.mtl\nl 1 2\np 1\n\nf 1 2 4 3 #\n");

  folder.write("odd.obj", square + "w 1\nVertex 2 3 4\nf 1 2 4\n");
  CHECK(support::read_obj(folder.path() / "odd.obj").ignored ==
        "2 lines begin with an unknown word: first 'w' in line 5");
}

DEVICE_TEST("bvh compares hierarchies over a mesh") {
  const Folder folder;
  folder.write("mesh.obj", sphere(24, 32));
  const Outcome outcome =
      run(device, folder, {"bvh", "mesh.obj", "--statistics", "--picture", "nodes.png", "--size", "40"});
  CHECK(outcome.error.find("1,538 triangles of 804 vertices on " + device.info().selector) != std::string::npos);
  CHECK(row_of(outcome.out, "triangles") == std::vector{1538.0, 1538.0});
  CHECK(row_of(outcome.out, "nodes") == std::vector{1537.0, 1537.0});
  const std::vector<double> costs = row_of(outcome.out, "surface-area cost"),
                            depths = row_of(outcome.out, "greatest depth"), means = row_of(outcome.out, "mean depth"),
                            read = row_of(outcome.out, "nodes read by a ray");
  REQUIRE_EQ(costs.size(), 2);
  CHECK_LT(costs[1], costs[0]);
  for (const size_t k : {0, 1}) {
    CHECK_GE(depths[k], 11);
    CHECK_GE(means[k], 10.5);
    CHECK_LE(means[k], depths[k]);
    CHECK_GT(read[k], 1);
  }
  // Two squares, in which some pixels differ.
  run(device, folder, {"mipmaps", "nodes.png", "--colors", "linear", "--level", "1", "-o", "small.npy", "--verify"});
  const NpyContent picture = parse_npy(folder.read("small.npy"));
  CHECK(picture.dictionary.find("(20, 40, 3)") != std::string::npos);
  CHECK(std::ranges::adjacent_find(picture.data, std::not_equal_to()) != picture.data.end());
  folder.write("one.obj", "texture x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  // Corners on a line, and one too small for a float.
  folder.write("line.obj", "v 0 0 0\nv 1e-50 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 3\nf 3 3 3\n");
  const Outcome line = run(device, folder, {"bvh", "line.obj", "--statistics"});
  CHECK(line.out.find("nan") == std::string::npos);
  CHECK(line.out.find("none") != std::string::npos);
  const Outcome one = run(device, folder, {"bvh", "one.obj", "--statistics"});
  CHECK(row_of(one.out, "nodes") == std::vector{0.0, 0.0});
  CHECK(one.error.find("one.obj: 1 line begins with an unknown word: first 'texture' in line 1") != std::string::npos);
  CHECK(row_of(one.out, "greatest depth") == std::vector{0.0, 0.0});
}

TEST_CASE("bvh explains what is wrong with a mesh") {
  const Folder folder;
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto fails = [&](const std::string& mesh, const std::vector<std::string>& words) {
    folder.write("bad.obj", mesh);
    check_failure(folder.weft({"bvh", "bad.obj", "--statistics"}), 1, words);
  };
  fails("", {"bad.obj has no faces"});
  fails(corners, {"bad.obj has no faces"});
  fails(corners + "f 1 2 4\n", {"bad.obj:4", "no vertex 4", "the file has 3"});
  fails(corners + "\nf 0 1 2\n", {"bad.obj:5", "no vertex 0"});
  fails("f 1 2 3\r\nf 9 1 2\r\nf 1 2 4\r\n" + corners, {"bad.obj:2", "no vertex 9", "the file has 3"});
  fails(corners + "f 1 2 99999999999999999999\n", {"bad.obj:4", "no vertex 9223372036854775807"});
  fails(corners + "f 1 2 -99999999999999999999\n", {"bad.obj:4", "no vertex -9223372036854775808"});
  fails("f 1 2 \\\n3\nf 1 \\\n2 x\n", {"bad.obj:3", "'x'"});
  fails(corners + "f 1/1/1/1 2 3\n", {"bad.obj:4", "'1/1/1/1'"});
  fails(corners + "f 1/x 2 3\n", {"bad.obj:4", "'1/x'"});
  fails(corners + "v 1 2 3 red\n", {"bad.obj:4", "'red'"});
  fails(corners + "v 1 ++2 3\n", {"bad.obj:4", "'++2'"});
  fails("\xff\xfev", {"bad.obj", "UTF-16", "UTF-8"});
  fails("PK\x03\x04 1\nsecond\n", {"no faces", "2 lines begin with an unknown word: first 'PK\\x03\\x04' in line 1"});
  fails(corners + "f -4 1 2\n", {"bad.obj:4", "no vertex -4", "3 come before"});
  fails(corners + "f 1 2\n", {"bad.obj:4", "three corners or more, not 2"});
  fails(corners + "f 1 2 x/3\n", {"bad.obj:4", "'x/3'"});
  fails("v 0 0\n" + corners, {"bad.obj:1", "three finite numbers"});
  fails(corners + "v 1 nan 0\n", {"bad.obj:4", "'nan'"});
  fails(corners + "v 1 2e99 0\n", {"bad.obj:4", "'2e99'"});
  folder.write("good.obj", corners + "f 1 2 3\n");
  check_failure(folder.weft({"bvh", "good.obj"}), 1, {"--statistics", "--picture"});
  check_failure(folder.weft({"bvh", "none.obj", "--statistics"}), 1, {"none.obj"});
  check_failure(folder.weft({"bvh", "good.obj", "--picture", "good.obj"}), 1, {"good.obj", "the mesh"});
}
