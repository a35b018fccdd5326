#include "tests/translate/corpus.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <future>
#include <map>
#include <optional>
#include <thread>

#include "tests/support/test.h"
#include "tests/translate/compile.h"

namespace weft::test {
namespace {

constexpr uint32_t given_words = 16, result_words = 32, extra_words = 1024, uniform_words = 256;

std::string source_of(const KernelCase& one) {
  const size_t rest = std::min(one.declarations.find("//"), one.declarations.size());
  const std::string size = std::to_string(one.workgroup);
  return "#version 460\n#extension GL_EXT_scalar_block_layout : require\n" + one.declarations.substr(0, rest) +
         (one.body.find("local_size") == std::string::npos && one.declarations.find("local_size") == std::string::npos
              ? "layout(local_size_x = " + size + ") in;\n"
              : "") +
         R"(layout(set = 0, binding = 0, std430) readonly buffer Input { uint words[]; } given;
layout(set = 0, binding = 1, std430) buffer Output { uint words[]; } result;
uint id = gl_WorkGroupID.x * )" +
         size + R"(u + gl_LocalInvocationIndex, next = 0;
uint u(uint k) { return given.words[id * 16u + k]; }
float f(uint k) { return float(int(u(k)) >> 8) / 1048576.0; }
void put(uint x) { result.words[id * 32u + next] = x; next += 1u; }
void putf(float x) { put(floatBitsToUint(x)); }
)" + one.declarations.substr(rest) +
         "\nvoid main() {\n" + one.body + "\n}\n";
}

// Random words; a quarter of them are values that results often depend on.
std::vector<uint32_t> random_words(size_t count, std::mt19937_64& generator) {
  constexpr uint32_t special[] = {0, 1, 2, 3, 7, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0x100, 0xff00ff00};
  std::vector<uint32_t> words = random_values<uint32_t>(count, generator);
  for (size_t i = 1; i < count; ++i) {
    const uint64_t roll = generator() % 64;
    if (roll < std::size(special)) words[i] = special[roll];
    if (roll >= 60) words[i] = words[i - 1];
  }
  return words;
}

struct Input {
  std::vector<uint32_t> given, extra, uniforms;
};

struct Outcome {
  std::vector<uint32_t> results;
  std::vector<uint32_t> others;  ///< Final contents of the further buffers.
};

Outcome run(const Device& device, const Spirv& module, const KernelCase& one, const Input& input) {
  const Kernel kernel = device.kernel(module, one.options);
  Stream stream = device.stream();
  const Buffer<uint32_t> given = device.buffer<uint32_t>(input.given.size());
  const Buffer<uint32_t> result = device.buffer<uint32_t>(input.given.size() / given_words * result_words);
  const Buffer<uint32_t> extra = device.buffer<uint32_t>(6 * extra_words);  // 3 bound, zeros bound, zeros, random words
  const Buffer<uint32_t> uniforms = device.buffer<uint32_t>(3 * uniform_words);
  stream.upload(given, input.given);
  stream.fill(result, unwritten);
  stream.upload(extra, input.extra);
  stream.fill(extra.part(3 * extra_words, 2 * extra_words), 0u);
  stream.upload(uniforms, input.uniforms);
  const uint64_t addresses[] = {extra.part(4 * extra_words, 1).pointer().address,
                                extra.part(5 * extra_words, 1).pointer().address};
  std::array<uint32_t, 8> push{0, 0, 0, 0, 3, 1, 4, 1};
  std::memcpy(push.data(), addresses, sizeof(addresses));
  Arguments arguments;
  arguments.push(std::as_bytes(std::span(push)).first(kernel.reflection().push_constant_bytes));
  for (const Reflection::Binding& binding : kernel.reflection().bindings) {
    for (uint32_t k = 0; k < binding.count; ++k) {
      const auto storage = [&](uint32_t part) { return extra.part(part * extra_words, extra_words); };
      const auto uniform = [&](uint32_t part) { return uniforms.part(part * uniform_words, uniform_words); };
      const View<uint32_t> views[] = {
          given, result, uniform(0), storage(std::min(k, 2u)), uniform(1 + std::min(k, 1u)), storage(3)};
      REQUIRE(binding.binding < std::size(views));
      arguments.bind(0, binding.binding, views[binding.binding], k);
    }
  }
  stream.dispatch(kernel, {one.groups, 1, 1}, arguments);
  return {stream.download(result), stream.download(extra)};
}

// The index of a float among all floats in ascending order; -0 and 0 have the same.
int64_t float_index(uint32_t bits) { return bits & 0x80000000u ? -int64_t(bits & 0x7fffffffu) : int64_t(bits); }

// The tolerance of results: words must be equal; floats may differ by units in the last place or by an absolute amount.
struct Tolerance {
  uint32_t ulps = 0;
  float absolute = 0;
};

// Compares words if `ulps` is 0; otherwise floats, where two NaNs are equal.
bool is_same(uint32_t actual, uint32_t expected, Tolerance allowed) {
  if (actual == expected) return true;
  if (allowed.ulps == 0) return false;
  const float a = std::bit_cast<float>(actual), e = std::bit_cast<float>(expected);
  return (std::isnan(a) && std::isnan(e)) ||
         std::abs(float_index(actual) - float_index(expected)) <= int64_t{allowed.ulps} ||
         std::fabs(a - e) <= allowed.absolute;
}

// Returns the text that computes result `k`, if the kernel is straight-line code.
std::string result_text(const KernelCase& one, size_t k) {
  for (const char* branching : {"for (", "if (", "while (", "switch (", "do {", "OpBranchConditional", "OpSwitch"}) {
    if (one.body.find(branching) != std::string::npos) return "";
  }
  const bool is_glsl = one.language == Language::glsl;
  const char* const names[] = {"put64 ", "put4 ", "put2 ", "put ", "puti ", "putf ", "putb ", "put(", "putf("};
  size_t seen = 0;
  for (size_t at = one.body.find("put"); at != std::string::npos; at = one.body.find("put", at + 1)) {
    for (const char* name : names) {
      if (!std::string_view(one.body).substr(at).starts_with(name)) continue;
      seen += name[3] == '6' || name[3] == '2' ? 2 : name[3] == '4' ? 4 : 1;
      if (seen > k) return ", " + one.body.substr(at, one.body.find(is_glsl ? ';' : '\n', at) - at);
    }
  }
  return "";
}

void check_words(const KernelCase& one, const std::vector<uint32_t>& actual, const std::vector<uint32_t>& expected,
                 Tolerance allowed, uint32_t per_invocation) {
  size_t differing = 0, first = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (!is_same(actual[i], expected[i], allowed) && differing++ == 0) first = i;
  }
  if (differing == 0) {
    CHECK(true);
    return;
  }
  const size_t k = first % per_invocation, invocation = first / per_invocation;
  const bool is_result = per_invocation == result_words;
  const std::string where =
      is_result ? "result " + std::to_string(k) + " of invocation " + std::to_string(invocation) + result_text(one, k)
                : "word " + std::to_string(k) + " of further buffer " + std::to_string(invocation);
  FAIL_CHECK("kernel '" << one.name << "': " << differing << " differ, first " << where << ": " << actual[first] << " ("
                        << std::bit_cast<float>(actual[first]) << "), expected " << expected[first] << " ("
                        << std::bit_cast<float>(expected[first]) << ")");
}

void check_outcome(const KernelCase& one, const Outcome& actual, const Outcome& expected) {
  check_words(one, actual.results, expected.results, {one.ulps, one.absolute}, result_words);
  check_words(one, actual.others, expected.others, {}, extra_words);
}

// Compares only the results with the reference. Words that it does not set must be unchanged.
void check_reference(const KernelCase& one, const Outcome& actual, const Input& input, uint32_t subgroup) {
  std::vector<uint32_t> expected(actual.results.size(), unwritten);
  for (uint32_t id = 0; id < input.given.size() / given_words; ++id) {
    const std::vector<uint32_t> results = one.reference({input.given, id, one.workgroup, subgroup});
    REQUIRE(results.size() <= result_words);
    std::ranges::copy(results, expected.begin() + id * result_words);
  }
  check_words(one, actual.results, expected, {one.ulps, one.absolute}, result_words);
}

Input input_of(const KernelCase& one) {
  std::mt19937_64 generator = random_generator(one.name);
  Input input;
  input.given = random_words(size_t{one.workgroup} * one.groups * given_words, generator);
  input.extra = random_words(6 * extra_words, generator);
  input.uniforms = random_words(3 * uniform_words, generator);
  return input;
}

// "subgroup=8,schedule=7" are fibers: the judge. In lanes with "form=lanes".
const Device& host_device(const std::string& settings) {
  static std::map<std::string, Device> devices;
  const auto found = devices.find(settings);
  if (found != devices.end()) return found->second;
  return devices.emplace(settings, open_device("host:" + settings)).first->second;
}

// Compiles the kernels on as many threads as there are processors, so that later uses find them in the cache.
// Errors recur there.
void compile_ahead(const std::vector<KernelCase>& cases) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t k = next++; k < 2 * cases.size(); k = next++) {
      try {
        const KernelCase& one = cases[k / 2];
        const Spirv module = module_of(one);
        open_device("host:form=fibers").kernel(k % 2 == 0 ? module : optimized(module, one.name), one.options);
      } catch (const Error&) {
        continue;
      }
    }
  };
  std::vector<std::future<void>> threads;
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned t = 0; t < std::min(processors, 4u); ++t) threads.push_back(std::async(std::launch::async, work));
  for (auto& thread : threads) thread.get();
}

void check_on_host(const KernelCase& one) {
  const Input input = input_of(one);
  const Spirv module = module_of(one), smaller = optimized(module, one.name);
  std::optional<Outcome> first;
  constexpr uint32_t sizes[] = {32, 1, 4, 8, 16, 64, 128};
  const char* const schedules[] = {",form=fibers", ",schedule=7", ",schedule=20221"};
  for (size_t k = 0; k < std::size(sizes); ++k) {
    const std::string settings = "subgroup=" + std::to_string(sizes[k]) + schedules[k % 3];
    INFO("on host:", settings);
    std::optional<Outcome> here;
    for (const Spirv& either : {module, smaller}) {
      INFO(either.name);
      const Outcome outcome = run(host_device(settings), either, one, input);
      if (!one.depends_on_subgroups && !first) first = outcome;
      if (!here) here = outcome;
      check_outcome(one, outcome, one.depends_on_subgroups ? *here : *first);
      if (one.reference) check_reference(one, outcome, input, sizes[k]);
    }
  }
  if (!one.depends_on_subgroups) return;
  for (const char* schedule : schedules) {  // so far each size has had only one of them
    const Outcome base = run(host_device("subgroup=16,form=fibers"), module, one, input);
    check_outcome(one, run(host_device(std::string("subgroup=16,threads=2") + schedule), module, one, input), base);
  }
}

// A subgroup as one flow of control gives the same bits as fibers: at a subgroup size drawn for each kernel, or with
// WEFT_TEST_LANE_SIZES=all at all of them.
void check_lanes(const KernelCase& one) {
  const Input input = input_of(one);
  const Spirv module = module_of(one), smaller = optimized(module, one.name);
  const char* const wanted = std::getenv("WEFT_TEST_LANE_SIZES");
  const bool all = wanted && std::string_view(wanted) == "all";
  const uint64_t drawn = random_generator(one.name + " in lanes")();
  constexpr uint32_t sizes[] = {32, 1, 4, 8, 16, 64, 128};
  for (size_t k = 0; k < std::size(sizes); ++k) {
    if (!all && k != drawn % std::size(sizes)) continue;
    const std::string settings = "subgroup=" + std::to_string(sizes[k]);
    INFO("in lanes, host:", settings);
    const Spirv& either = (drawn / 8 + k) % 2 == 0 ? module : smaller;
    INFO(either.name);
    const Outcome expected = run(host_device(settings + ",form=fibers"), either, one, input);
    const Outcome actual = run(host_device(settings + ",form=lanes"), either, one, input);
    check_words(one, actual.results, expected.results, {}, result_words);
    check_words(one, actual.others, expected.others, {}, extra_words);
  }
}

// Kernels for which NVIDIA's Vulkan driver (580.159) differs from the reference.
constexpr const char* other_on_nvidia[] = {
    // Left open by Vulkan: NaN without SignedZeroInfNanPreserve, halves kept as floats, mod() by a rounded quotient,
    // lanes that fall through into a case.
    "comparison", "halves", "functions of halves", "exact results of halves", "floats to other widths",
    "float operations", "in switches", "phi of constants in a case", "remainders of negative integers",
    "minima of NaNs and zeros",
    // Wrong: offsets of more than 32 bits, pointers to row-major matrices.
    "indices of every width", "physical pointers are cast and stepped",
    "a function is given pointers to row-major matrices and columns"};

bool is_wrong_on(const KernelCase& one, const Device& device) {
  const DeviceInfo& info = device.info();
  if (info.backend != "vulkan") return false;
  for (const char* driver : {"llvmpipe", "SwiftShader"}) {
    if (info.name.find(driver) != std::string::npos) return one.wrong_on.find(driver) != std::string::npos;
  }
  if (info.name.find("NVIDIA") == std::string::npos) return false;
  // Remainders of negative numbers are undefined in Vulkan, and this driver exploits that.
  const bool has_remainders =
      one.body.find("OpSRem") != std::string::npos || one.body.find("OpSMod") != std::string::npos ||
      one.body.find(" SRem ") != std::string::npos || one.body.find(" SMod ") != std::string::npos;
  return has_remainders || std::ranges::find(other_on_nvidia, one.name) != std::end(other_on_nvidia);
}

// A driver that cannot run the kernel cannot judge it; then the reference must.
void check_against(const Device& driver, const KernelCase& one) {
  const Input input = input_of(one);
  const Spirv module = module_of(one);
  const uint32_t size = driver.info().limits.subgroup_size;
  std::optional<Outcome> expected;
  std::string reason = "it computes this wrongly";
  try {
    if (!is_wrong_on(one, driver)) expected = run(driver, module, one, input);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    reason = error.what();
  }
  if (!expected) {
    const bool is_judge = driver.info().name.find("llvmpipe") != std::string::npos;
    INFO(reason);
    CHECK_MESSAGE((one.reference || !is_judge), "kernel '", one.name, "' has no judge");
    return;
  }
  if (one.reference) check_reference(one, *expected, input, size);
  check_outcome(one, run(host_device("subgroup=" + std::to_string(size)), module, one, input), *expected);
}

std::vector<Group>& groups() {
  static std::vector<Group> all;
  return all;
}

}  // namespace

uint32_t Invocation::lanes() const { return std::min(subgroup, workgroup - (local() - lane())); }

KernelCase KernelCase::in(Language chosen) const {
  KernelCase result = *this;
  result.language = chosen;
  return result;
}
KernelCase KernelCase::judged_by(Reference chosen) const {
  KernelCase result = *this;
  result.reference = std::move(chosen);
  return result;
}
KernelCase KernelCase::of(uint32_t workgroup_size, uint32_t workgroups) const {
  KernelCase result = *this;
  result.workgroup = workgroup_size;
  result.groups = workgroups;
  return result;
}
KernelCase KernelCase::with(KernelOptions chosen) const {
  KernelCase result = *this;
  result.options = std::move(chosen);
  return result;
}
KernelCase KernelCase::version(uint32_t minor) const {
  KernelCase result = *this;
  result.spirv_minor = minor;
  return result;
}
KernelCase KernelCase::within(float difference) const {
  KernelCase result = *this;
  result.absolute = difference;
  return result;
}

KernelCase assembly(const std::string& name, const std::string& text, uint32_t ulps) {
  KernelCase result{name, "", text, ulps};
  result.language = Language::assembly;
  return result;
}

bool add_group(Group group) {
  groups().push_back(group);
  return true;
}

const std::vector<Group>& all_groups() { return groups(); }

uint64_t hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  return hash ^ hash >> 32;
}

Spirv module_of(const KernelCase& one) {
  constexpr uint32_t common[] = {0, 3, 4, 5, 6};
  const bool is_fixed = one.spirv_minor != ~0u;
  const uint32_t minor = is_fixed ? one.spirv_minor : common[hash_of(one.name) % std::size(common)];
  switch (one.language) {
    case Language::assembly:
      return assemble_kernel(is_fixed ? minor : std::max(minor, 3u), one.body, one.name, one.workgroup);
    case Language::hlsl:
      return compile_hlsl_to(minor < 3 ? 0 : 3,  // later versions lack the decoration of its buffers
                             one.body, one.name);
    default:
      return compile_glsl_to(minor, source_of(one), one.name);
  }
}

void check_kernels(const Device& device, const std::vector<KernelCase>& cases) {
  const bool is_host = device.info().backend == "host";
  if (is_host) compile_ahead(cases);
  for (const KernelCase& one : cases) {
    INFO("kernel '", one.name, "'");
    try {
      if (is_host) {
        check_on_host(one);
        check_lanes(one);
      } else {
        check_against(device, one);
      }
    } catch (const Error& error) {
      FAIL_CHECK("kernel '" << one.name << "': " << std::string(error.what()) << "\n" << error.log().substr(0, 3000));
    }
  }
}

}  // namespace weft::test
