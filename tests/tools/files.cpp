#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <future>

#include "support/array_file.h"
#include "support/input_file.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("files that are not arrays of numbers are refused in one sentence") {
  const Folder folder;
  const std::string good = npy("<f4", ten);
  const auto check_refused = [&](const std::string& bytes, const std::vector<std::string>& words) {
    folder.write("in.npy", bytes);
    folder.write("out.npy", "precious");
    for (const char* verb : {"reduce", "scan"}) {
      const Outcome outcome = folder.weft({verb, "in.npy", "-o", "out.npy"});
      check_failure(outcome, 1, words);
      CHECK(std::count(outcome.error.begin(), outcome.error.end(), '\n') == 1);
    }
    CHECK(folder.read("out.npy") == "precious");
    CHECK(folder.names() == std::vector<std::string>{"in.npy", "out.npy"});
  };
  check_refused(good.substr(0, good.size() - 1), {"truncated", "40 bytes", "39"});
  check_refused(good.substr(0, 50), {"truncated", "header"});
  check_refused(good.substr(0, 7), {"truncated"});
  check_refused("", {"not a .npy file"});
  check_refused("PK\x03\x04 and so on", {"not a .npy file"});
  check_refused(npy(">f4", ten), {"big-endian", "'<f4'"});
  check_refused(npy("|O", ten), {"Python objects"});
  check_refused(npy("<c8", ten), {"'<c8'", "u4, i4, f4, u8, i8 and f8"});
  check_refused(NpyFile{"<f4", "(5, 2)", bytes_of(ten), "True"}.bytes(), {"Fortran"});
  check_refused(NpyFile{"<f4", "(4611686018427387904, 8)", bytes_of(ten)}.bytes(), {"too large"});
  check_refused(NpyFile{"<f4", "(1000000000000,)", bytes_of(ten)}.bytes(), {"truncated"});
  check_refused(NpyFile{"<f4", "(ten,)", bytes_of(ten)}.bytes(), {"damaged"});
  std::string records = good;
  records.replace(records.find("'<f4'"), 5, "[    ");
  check_refused(records, {"records", "each field"});
  check_refused(NpyFile{std::string(60000, 'x'), "(10,)", bytes_of(ten)}.bytes(), {"dtype 'xxx", "xxx...'"});
  check_refused(npy("<V2", ten), {"'<V2'", "bfloat16", "astype('<f4')"});
  check_refused(NpyFile{"<f4", "(5,, 2)", bytes_of(ten)}.bytes(), {"damaged"});
  check_refused(NpyFile{"<f4", "(10,", bytes_of(ten)}.bytes(), {"damaged"});
  check_refused(NpyFile{"<f4", "(10,)", bytes_of(ten), "Falsetto"}.bytes(), {"damaged"});
  check_refused(NpyFile{"<f4", "(99999999999999999999,)", bytes_of(ten)}.bytes(), {"too large"});
  check_refused(NpyFile{"<f4", "(10,)", bytes_of(ten), "False", 9}.bytes(), {"version 9"});
  check_refused(NpyFile{"<f4", "(10,)", bytes_of(ten), "False", char(0x81)}.bytes(), {"version 129"});
  check_refused(NpyFile{"<\x1b[2J\x7f", "(10,)", bytes_of(ten)}.bytes(), {"dtype '<\\x1b[2J\\x7f'"});
  check_refused(NpyFile{"\xc3\xa4\xc2\x9b", "(10,)", bytes_of(ten)}.bytes(), {"dtype '\xc3\xa4\\x9b'"});
}

TEST_CASE("raw files need a type that fits them") {
  const Folder folder;
  folder.write("in.bin", std::string(10, 'x'));
  check_failure(folder.weft({"reduce", "in.bin"}), 1, {"in.bin", "--type"});
  check_failure(folder.weft({"reduce", "in.bin", "--type", "f32"}), 1, {"10 bytes", "f32"});
  check_failure(folder.weft({"merge", "in.bin", "in.bin", "--type", "u32"}), 1, {"10 bytes", "u32"});
  check_failure(folder.weft({"reduce", "in.bin", "--type", "number"}), 1, {"'number' is not a type"});
  folder.write("in.npy", npy("<f4", ten));
  check_failure(folder.weft({"reduce", "in.npy", "--type", "u32"}), 1, {"holds f32, not u32"});
  check_failure(folder.weft({"reduce", "missing.npy"}), 1, {"missing.npy", "No such file"});
  check_failure(folder.weft({"reduce", "."}), 1, {"folder"});
}

TEST_CASE("inputs that may never end are refused") {
  const Folder folder;
  std::filesystem::create_symlink("/dev/zero", folder.path() / "zero.obj");
  for (const char* device : {"/dev/zero", "/dev/urandom"}) {
    check_failure(folder.weft({"reduce", device, "--type", "u32"}), 1,
                  {"cannot read " + std::string(device), "device"});
  }
  check_failure(folder.weft({"bvh", "zero.obj", "--statistics"}), 1, {"cannot read zero.obj", "never end"});
  check_failure(folder.weft({"reduce", "/dev/null"}), 1, {"/dev/null is not a .npy file"});
  const std::filesystem::path pipe = folder.path() / "pipe";
  REQUIRE_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto read_with_limit = [&](size_t limit) {
    const auto writer = std::async(std::launch::async, [&] { std::ofstream(pipe) << std::string(5000, 'x'); });
    return support::InputFile(pipe, limit).read_rest().size();
  };
  CHECK_EQ(read_with_limit(5000), 5000);
  check_error(ErrorCode::io_failed, {"cannot read", "it has more than 4.88 KiB"}, [&] { read_with_limit(4999); });
  CHECK_GT(support::half_of_memory(), size_t{64} << 20);
}

TEST_CASE("two outputs of one file are refused, and the old file stays") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  folder.write("out.npy", "precious");
  folder.write("s.comp", "#version 450\nlayout(set = 0, binding = 0) buffer Data { uint v[]; } data;\nvoid main() {}");
  std::filesystem::create_symlink("out.npy", folder.path() / "link.npy");
  const auto check_refused = [&](const std::vector<std::string>& arguments, const std::string& second) {
    check_failure(folder.weft(arguments), 1, {"cannot write " + second, "another output goes to the same file"});
    CHECK(folder.read("out.npy") == "precious");
    CHECK(folder.names() == std::vector<std::string>{"in.npy", "link.npy", "out.npy", "s.comp"});
  };
  const std::string full = (folder.path() / "out.npy").string();
  for (const std::string& second : std::vector<std::string>{"out.npy", "./out.npy", "link.npy", full}) {
    check_refused({"sort", "in.npy", "-o", "out.npy", "--values", "in.npy", "--values-out", second}, second);
    check_refused({"partition", "in.npy", "--where", "x > 4.0", "-o", "out.npy", "--others", second}, second);
  }
  const std::string name = "out.npy";
  check_refused(
      {"segmented-sort", "in.npy", "--offsets", "in.npy", "-o", name, "--values", "in.npy", "--values-out", name},
      name);
  check_refused({"topk", "in.npy", "-k", "3", "-o", name, "--indices", name}, name);
  check_refused({"rle", "in.npy", "-o", name, "--lengths", name}, name);
  check_refused({"reduce-by-key", "in.npy", "--keys", "in.npy", "-o", name, "--keys-out", name}, name);
  check_refused(
      {"exec", "s.comp", "--groups", "1", "--bind", "0.0=zeros:4", "--out", "0.0=" + name, "--out", "0.0=" + name},
      name);
}

TEST_CASE("an output must not be the shader or the saved results that are read, even through links") {
  const Folder folder;
  const std::string shader =
      "#version 450\nlayout(set = 0, binding = 0) buffer Data { uint v[]; } data;\nvoid main() { data.v[0] = 1; }";
  folder.write("s.comp", shader);
  folder.write("r.json", "{}");
  std::filesystem::create_symlink("s.comp", folder.path() / "link");
  std::filesystem::create_hard_link(folder.path() / "r.json", folder.path() / "hard");
  const auto check_refused = [&](const std::vector<std::string>& arguments, const std::string& output) {
    check_failure(folder.weft(arguments), 1, {"cannot write " + output, "would be overwritten"});
    CHECK(folder.read("s.comp") == shader);
    CHECK(folder.read("r.json") == "{}");
  };
  for (const std::string output : {"s.comp", "./s.comp", "link"}) {
    check_refused({"compile", "s.comp", "--target", "host", "-o", output}, output);
    check_refused({"exec", "s.comp", "--groups", "1", "--bind", "0.0=zeros:4", "--out", "0.0=" + output}, output);
  }
  for (const std::string output : {"r.json", "hard"}) {
    check_refused({"bench", "--from", "r.json", "--plot", output}, output);
    check_refused({"bench", "--from", "r.json", "--plot", "r.svg", "--json", output}, output);
  }
}

TEST_CASE("an output needs a name, and - is refused unless numbers are written") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  folder.write("s.comp", "#version 450\nvoid main() {}");
  const auto check_refused = [&](std::vector<std::string> arguments) {
    arguments.push_back("");
    check_failure(folder.weft(arguments), 1, {"not the name of a file"});
    CHECK(folder.names() == std::vector<std::string>{"in.npy", "s.comp"});
  };
  for (std::vector<std::string> arguments :
       std::vector<std::vector<std::string>>{{"bench", "--json"}, {"bench", "--plot"}, {"tune", "-o"}}) {
    check_refused(arguments);
    arguments.push_back("-");
    check_failure(folder.weft(arguments), 1, {"'-'", "/dev/stdout", "./-"});
  }
  for (const char* verb : {"reduce", "scan", "sort", "unique"}) check_refused({verb, "in.npy", "-o"});
  check_refused({"rle", "in.npy", "--lengths"});
  check_refused({"reduce-by-key", "in.npy", "--keys", "in.npy", "--keys-out"});
  check_refused({"sort", "in.npy", "--values", "in.npy", "--values-out"});
  check_refused({"topk", "in.npy", "-k", "1", "--indices"});
  check_refused({"partition", "in.npy", "--where", "x > 4.0", "--others"});
  check_failure(folder.weft({"compile", "s.comp", "--target", "host", "-o", ""}), 1, {"not the name of a file"});
  const Outcome printed = folder.weft({"compile", "s.comp", "--target", "host", "-o", "-"});
  check_success(printed);
  CHECK(!printed.out.empty());
}

TEST_CASE("archives are refused by name, for reading and for writing") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  folder.write("a.npz", "PK\x03\x04 and more, 4 by 4");
  folder.write("s.comp", "#version 450\nlayout(binding = 0) buffer D { uint v[]; } d;\nvoid main() { d.v[0] = 1; }");
  const auto check_refused = [&](const std::vector<std::string>& arguments) {
    check_failure(folder.weft(arguments), 1, {"a.npz", "archive", ".npy"});
  };
  check_refused({"sort", "a.npz"});
  check_refused({"sort", "a.npz", "--type", "u8"});
  check_refused({"sort", "in.npy", "-o", "a.npz"});
  check_refused({"sort", "in.npy", "--values", "in.npy", "--values-out", "a.npz"});
  check_refused({"exec", "s.comp", "--groups", "1", "--bind", "0.0=a.npz"});
  check_refused({"exec", "s.comp", "--groups", "1", "--bind", "0.0=zeros:4", "--out", "0.0=a.npz"});
}

DEVICE_TEST("- is standard input and standard output, .npy and raw") {
  const Folder folder;
  const std::string selector = selector_of(device);
  const std::vector<uint32_t> mixed{30, 10, 20}, sorted{10, 20, 30};
  const auto sort = [&](const std::string& input, std::vector<std::string> more) {
    more.insert(more.begin(), {"sort", "-", "-o", "-", "--verify", "--device", selector});
    const Outcome outcome = folder.weft_reading(input, more);
    check_success(outcome);
    return outcome.out;
  };
  const NpyContent whole = parse_npy(sort(npy("<u4", mixed), {}));
  CHECK(whole.dictionary == "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }");
  CHECK(values_of<uint32_t>(whole.data) == sorted);
  CHECK(values_of<uint32_t>(sort(bytes_of(mixed), {"--type", "u32"})) == sorted);
  CHECK(folder.names().empty());

  // Files that accompany IN may be standard input or output too, and so may exec's buffers.
  folder.write("in.npy", npy("<u4", mixed));
  const Outcome moved = folder.weft_reading(npy("<f8", std::vector<double>{0.5, 1.5, 2.5}),
                                            {"sort", "in.npy", "--values", "-", "--values-out", "-", "-d", selector});
  check_success(moved);
  const std::string bytes = moved.out.substr(0, moved.out.find('['));  // before the printed keys
  CHECK(values_of<double>(parse_npy(bytes).data) == std::vector<double>{1.5, 2.5, 0.5});
  folder.write("s.comp", "#version 450\nlayout(binding = 0) buffer D { uint v[]; } d;\nvoid main() { d.v[0] = 7; }");
  const Outcome run = folder.weft_reading(
      npy("<u4", mixed), {"exec", "s.comp", "--groups", "1", "--bind", "0.0=-", "--out", "0.0=-", "-d", selector});
  check_success(run);
  CHECK(run.out == "[7, 10, 20]\n");
}

DEVICE_TEST("a .npy file is recognized by its first bytes if not by its name") {
  const Folder folder;
  const std::string selector = selector_of(device);
  const std::string bytes = npy("<u4", std::vector<uint32_t>{30, 10, 20});
  folder.write("numbers", bytes);
  folder.write("short", bytes.substr(0, 5));
  const std::vector<std::string> piped{"reduce", "/dev/stdin", "-d", selector};
  const std::vector<std::string> named{"reduce", "numbers", "--type", "u32", "-d", selector};
  CHECK(folder.weft_reading(bytes, piped).out == "60\n");
  CHECK(folder.weft(named).out == "60\n");
  check_failure(folder.weft({"reduce", "numbers", "--type", "f32"}), 1, {"numbers holds u32", "not f32", "--type"});
  check_failure(folder.weft({"reduce", "short"}), 1, {"short is not a .npy file", "--type"});
  check_failure(folder.weft({"reduce", "short", "--type", "u32"}), 1, {"5 bytes"});
  check_failure(folder.weft_reading(bytes.substr(0, 60), piped), 1, {"/dev/stdin is truncated"});
}

TEST_CASE("standard input and standard output are one file each") {
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>{1, 2, 3}));
  check_failure(folder.weft_reading(npy("<u4", std::vector<uint32_t>{1, 2}), {"merge", "-", "-"}), 1,
                {"'-' is given twice", "standard input"});
  check_failure(folder.weft({"sort", "in.npy", "--values", "in.npy", "-o", "-", "--values-out", "-"}), 1,
                {"'-' is given twice", "standard output"});
}

DEVICE_TEST("verbs of primitives repeat on request, and give up in time") {
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>{1, 2, 3}));
  const std::string selector = selector_of(device);
  const Outcome once = folder.weft({"reduce", "in.npy", "-d", selector});
  check_success(once);
  CHECK(once.error.find(" runs, ") == std::string::npos);
  const Outcome often = folder.weft({"reduce", "in.npy", "--repeat", "5", "--verify", "-d", selector});
  check_success(often);
  CHECK(often.out == "6\n");
  CHECK(often.error.find("5 runs, median ") != std::string::npos);
  check_failure(folder.weft({"reduce", "in.npy", "--repeat", "0", "-d", selector}), 1, {"--repeat"});
  const std::vector<uint32_t> large(1'000'000, 1);
  folder.write("large.npy", npy("<u4", large));
  check_failure(
      folder.weft({"sort", "large.npy", "--repeat", "1000000", "--timeout", "0.01", "-o", "out.npy", "-d", selector}),
      1, {"0.01"});
  CHECK(!folder.has("out.npy"));
}

TEST_CASE("links to themselves are reported in words") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  std::filesystem::create_symlink("loop.npy", folder.path() / "loop.npy");
  check_failure(folder.weft({"sort", "in.npy", "-o", "loop.npy"}), 1, {"cannot write loop.npy: Too many levels"});
  check_failure(folder.weft({"sort", "loop.npy"}), 1, {"cannot read loop.npy: Too many levels"});
  CHECK(folder.names() == std::vector<std::string>{"in.npy", "loop.npy"});
}

TEST_CASE("help and text that cannot be printed are an error") {
  if (!std::filesystem::exists("/dev/full")) return;
  const Folder folder;
  folder.write("s.comp", "#version 450\nvoid main() {}");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"compile", "s.comp", "--target", "host"}, {"bench", "--list"}}) {
    check_failure(folder.weft_printing_to("/dev/full", arguments), 1, {"cannot write to standard output"});
  }
}

DEVICE_TEST("a printed result that cannot be written is an error") {
  if (!std::filesystem::exists("/dev/full")) return;
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  const std::string selector = selector_of(device);
  for (const char* verb : {"reduce", "scan"}) {
    check_failure(folder.weft_printing_to("/dev/full", {verb, "in.npy", "--device", selector}), 1,
                  {"cannot write to standard output"});
    check_success(folder.weft_printing_to("/dev/full", {verb, "in.npy", "-o", "out.npy", "--device", selector}));
  }
  check_failure(folder.weft_printing_to("/dev/full", {"devices"}), 1, {"cannot write to standard output"});
}

DEVICE_TEST("the error about a wrong device name lists the devices") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  const std::string name = device.info().name;
  check_failure(folder.weft({"reduce", "in.npy", "--device", "vulkan:999"}), 1, {"vulkan:999", name});
  check_failure(folder.weft({"reduce", "in.npy", "--device", "abacus"}), 1, {"abacus", name});
  check_failure(folder.weft({"bench", "--device", "vulkan:no such device"}), 1, {"no such device", name});
}

DEVICE_TEST("devices shows the device, as text and as JSON") {
  const Folder folder;
  const Outcome text = folder.weft({"devices"}), json = folder.weft({"devices", "--json"});
  check_success(text);
  check_success(json);
  const DeviceInfo& info = device.info();
  CHECK(text.out.find(info.selector + "  " + info.name) != std::string::npos);
  CHECK(json.out.find("\"selector\": \"" + info.selector + "\"") != std::string::npos);
  CHECK(json.out.find("\"max_workgroup_invocations\": " + std::to_string(info.limits.max_workgroup_invocations)) !=
        std::string::npos);
}

DEVICE_TEST("all .npy format versions are read, and any shape") {
  const Folder folder;
  for (const char version : {1, 2, 3}) {
    folder.write("in.npy", NpyFile{"<u4", "(2, 5)", bytes_of(std::vector<uint32_t>{9, 8, 7, 6, 5, 4, 3, 2, 1, 1}),
                                   "False", version}
                               .bytes());
    const Outcome sum = folder.weft({"reduce", "in.npy", "--type", "u32", "--device", selector_of(device)});
    check_success(sum);
    CHECK(sum.out == "46\n");
  }
  check_success(folder.weft({"scan", "in.npy", "--type", "u32", "-o", "out.npy", "--device", selector_of(device)}));
  const NpyContent result = parse_npy(folder.read("out.npy"));
  CHECK(result.dictionary == "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 5), }");
  CHECK(values_of<uint32_t>(result.data) == std::vector<uint32_t>{0, 9, 17, 24, 30, 35, 39, 42, 44, 45});
}

TEST_CASE(".npy headers are read as other programs write them") {
  const Folder folder;
  const std::vector<uint32_t> numbers{7, 8, 9};
  const auto check = [&](const std::string& dictionary, const std::vector<uint64_t>& shape) {
    INFO(dictionary);
    std::string bytes("\x93NUMPY\x02\0", 8);
    for (const int shift : {0, 8, 16, 24}) bytes += char(dictionary.size() >> shift & 255);
    folder.write("in.npy", bytes + dictionary + bytes_of(numbers));
    const support::Array array = support::read_array(folder.path() / "in.npy", std::nullopt);
    CHECK(array.shape == shape);
    CHECK(std::ranges::equal(array.as<uint32_t>(), numbers));
  };
  check("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n", {3});
  // Column-major, which is the same for vectors.
  check("{'descr': '<u4', 'fortran_order': True, 'shape': (3,), }", {3});
  check("{'descr': '<u4', 'fortran_order': True, 'shape': (1, 3), }", {1, 3});
  check("{'descr': '<u4', 'fortran_order': True, 'shape': (3, 1, 1)}", {3, 1, 1});
  // Python 2, tabs, other orders and other keys.
  check("{u'descr': '<u4', 'fortran_order': False, 'shape': (3L,), }", {3});
  check("\t{\t'shape'\t:\t(\t1\t,\t3\t)\t,\n'descr'\t:\t'<u4'\t,'fortran_order'\t:\tFalse\t}\t", {1, 3});
  check("{'note': \"'shape': (2,)\", 'descr': '<u4', 'fortran_order': False, 'shape': (3,)}", {3});
  check("{'note': 'it\\'s', 'more': [(1, 2), {'descr': 'x'}], 'fortran_order': False, 'shape': (3,), 'descr': '<u4'}",
        {3});
  check("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }" + std::string(100'000, ' ') + "\n", {3});
}

DEVICE_TEST(".npy headers may have single or double quotes") {
  const Folder folder;
  std::string bytes = NpyFile{"<u4", "(3,)", bytes_of(std::vector<uint32_t>{1, 2, 4})}.bytes();
  std::replace(bytes.begin(), bytes.end(), '\'', '"');
  folder.write("in.npy", bytes);
  const Outcome sum = folder.weft({"reduce", "in.npy", "--device", selector_of(device)});
  check_success(sum);
  CHECK(sum.out == "7\n");
}

DEVICE_TEST("an output replaces an old file as a whole, through links, and leaves nothing else behind") {
  const Folder folder;
  folder.write("in.bin", bytes_of(std::vector<uint32_t>{3, 4, 5}));
  folder.write("real.bin", "old contents that are longer than the new ones");
  ::chmod((folder.path() / "real.bin").c_str(), 0640);
  std::filesystem::create_symlink("real.bin", folder.path() / "link.bin");
  check_success(folder.weft(
      {"scan", "in.bin", "--type", "u32", "--inclusive", "-o", "link.bin", "--device", selector_of(device)}));
  CHECK(std::filesystem::is_symlink(folder.path() / "link.bin"));
  CHECK(values_of<uint32_t>(folder.read("real.bin")) == std::vector<uint32_t>{3, 7, 12});
  CHECK((std::filesystem::status(folder.path() / "real.bin").permissions() & std::filesystem::perms::mask) ==
        std::filesystem::perms(0640));
  CHECK(folder.names() == std::vector<std::string>{"in.bin", "link.bin", "real.bin"});
  check_success(folder.weft({"scan", "in.bin", "--type", "u32", "-o", "/dev/null", "--device", selector_of(device)}));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

DEVICE_TEST("an output that cannot be written is reported, and the old file stays") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  std::filesystem::create_directory(folder.path() / "folder");
  const std::string selector = selector_of(device);
  check_failure(folder.weft({"scan", "in.npy", "-o", "folder", "--device", selector}), 1, {"folder"});
  check_failure(folder.weft({"scan", "in.npy", "-o", "nowhere/out.npy", "--device", selector}), 1,
                {"nowhere/out.npy", "No such file"});
  // A full disk shows in the middle of writing.
  if (std::filesystem::exists("/dev/full")) {
    check_failure(folder.weft({"scan", "in.npy", "-o", "/dev/full", "--device", selector}), 1,
                  {"/dev/full", "No space left"});
  }
  CHECK(folder.names() == std::vector<std::string>{"folder", "in.npy"});
}
