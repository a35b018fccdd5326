#include <doctest/doctest.h>

#include "command.h"

// The command line itself: needs no device.
using namespace weft::test;

TEST_CASE("--version and --help succeed, for each verb too") {
  const Folder folder;
  const Outcome version = folder.weft({"--version"});
  check_success(version);
  CHECK(version.out.starts_with("weft "));
  check_success(folder.weft({"--help"}));
  for (const char* verb :
       {"devices", "reduce", "scan", "compact", "merge", "unique", "rle", "reduce-by-key", "segmented-reduce",
        "scan-by-key", "segmented-scan", "segmented-sort", "partition", "histogram", "topk", "sort", "exec", "compile",
        "bench", "tune"}) {
    const Outcome help = folder.weft({verb, "--help"});
    check_success(help);
    CHECK(help.out.find("Examples:\n  weft " + std::string(verb)) != std::string::npos);
  }
}

TEST_CASE("wrong verbs, options and arguments name what was probably meant") {
  const Folder folder;
  check_failure(folder.weft({}), 1,
                {"devices, reduce, scan, compact, merge, unique, rle, reduce-by-key, segmented-reduce, "
                 "scan-by-key, segmented-scan, segmented-sort, partition, histogram, topk, sort, exec, compile, bench, "
                 "tune"});
  check_failure(folder.weft({"redcue"}), 1, {"no verb 'redcue'", "did you mean reduce?"});
  check_failure(folder.weft({"reduce", "a.npy", "--verfy"}), 1, {"--verfy", "did you mean --verify?"});
  check_failure(folder.weft({"reduce", "a.npy", "b.npy"}), 1, {"does not expect 'b.npy'"});
  check_failure(folder.weft({"reduce"}), 1, {"IN"});
  check_failure(folder.weft({"bench", "scam"}), 1, {"no benchmark 'scam'", "did you mean scan?"});
  check_failure(folder.weft({"bench", "--sizes", "2^20..2^10"}), 1, {"--sizes 2^20..2^10"});
  check_failure(folder.weft({"bench", "--sizes", "many"}), 1, {"'many' is not a size"});
  check_failure(folder.weft({"bench", "--types", "u32,u7"}), 1, {"'u7' is not a type"});
  check_failure(folder.weft({"bench", "--from", "results.json"}), 1, {"--plot"});
}

TEST_CASE("exec explains its own grammar") {
  const Folder folder;
  folder.write("s.comp", R"(#version 450
    layout(local_size_x = 1) in;
    layout(constant_id = 3) const uint STEP = 1;
    layout(set = 0, binding = 1) buffer Data { uint v[]; } data;
    layout(push_constant) uniform Push { uint first; vec3 offset; float scale; } push;
    void main() { data.v[push.first] = STEP + uint(push.scale + push.offset.z); })");
  const std::vector<std::string> right = {"exec",   "s.comp",       "--groups", "1",
                                          "--bind", "0.1=zeros:64", "--push",   "u32:1,f32:0,0,0,1"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = right;
    all.insert(all.end(), more.begin(), more.end());
    return folder.weft(all);
  };
  const auto instead = [&](size_t at, const std::string& text) {
    std::vector<std::string> all = right;
    all[at] = text;
    return folder.weft(all);
  };
  check_failure(folder.weft({"exec", "s.comp", "--bind", "0.1=zeros:64"}), 1, {"--groups", "--invocations"});
  check_failure(instead(1, "s.txt"), 1, {".comp", ".spv", ".spvasm"});
  check_failure(instead(1, "missing.comp"), 1, {"missing.comp", "No such file"});
  check_failure(instead(3, "1,2,3,4"), 1, {"--groups 1,2,3,4"});
  check_failure(instead(5, "0.1"), 1, {"--bind 0.1", "SET.BINDING=FILE"});
  check_failure(instead(5, "0.1=zeros:lots"), 1, {"'lots' is not a size"});
  check_failure(instead(5, "0.1=missing.bin"), 1, {"missing.bin", "No such file"});
  check_failure(instead(5, "0.1=ref:nothing"), 1, {"no buffer is named 'nothing'"});
  check_failure(instead(5, "0.7=zeros:64"), 1, {"--bind 0.1="});
  check_failure(instead(7, "u32:1,f32:0,0,0"), 1, {"'scale'", "without a value"});
  check_failure(instead(7, "u32:1,f32:0,0,0,1,2"), 1, {"f32:2 is left over"});
  check_failure(instead(7, "u32:1,u32:0,0,0,1"), 1, {"u32:0", "'offset'"});
  check_failure(instead(7, "u32:-1,f32:0,0,0,1"), 1, {"'-1' is not a u32", "negative"});
  check_failure(instead(7, "u32:4294967296,f32:0,0,0,1"), 1, {"'4294967296' is not a u32", "out of range"});
  check_failure(instead(7, "missing.bin"), 1, {"missing.bin"});
  check_failure(folder.weft({"exec", "s.comp", "--groups", "1", "--bind", "0.1=zeros:64"}), 1,
                {"32 bytes of push constants", "--push u32:first,f32:offset,offset,offset,f32:scale"});
  check_failure(with({"--bind", "0.1=zeros:4"}), 1, {"--bind 0.1 is given twice"});
  check_failure(with({"--spec", "3=f32:1"}), 1, {"--spec 3", "f32", "STEP", "uint"});
  check_failure(with({"--spec", "3"}), 1, {"ID=TYPE:VALUE"});
  check_failure(with({"--out", "0.2=out.bin"}), 1, {"--out 0.2 has no buffer", "--bind 0.2=zeros:BYTES"});
  check_failure(with({"--out", "0.1=missing/out.bin"}), 1, {"missing/out.bin"});
  check_failure(with({"--entry", "start"}), 1, {"start", "main"});
  CHECK(folder.names() == std::vector<std::string>{"s.comp"});

  const Outcome list = folder.weft({"exec", "s.comp", "--list"});
  check_success(list);
  for (const char* line : {"vec3 offset, 12 bytes at offset 16", "binding 0.1", "uint STEP = 1"}) {
    INFO(list.out);
    CHECK(list.out.find(line) != std::string::npos);
  }
}
