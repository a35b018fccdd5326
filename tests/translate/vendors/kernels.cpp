#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/top_k.h>

#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tests/translate/vendors/checks.h"
#include "tests/translate/vendors/primitives.h"
#include "tests/translate/vendors/resources.h"

// Compiles every kernel of shaders/kernels with every element type, as requested by plans, with the vendors' compilers,
// and compares its resources with docs/kernel-resources.md.
//
//   WEFT_TEST_EVERY_KERNEL=1                 every operator and variant too; nothing is compared
//   WEFT_TEST_KERNELS=N                      only every Nth kernel, starting at one drawn by the run's seed
//   WEFT_TEST_CUDA_ARCHITECTURES, WEFT_TEST_HIP_..., WEFT_TEST_CLANG_...    instead of all architectures
//   WEFT_TEST_KERNEL_TABLE=FILE              the page; unset: nothing is compared
//   WEFT_TEST_WRITE_KERNEL_TABLE=1           writes the page instead
using namespace weft;
using namespace weft::test;

namespace {

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

DeviceInfo device_of(const DeviceCompiler& compiler, const std::string& architecture) {
  const uint32_t memory = compiler.workgroup_memory_bytes(architecture);
  if (compiler.target() == TranslationTarget::cuda) return nvidia_by_cuda(architecture, memory);
  DeviceInfo info = gpu(compiler.subgroup_size(architecture), memory);
  info.vendor = DeviceVendor::amd;
  info.architecture = architecture;
  info.limits.multiprocessor_memory_bytes = memory;
  return info;
}

// Tilings are chosen for sm_90. If they are too large for another compiler, the table shows the excess. Partition of
// words is faster on an H200 with its spills than with smaller tiles or fewer workgroups: docs/performance-h200.md.
// Merge and segmented sort of few words with values spill two registers while they search for splits; a merge spills
// three with fewer workgroups.
Spills spills_on(const std::string& architecture, const RequestedKernel& kernel) {
  const std::string name = std::filesystem::path(kernel.module.name).stem().string();
  const auto of = [&](const char* type) {
    return kernel.purpose.ends_with(std::string(" of ") + type + ", look-back");
  };
  const bool partition = name == "partition" && (of("uint") || of("int") || of("float"));
  const bool few = name == "merge_tiles" && kernel.purpose.ends_with(" of few uint, with values of uint");
  return architecture == "sm_90" && !partition && !few ? Spills::none : Spills::few;
}

// Bytes of arrays that an invocation indexes as it runs: the stack of weft/device/bvh.glsl, of nodes and distances.
uint32_t arrays_of(const RequestedKernel& kernel) {
  const std::string name = std::filesystem::path(kernel.module.name).stem().string();
  if (name == "bvh_all" || name == "bvh_one") return 92 * 8;
  return name == "pairs_bvh" || name == "neighbours_bvh" ? 92 * 4 : 0;
}

// Checks what needs no table, and says what the kernel takes.
std::string check_kernel(const DeviceCompiler& compiler, const std::string& architecture,
                         const RequestedKernel& kernel) {
  INFO(kernel.module.name, " of the ", kernel.purpose, " for ", architecture);
  const CompiledKernel compiled = compile(compiler, architecture, kernel.module, kernel.options);
  check_lean(compiled, compiler.subgroup_size(architecture), spills_on(architecture, kernel), arrays_of(kernel));
  check_memories_known(compiled);
  check_nothing_called(compiled);
  // If the source has accesses of 16 bytes, so has the machine code. But totals of 8 bits occupy a word each, of which
  // a compiler may load only the byte in use.
  const bool parts =
      kernel.module.name.find("scan_spine") != std::string::npos && kernel.purpose.find("int8_t") != std::string::npos;
  const std::string& text = compiled.translation.code;
  const std::string body = text.substr(text.find("namespace kernel {"));
  if (!parts && body.find("weft_load_vec<uint32_t, 4, 16>") != std::string::npos) CHECK_GT(wide_loads(compiled), 0);
  if (body.find("weft_store_vec<uint32_t, 4, 16>") != std::string::npos) CHECK_GT(wide_stores(compiled), 0);
  return ResourceTable::cell(compiled.code, compiled.translation);
}

void compare(const std::filesystem::path& page, const std::string& architecture, const ResourceTable::Column& measured,
             const std::set<ResourceTable::Kernel>& not_compiled) {
  const std::vector<std::byte> bytes = read_file(page);
  const ResourceTable table = ResourceTable::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!table.is_of(architecture, measured.compiler)) {
    MESSAGE("The registers for ", architecture, " are not compared: ", page.filename().string(), " is not for ",
            measured.compiler, ".");
    return;
  }
  std::string changed;
  for (const std::string& one : table.differences(architecture, measured, not_compiled)) changed += "\n  " + one;
  CHECK_MESSAGE(changed.empty(),
                "Kernels take other resources than docs/kernel-resources.md says (registers, bytes of "
                "workgroup memory):",
                changed,
                "\nIf that is meant, say why in the commit, with the table written anew:"
                "\n  WEFT_TEST_WRITE_KERNEL_TABLE=1 ctest --preset ci -R vendor_kernels --parallel 2");
}

// Compiles the kernels at indices first, first + step, ...
struct Chosen {
  size_t first = 0, step = 1;
};

// Others for each architecture, so that a run compiles more of them.
Chosen chosen_kernels(const std::string& architecture) {
  const char* given = std::getenv("WEFT_TEST_KERNELS");
  if (!given || is_set("WEFT_TEST_EVERY_KERNEL") || is_set("WEFT_TEST_WRITE_KERNEL_TABLE")) return {};
  size_t step = 0;
  const auto [end, error] = std::from_chars(given, given + std::strlen(given), step);
  REQUIRE_MESSAGE((error == std::errc{} && *end == '\0' && step > 0), "WEFT_TEST_KERNELS must be a number, not ",
                  given);
  return {random_generator("kernels to compile for " + architecture)() % step, step};
}

void check_primitives(const DeviceCompiler& compiler) {
  const bool every = is_set("WEFT_TEST_EVERY_KERNEL"), writes = is_set("WEFT_TEST_WRITE_KERNEL_TABLE");
  const char* page = std::getenv("WEFT_TEST_KERNEL_TABLE");
  for (const std::string& architecture : compiler.architectures()) {
    const Chosen chosen = chosen_kernels(architecture);
    ResourceTable::Column measured{compiler.identity(), compiler.subgroup_size(architecture), {}};
    const DeviceInfo device = device_of(compiler, architecture);
    std::set<ResourceTable::Kernel> not_compiled;
    size_t index = 0;
    for (const RequestedKernel& kernel : kernels_of_primitives(device, every)) {
      if (index++ % chosen.step != chosen.first) {
        not_compiled.insert(ResourceTable::key(kernel));
        continue;
      }
      const std::string cell = check_kernel(compiler, architecture, kernel);
      CHECK_MESSAGE(measured.cells.insert({ResourceTable::key(kernel), cell}).second,
                    "two kernels of one name: ", kernel.module.name, " of the ", kernel.purpose);
    }
    CHECK_GT(measured.cells.size(), 200 / chosen.step);
    if (!page || every) {
      MESSAGE("The registers for ", architecture, " are not compared with docs/kernel-resources.md.");
    } else if (writes) {
      write_column(page, architecture, measured);
    } else {
      compare(page, architecture, measured, not_compiled);
    }
  }
}

// The number of loads that an invocation has in flight, as promised by tilings.
void check_loads_in_flight(const DeviceCompiler& compiler) {
  const std::string architecture = compiler.architectures().front();
  std::vector<RequestedKernel> requested;
  const Device device = recording_device(device_of(compiler, architecture), requested);
  Reduce(device, Element::scalar("uint"), Operator::sum(), 1000);
  Scan(device, Element::scalar("uint"), Operator::sum(), 1000);
  REQUIRE_EQ(requested.size(), 2);
  const auto compiled = [&](const RequestedKernel& kernel) {
    return compile(compiler, architecture, kernel.module, kernel.options);
  };
  CHECK_EQ(wide_loads(compiled(requested[0])), 8);
  const CompiledKernel scan = compiled(requested[1]);
  const size_t rows = compiler.target() == TranslationTarget::cuda ? 11 : 12;
  CHECK_EQ(wide_loads(scan), rows);
  CHECK_EQ(wide_stores(scan), rows);
}

// shaders/workgroup/stage.glsl explains why: with tiles of 4, 8, 9, 12 and 13 rows the machine code was wrong. The rows
// are those of u32 in a tuning.
void check_masks_tested_again(const DeviceCompiler& compiler) {
  const std::string architecture = compiler.architectures().front();
  const DeviceInfo device = device_of(compiler, architecture);
  for (const uint32_t rows : {2u, 3u, 4u, 8u, 9u, 10u, 12u, 13u}) {
    const std::string values =
        " element_bytes=4 count=1048576 bytes_per_invocation=" + std::to_string(16 * rows) + "\n";
    // TopK uses compact's.
    const Tuning tuning = Tuning::parse("primitive=run_length" + values + "primitive=compact" + values);
    std::vector<RequestedKernel> requested;
    const Device plans = recording_device(device, requested);
    const Element uint = Element::scalar("uint");
    RunLengthEncode(plans, uint, 1 << 20, RunLengthEncode::Options{.path = TilePath::look_back, .tuning = tuning});
    RunLengthEncode(plans, uint, 1 << 20,
                    RunLengthEncode::Options{.path = TilePath::reduce_then_scan, .tuning = tuning});
    TopK(plans, uint, 1 << 20, 1000, TopK::Options{.indices = true, .tuning = tuning});
    size_t gathering = 0;
    for (const RequestedKernel& kernel : requested) {
      const std::string name = std::filesystem::path(kernel.module.name).stem().string();
      if (name != "run_length" && name != "top_k_gather") continue;
      ++gathering;
      INFO(name, " with ", rows, " rows");
      const BitBranches branches = bit_branches(compile(compiler, architecture, kernel.module, kernel.options));
      const size_t gatherings = name == "top_k_gather" ? 2 : 1;  // Of elements, then of their indices; or of both.
      CHECK_GE(branches.all, gatherings * 4 * rows);
      CHECK_EQ(branches.kept, 0);
    }
    CHECK_EQ(gathering, 3);
  }
}

void check_table() {
  const ResourceTable::Kernel one{"scan", "scan of int"}, other{"scan", "scan of uint"}, more{"sort", "sort of uint"};
  ResourceTable table;
  table.set("gfx900", {"clang 19", 64, {{one, "41, 32"}}});
  table.set("sm_100", {"NVRTC 13", 32, {{one, "40, 32"}, {other, "72, 0"}}});
  const ResourceTable again = ResourceTable::parse(table.text());
  CHECK_EQ(again.text(), table.text());
  CHECK(again.is_of("sm_100", "NVRTC 13"));
  CHECK_FALSE(again.is_of("sm_100", "NVRTC 12"));
  CHECK_FALSE(again.is_of("sm_75", "NVRTC 13"));
  CHECK(again.differences("sm_100", {"", 32, {{one, "40, 32"}, {other, "72, 0"}}}).empty());
  CHECK_EQ(again.differences("sm_100", {"", 32, {{other, "72, 0"}}}),
           std::vector<std::string>{"scan (scan of int) for sm_100: nothing in place of 40, 32"});
  CHECK(again.differences("sm_100", {"", 32, {{other, "72, 0"}}}, {one}).empty());
  CHECK_EQ(again.differences("sm_100", {"", 32, {{one, "48, 32"}, {other, "72, 0"}, {more, "9, 0"}}}),
           std::vector<std::string>{"scan (scan of int) for sm_100: 48, 32 in place of 40, 32",
                                    "sort (sort of uint) for sm_100: 9, 0 in place of nothing"});
}

}  // namespace

TEST_SUITE("cuda kernels") {
  TEST_CASE("NVRTC compiles the primitives' kernels: no spills but the measured ones, every memory known") {
    check_primitives(nvrtc());
  }
}
TEST_SUITE("hip kernels") {
  TEST_CASE("hipRTC compiles the primitives' kernels: bounded scratch and spills, every memory known") {
    check_primitives(hiprtc());
  }
}
TEST_SUITE("clang kernels") {
  TEST_CASE("clang compiles the primitives' kernels: bounded scratch and spills, every memory known") {
    check_primitives(clang());
  }
}
TEST_SUITE("cuda") {
  TEST_CASE("NVRTC keeps a tile's loads in flight at once") { check_loads_in_flight(nvrtc()); }
  TEST_CASE("NVRTC tests a mask's bits again after a barrier") { check_masks_tested_again(nvrtc()); }
}
TEST_SUITE("hip") {
  TEST_CASE("hipRTC keeps a tile's loads in flight at once") { check_loads_in_flight(hiprtc()); }
  TEST_CASE("the table of resources names the kernels that changed") { check_table(); }
}
TEST_SUITE("clang") {
  TEST_CASE("clang keeps a tile's loads in flight at once") { check_loads_in_flight(clang()); }
}
