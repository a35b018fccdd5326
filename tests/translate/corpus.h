#pragma once

#include <functional>
#include <string>
#include <vector>

#include <weft/weft.h>

/// Kernels whose results on the host device, which runs translated code, are compared with those of Vulkan drivers or
/// with what C++ computes.
namespace weft::test {

/// One invocation of a kernel, with what it is given and which lane it is.
struct Invocation {
  const std::vector<uint32_t>& input;
  uint32_t id = 0;
  uint32_t workgroup = 64;  ///< Invocations in a workgroup.
  uint32_t subgroup = 1;    ///< Lanes that a subgroup has.

  uint32_t local() const { return id % workgroup; }
  uint32_t lane() const { return local() % subgroup; }
  /// How many lanes of this subgroup there are: a workgroup's last may be partial.
  uint32_t lanes() const;
  /// The invocation that is lane `l` of the same subgroup.
  Invocation at(uint32_t l) const { return {input, id - lane() + l, workgroup, subgroup}; }
  uint32_t u(uint32_t k) const { return input[id * 16 + k]; }
  float f(uint32_t k) const { return float(int32_t(u(k)) >> 8) / 1048576.0f; }
};

/// The results of one invocation, in order.
using Reference = std::function<std::vector<uint32_t>(const Invocation&)>;

/// What a result is before the kernel stores it.
constexpr uint32_t unwritten = 0xabababab;

enum class Language {
  glsl,      ///< The body of a function in GLSL.
  assembly,  ///< SPIR-V text; see assembly.h.
  hlsl,      ///< A whole shader, of glslang's HLSL front end.
};

/// One kernel. In GLSL `body` is that of a function of which each invocation runs one call: u(k) gives it random words,
/// f(k) random numbers between -8 and 8 (both for k < 16), put(uint) and putf(float) take up to 32 results. `id` is the
/// invocation's number. Further resources, for whoever declares them: in set 0, binding 2 is a uniform buffer of 256
/// random words, 3 three storage buffers of 1024 random words, 4 two uniform buffers of 256 random words, 5 a storage
/// buffer of 1024 zeros; 3 and 5 count as results. Push constants: the addresses of two more such buffers of zeros and
/// of random words (64 bits each), and the words 3, 1, 4, 1.
struct KernelCase {
  std::string name;
  std::string declarations;  ///< Of GLSL: extensions and, after a line that begins with "//", the rest.
  std::string body;
  /// How far apart floats may be, in units in the last place; results are words that must be equal where it is 0.
  uint32_t ulps = 0;
  /// The results depend on the size of subgroups, so the host device takes the driver's.
  bool depends_on_subgroups = false;
  /// Drivers that compute this wrongly (parts of their names), and are not asked.
  std::string wrong_on = "";
  Language language = Language::glsl;
  uint32_t workgroup = 64;  ///< Invocations in a workgroup, in one dimension.
  uint32_t groups = 4;
  KernelOptions options = {};
  Reference reference = {};    ///< What is right, where C++ can tell.
  uint32_t spirv_minor = ~0u;  ///< The version 1.x of SPIR-V; by default one that the name decides.
  /// Floats may be so far apart in any case: a sum whose terms cancel keeps the errors of its terms.
  float absolute = 1e-6f;

  KernelCase in(Language chosen) const;
  KernelCase judged_by(Reference chosen) const;
  KernelCase of(uint32_t workgroup_size, uint32_t workgroups) const;
  KernelCase with(KernelOptions chosen) const;
  KernelCase version(uint32_t minor) const;
  KernelCase within(float difference) const;
};

/// SPIR-V text as a kernel.
KernelCase assembly(const std::string& name, const std::string& text, uint32_t ulps = 0);

/// On a Vulkan device: compares what it computes with what the host device does at the same subgroup size. On the host
/// device: compares all subgroup sizes, under several schedules, as the module is and after optimiser passes, with one
/// another and with the reference.
void check_kernels(const Device& device, const std::vector<KernelCase>& cases);

/// Every kernel of the program, for tests of the corpus itself.
using Group = std::vector<KernelCase> (*)();
bool add_group(Group group);
const std::vector<Group>& all_groups();

/// The module of a case, and what becomes of it by optimiser passes that its name decides.
Spirv module_of(const KernelCase& one);
Spirv optimized(const Spirv& module, const std::string& name);
/// A number that the text decides, the same on every machine.
uint64_t hash_of(const std::string& text);

}  // namespace weft::test

#define WEFT_CORPUS(function, name)                                                                     \
  static std::vector<weft::test::KernelCase> function();                                                \
  [[maybe_unused]] static const bool WEFT_TEST_CAT(function, _group) = weft::test::add_group(function); \
  DEVICE_TEST(name) { weft::test::check_kernels(device, function()); }                                  \
  static std::vector<weft::test::KernelCase> function()

/// CORPUS("name") { return {kernels...}; }: a test for every device.
#define CORPUS(name) WEFT_CORPUS(WEFT_TEST_CAT(corpus_, __LINE__), name)
