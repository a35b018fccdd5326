#include <doctest/doctest.h>

#include <cmath>

#include "tests/tools/command.h"

// The command line itself, which needs no device.
using namespace weft::test;

TEST_CASE("--version and --help succeed, for each verb too") {
  const Folder folder;
  const Outcome version = folder.weft({"--version"});
  check_success(version);
  CHECK(version.out.starts_with("weft "));
  const Outcome overview = folder.weft({"--help"});
  check_success(overview);
  CHECK(overview.out.find("A link owned by another user is refused") != std::string::npos);
  for (const char* verb : {"devices",     "reduce",         "scan",
                           "compact",     "merge",          "unique",
                           "rle",         "reduce-by-key",  "segmented-reduce",
                           "scan-by-key", "segmented-scan", "segmented-sort",
                           "partition",   "histogram",      "topk",
                           "count-keys",  "lookup",         "bvh",
                           "mipmaps",     "morton",         "sort",
                           "exec",        "compile",        "bench",
                           "tune"}) {
    const Outcome help = folder.weft({verb, "--help"});
    check_success(help);
    CHECK(help.out.find("Examples:\n  weft " + std::string(verb)) != std::string::npos);
  }
}

TEST_CASE("errors about wrong verbs, options and arguments suggest the right ones") {
  const Folder folder;
  check_failure(folder.weft({}), 1,
                {"devices, reduce, scan, compact, merge, unique, rle, reduce-by-key, segmented-reduce, "
                 "scan-by-key, segmented-scan, segmented-sort, partition, histogram, topk, count-keys, lookup, "
                 "bvh, mipmaps, morton, sort, exec, compile, pack, bench, tune"});
  check_failure(folder.weft({"redcue"}), 1, {"no verb 'redcue'", "did you mean reduce?"});
  check_failure(folder.weft({"reduce", "a.npy", "--verfy"}), 1, {"--verfy", "did you mean --verify?"});
  check_failure(folder.weft({"reduce", "a.npy", "b.npy"}), 1, {"does not expect 'b.npy'"});
  check_failure(folder.weft({"reduce"}), 1, {"IN"});
  check_failure(folder.weft({"bench", "scam"}), 1, {"no benchmark 'scam'", "did you mean scan?"});
  check_failure(folder.weft({"bench", "--sizes", "2^20..2^10"}), 1, {"--sizes 2^20..2^10"});
  check_failure(folder.weft({"bench", "--sizes", "many"}), 1, {"'many' is not a size"});
  check_failure(folder.weft({"bench", "--types", "u32,u7"}), 1, {"'u7' is not a type"});
  check_failure(folder.weft({"bench", "--from", "results.json"}), 1, {"--plot"});
  check_failure(folder.weft({"bench", "reduce", "--from", "results.json", "--plot", "p.svg"}), 1,
                {"--from", "takes no names", "'reduce'"});
}

TEST_CASE("help of verbs that add gives the width of sums, and says when they wrap around") {
  const Folder folder;
  for (const char* verb : {"reduce", "scan", "reduce-by-key", "scan-by-key", "segmented-reduce", "segmented-scan"}) {
    const std::string help = folder.weft({verb, "--help"}).out;
    INFO(help);
    CHECK(help.find("wrap around") != std::string::npos);
    CHECK(help.find("Sums of integers have") != std::string::npos);
    CHECK((help.find("with --type, --as or --transform") != std::string::npos) ==
          (help.find("--as TYPE") != std::string::npos));
  }
}

TEST_CASE("help shows placeholders and defaults") {
  const Folder folder;
  const auto shows = [&](const char* verb, const std::vector<std::string>& words) {
    const std::string help = folder.weft({verb, "--help"}).out;
    for (const std::string& word : words) {
      INFO(word << " in " << help);
      CHECK(help.find(word) != std::string::npos);
    }
  };
  shows("reduce", {"IN FILE ", "-o,--output FILE ", "-d,--device DEVICE ", "--op OP=sum "});
  for (const char* verb : {"scan", "exec", "bvh"}) shows(verb, {"--repeat N=1 ", "compilation"});
  shows("exec", {"-b,--bind SET.BINDING[[N]]=FILE|zeros:BYTES|ref:NAME ...", "--repeat N=1 ", "--subgroup-size N ",
                 "--timeout SECONDS=60 ", "--entry NAME=main "});
  shows("bench",
        {"NAME TEXT ...", "--types TYPES=u32 ", "--time SECONDS=0.5 ", "--seed N=1 ", "--plot FILE.svg|.png "});
}

TEST_CASE("missing, repeated and out-of-range options are refused") {
  const Folder folder;
  check_failure(folder.weft({"compile", "s.comp"}), 1, {"--target is required", "weft compile --help"});
  check_failure(folder.weft({"compile", "s.comp", "-t", "cud"}), 1, {"--target: 'cud' is not a target", "mean cuda?"});
  check_failure(folder.weft({"reduce", "a", "--type", "u8", "--type", "u8"}), 1, {"--type"});
  check_failure(folder.weft({"exec", "s.comp", "--spec", "0=u32:1", "1=u32:2"}), 1, {"does not expect '1=u32:2'"});
  check_failure(folder.weft({"exec", "s.comp", "--subgroup-size", "many"}), 1, {"--subgroup-size", "many"});
  for (const char* repeats : {"0", "1000001", "-1", "many"}) {
    const std::string value = repeats;
    check_failure(folder.weft({"exec", "s.comp", "--repeat", value}), 1, {"--repeat", value, "1000000"});
  }
  for (const char* seconds : {"-0.5", "3600.5", "long", "nan", "-nan", "inf", "1e999", "1 2", ""}) {
    const std::string value = seconds;
    check_failure(folder.weft({"bench", "scam", "--time", value}), 1, {"--time", "'" + value + "'", "0 to 3600"});
    check_failure(folder.weft({"bench", "scam", "--warm-up", value}), 1, {"--warm-up", "'" + value + "'", "0 to 60"});
    check_failure(folder.weft({"tune", "scam", "--budget", value == "3600.5" ? "1e6" : value}), 1,
                  {"--budget", "86400"});
    check_failure(folder.weft({"exec", "s.comp", "--timeout", value == "3600.5" ? "1e7" : value}), 1,
                  {"--timeout", "0.001 to 1000000"});
  }
  for (const char* seed : {"-1", "1.5", "18446744073709551616", "0x10", "nan", "+1", ""}) {
    check_failure(folder.weft({"bench", "scam", "--seed", seed}), 1,
                  {"--seed", "'" + std::string(seed) + "'", "0 to 18446744073709551615"});
  }
  for (const char* size : {"-1", "4294967296", "4.0", ""}) {
    check_failure(folder.weft({"exec", "s.comp", "--subgroup-size", size}), 1,
                  {"--subgroup-size", "'" + std::string(size) + "'", "0 to 4294967295"});
  }
}

TEST_CASE("numbers out of range are refused with the option's name and its range") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3}));
  const auto fails = [&](std::vector<std::string> arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin() + 1, "in.npy");
    check_failure(folder.weft(arguments), 1, words);
  };
  for (const std::string k : {"-1", "1.5", "ten", "", "18446744073709551616"}) {
    fails({"topk", "-k", k}, {"-k: '" + k + "' is not a number from 0 to 18446744073709551615"});
  }
  fails({"topk", "-k=-1"}, {"-k: '=-1' is not a number from 0 to"});
  for (const char* bins : {"0", "-3", "1048577", "99999999999", "many"}) {
    const std::vector<std::string> words{std::string("--bins: '") + bins + "' is not a number from 1 to 1048576"};
    fails({"histogram", "--range", "0,4", "--bins", bins}, words);
  }
  fails({"histogram", "--bins", "4", "--range", "a,b"}, {"--range: 'a' is not a f64"});
  fails({"histogram", "--bins", "4", "--range", "0,b"}, {"--range: 'b' is not a f64"});
  fails({"histogram", "--bins", "4", "--range", "1"}, {"--range", "A,B"});
  for (const char* range : {"nan,1", "0,nan", "0,inf", "-inf,0", ",1", "0,"}) {
    fails({"histogram", "--bins", "4", "--range=" + std::string(range)}, {});
  }
}

TEST_CASE("histogram says which of its options belong together") {
  const Folder folder;
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3}));
  folder.write("edges.npy", npy("<f4", std::vector<float>{1, 2}));
  const auto fails = [&](std::vector<std::string> more, const std::vector<std::string>& words) {
    more.insert(more.begin(), {"histogram", "in.npy"});
    check_failure(folder.weft(more), 1, words);
  };
  fails({}, {"--bins N --range A,B", "--edges FILE"});
  fails({"--bins", "4"}, {"--bins N --range A,B", "--edges FILE"});
  fails({"--edges", "edges.npy", "--range", "0,1"}, {"--edges and --range", "one of them"});
  fails({"--range", "0,1"}, {"--range also needs --bins N", "1 to 1048576"});
  fails({"--edges", "edges.npy", "--bins", "4"}, {"--bins 4 needs 5 edges", "edges.npy holds 2"});
}

TEST_CASE("edges that are not numbers in ascending order are refused, and the first such edge is named") {
  const Folder folder;
  const float nan = std::nanf("");
  folder.write("in.npy", npy("<f4", std::vector<float>{1, 2, 3}));
  const auto fails = [&](const std::vector<float>& edges, const std::vector<std::string>& words) {
    folder.write("edges.npy", npy("<f4", edges));
    check_failure(folder.weft({"histogram", "in.npy", "--edges", "edges.npy"}), 1, words);
  };
  fails({1, nan, 3}, {"edges.npy: edge 1 is NaN", "ascending order"});
  fails({nan, 1}, {"edge 0 is NaN"});
  fails({0, 1, nan, 0.5f}, {"edge 2 is NaN"});
  fails({0, 2, 1, 3, nan}, {"edge 2 is less than the one before it", "ascending order"});
  fails({1}, {"edges.npy must hold 2 to 1,048,577 edges, but holds 1"});
  fails(std::vector<float>(1048578), {"but holds 1,048,578"});
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
  check_failure(with({"--invocations", "1"}), 1, {"--groups and --invocations", "one of them"});
  check_failure(instead(1, "s.txt"), 1, {".comp", ".spv", ".spvasm"});
  check_failure(instead(1, "s.hlsl"), 1, {"s.hlsl", "compiled to SPIR-V first", "glslangValidator -D"});
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
  check_failure(instead(7, "u32:-1,f32:0,0,0,1"), 1, {"--push: '-1' is not a u32", "negative"});
  check_failure(instead(7, "u32:4294967296,f32:0,0,0,1"), 1, {"'4294967296' is not a u32", "out of range"});
  check_failure(instead(7, "missing.bin"), 1, {"missing.bin"});
  check_failure(folder.weft({"exec", "s.comp", "--groups", "1", "--bind", "0.1=zeros:64"}), 1,
                {"32 bytes of push constants", "--push u32:first,f32:offset,offset,offset,f32:scale"});
  check_failure(with({"--bind", "0.1=zeros:4"}), 1, {"--bind 0.1 is given twice"});
  check_failure(with({"--spec", "3=f32:1"}), 1, {"--spec 3", "f32", "STEP", "uint"});
  check_failure(with({"--spec", "3=u32:1", "--spec", "3=u32:2"}), 1, {"--spec 3 is given twice"});
  check_failure(with({"--spec", "3"}), 1, {"ID=TYPE:VALUE"});
  check_failure(with({"--spec", "3=u32:one"}), 1, {"--spec: 'one' is not a u32"});
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
