#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/environment.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

// Files that fail while being read or written. A preloaded library makes them fail.
using namespace weft;
using namespace weft::test;

TEST_CASE("a read error is not mistaken for the end of the file, at whatever byte it occurs") {
  REQUIRE(FailingFile::possible());
  const Folder folder;
  folder.write("in.bin", std::string(3000, 'x'));
  folder.write("in.npy", npy("<f4", ten));
  for (const int at : {0, 1, 2000, 2999}) {
    const FailingFile fault("read:in.bin:" + std::to_string(at));
    check_failure(folder.weft({"reduce", "in.bin", "--type", "u8"}), 1, {"cannot read in.bin: Input/output error"});
  }
  for (const int at : {0, 7, 9, 100, 130, 160}) {
    const FailingFile fault("read:in.npy:" + std::to_string(at));
    check_failure(folder.weft({"reduce", "in.npy"}), 1, {"cannot read in.npy: Input/output error"});
  }
}

TEST_CASE("a read error is reported for every file that the command reads") {
  REQUIRE(FailingFile::possible());
  const Folder folder;
  folder.write("in.npy", npy("<f4", ten));
  folder.write("s.comp",
               "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"part.glsl\"\n"
               "layout(push_constant) uniform P { uint x[8]; } p;\nvoid main() {}");
  folder.write("part.glsl", "// a part\n// and the rest of it\n");
  for (const char* name : {"more.npy", "more.bin", "more.json", "push.bin"}) folder.write(name, std::string(64, 'x'));
  const auto fails = [&](const std::string& name, const std::vector<std::string>& arguments) {
    const FailingFile fault("read:" + name + ":3");
    check_failure(folder.weft(arguments), 1, {name, "Input/output error"});
  };
  fails("s.comp", {"compile", "s.comp", "--target", "host"});
  fails("part.glsl", {"compile", "s.comp", "--target", "host"});
  fails("push.bin", {"exec", "s.comp", "--groups", "1", "--push", "push.bin"});
  fails("more.json", {"bench", "--from", "more.json", "--plot", "p.svg"});
  fails("more.npy", {"histogram", "in.npy", "--edges", "more.npy"});
  fails("more.npy", {"sort", "in.npy", "--values", "more.npy", "--values-out", "moved.npy"});
  fails("more.bin", {"segmented-sort", "in.npy", "--offsets", "more.bin"});
  fails("more.bin", {"compact", "in.npy", "--flags", "more.bin"});
  const Environment none("WEFT_CACHE_DIR", "");  // the same if glslang reads the file
  fails("part.glsl", {"compile", "s.comp", "--target", "host"});
}

TEST_CASE("a write error is reported, and leaves only the old file, unchanged") {
  REQUIRE(FailingFile::possible());
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "sub");
  folder.write("s.comp", idle_shader);
  const Environment none("WEFT_CACHE_DIR", "");  // its files would fail too
  for (const std::string path : {"out.cpp", "sub/out.cpp"}) {
    folder.write(path, "precious");
    const std::vector<std::string> files = folder.names(), files_in_sub = folder.names("sub");
    const auto fails = [&](const std::string& fault, const std::string& why) {
      INFO(fault);
      const FailingFile failing(fault);
      check_failure(folder.weft({"compile", "s.comp", "--target", "host", "-o", path}), 1,
                    {"cannot write " + path + ": " + why});
      CHECK(folder.read(path) == "precious");
      CHECK(folder.names() == files);
      CHECK(folder.names("sub") == files_in_sub);
    };
    for (const char* at : {"0", "1", "4000"}) fails(std::string("write:.tmp:") + at, "No space left on device");
    fails("close:.tmp:0", "Input/output error");
    fails("rename:.tmp:0", "Input/output error");
    // The new file is written next to the old one, on whose disk there is room for it.
    if (path != "out.cpp") fails("write:/sub/weft-:0", "No space left on device");
    check_success(folder.weft({"compile", "s.comp", "--target", "host", "-o", path}));
    CHECK(folder.read(path) != "precious");
    CHECK(folder.names() == files);
    CHECK(folder.names("sub") == files_in_sub);
  }
}

TEST_CASE("a signal leaves no temporary file, whenever it comes") {
  REQUIRE(FailingFile::possible());
  const Folder folder;
  folder.write("s.comp", idle_shader);
  folder.write("in.npy", npy("<f4", ten));
  const Environment none("WEFT_CACHE_DIR", "");  // its files would raise the signal too
  const std::vector<std::string> compile{"compile", "s.comp", "--target", "host", "-o", "out.cpp"};
  const auto ends = [&](const std::string& moment, const std::vector<std::string>& arguments) {
    INFO(moment);
    const FailingFile signalled(moment);
    CHECK(folder.weft(arguments).status == 128 + 15);
    CHECK(folder.names() == std::vector<std::string>{"in.npy", "s.comp"});
  };
  ends("create:.tmp:15", compile);
  // Removed without being used: the predicate does not compile.
  ends("remove:.tmp:15", {"compact", "in.npy", "--where", "x +", "-o", "out.npy"});
}
