#pragma once

#include <functional>
#include <string>
#include <vector>

#include <weft/weft.h>

/// Kernels whose results on the host device, which runs translated code, are compared with those of Vulkan drivers or
/// of C++.
namespace weft::test {

/// One invocation of a kernel, with its inputs and lane.
struct Invocation {
  const std::vector<uint32_t>& input;
  uint32_t id = 0;
  uint32_t workgroup = 64;  ///< Invocations per workgroup.
  uint32_t subgroup = 1;    ///< Lanes per subgroup.

  uint32_t local() const { return id % workgroup; }
  uint32_t lane() const { return local() % subgroup; }
  /// Returns the number of lanes of this subgroup: the last one of a workgroup may be partial.
  uint32_t lanes() const;
  /// Returns the invocation in lane `l` of the same subgroup.
  Invocation at(uint32_t l) const { return {input, id - lane() + l, workgroup, subgroup}; }
  uint32_t u(uint32_t k) const { return input[id * 16 + k]; }
  float f(uint32_t k) const { return float(int32_t(u(k)) >> 8) / 1048576.0f; }
};

/// The results of one invocation, in order.
using Reference = std::function<std::vector<uint32_t>(const Invocation&)>;

/// Initial value of the results' words.
constexpr uint32_t unwritten = 0xabababab;

enum class Language {
  glsl,      ///< The body of a function in GLSL.
  assembly,  ///< SPIR-V text; see compile.h.
  hlsl,      ///< A whole shader, for glslang's HLSL front end.
};

/// One kernel. In GLSL, `body` is the body of a function that each invocation calls once. u(k) returns random words,
/// f(k) random numbers between -8 and 8 (both for k < 16); put(uint) and putf(float) store up to 32 results. `id` is
/// the index of the invocation. A kernel may declare further resources. In set 0, binding 2 is a uniform buffer of 256
/// random words, 3 three storage buffers of 1024 random words, 4 two uniform buffers of 256 random words, 5 a storage
/// buffer of 1024 zeros; 3 and 5 count as results. Push constants: the addresses (64 bits each) of two more such
/// buffers, of zeros and of random words, then the words 3, 1, 4, 1.
struct KernelCase {
  std::string name;
  std::string declarations;  ///< For GLSL: extensions, then a line that begins with "//", then the rest.
  std::string body;
  /// Tolerance of floats, in units in the last place. If it is 0, results are words that must be equal.
  uint32_t ulps = 0;
  /// The results depend on the subgroup size, so the host device uses the driver's.
  bool depends_on_subgroups = false;
  /// Drivers (parts of their names) that compute this wrongly, and do not run it.
  std::string wrong_on = "";
  Language language = Language::glsl;
  uint32_t workgroup = 64;  ///< Invocations per workgroup, in one dimension.
  uint32_t groups = 4;
  KernelOptions options = {};
  Reference reference = {};    ///< Computes the right results, if C++ can.
  uint32_t spirv_minor = ~0u;  ///< The version 1.x of SPIR-V; by default chosen by the name.
  /// Absolute tolerance of floats: a sum whose terms cancel keeps the errors of its terms.
  float absolute = 1e-6f;

  KernelCase in(Language chosen) const;
  KernelCase judged_by(Reference chosen) const;
  KernelCase of(uint32_t workgroup_size, uint32_t workgroups) const;
  KernelCase with(KernelOptions chosen) const;
  KernelCase version(uint32_t minor) const;
  KernelCase within(float difference) const;
};

/// Makes a kernel of SPIR-V text.
KernelCase assembly(const std::string& name, const std::string& text, uint32_t ulps = 0);

/// On a Vulkan device: compares its results with those of the host device at the same subgroup size. On the host
/// device: compares all subgroup sizes, under several schedules, before and after optimiser passes, with each other and
/// with the reference.
void check_kernels(const Device& device, const std::vector<KernelCase>& cases);

/// Every kernel of the program, for tests of the corpus itself.
using Group = std::vector<KernelCase> (*)();
bool add_group(Group group);
const std::vector<Group>& all_groups();

/// The module of a case, and the same after optimiser passes chosen by its name.
Spirv module_of(const KernelCase& one);
Spirv optimized(const Spirv& module, const std::string& name);
/// A hash of the text, the same on every machine.
uint64_t hash_of(const std::string& text);

}  // namespace weft::test

#define WEFT_CORPUS(function, name)                                                                     \
  static std::vector<weft::test::KernelCase> function();                                                \
  [[maybe_unused]] static const bool WEFT_TEST_CAT(function, _group) = weft::test::add_group(function); \
  DEVICE_TEST(name) { weft::test::check_kernels(device, function()); }                                  \
  static std::vector<weft::test::KernelCase> function()

/// CORPUS("name") { return {kernels...}; }: a test for every device.
#define CORPUS(name) WEFT_CORPUS(WEFT_TEST_CAT(corpus_, __COUNTER__), name)
