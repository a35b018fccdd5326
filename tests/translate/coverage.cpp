#include <map>
#include <set>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

#include "backends/translate/capabilities.h"
#include "backends/translate/rules.h"
#include "core/src/spirv/capabilities.h"
#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// The corpus must contain every instruction that the translator claims to support, and declare every capability.

using namespace weft;
using namespace weft::test;

namespace {

// Instructions that the validator accepts only for OpenCL, so that no kernel for Vulkan can contain them.
const std::set<std::string> of_kernels_alone = {"OpAtomicFlagTestAndSet", "OpAtomicFlagClear", "OpSatConvertSToU",
                                                "OpSatConvertUToS", "OpInBoundsPtrAccessChain"};

// Returns the names of a module's instructions, as translated_instructions() writes them.
struct Reader {
  std::set<std::string>& names;
  std::set<uint32_t>& capabilities;
  const std::map<uint32_t, std::string>& glsl;
  std::set<uint32_t> glsl_sets;

  void read(const spv_parsed_instruction_t& i) {
    names.insert(translate::instruction_name(spv::Op(i.opcode)));
    if (i.opcode == spv::OpCapability) capabilities.insert(i.words[1]);
    if (i.opcode == spv::OpExtInstImport) {
      const std::string set = translate::literal_string({i.words + 2, i.words + i.num_words}, 0);
      if (set == "GLSL.std.450") glsl_sets.insert(i.result_id);
    }
    if (i.opcode != spv::OpExtInst || !glsl_sets.contains(i.words[3])) return;
    const auto found = glsl.find(i.words[4]);
    if (found != glsl.end()) names.insert(found->second);
  }
};

}  // namespace

TEST_CASE("the corpus has 150 kernels, and every instruction and capability that the translator supports") {
  std::set<std::string> names, kernels;
  std::set<uint32_t> capabilities;
  std::map<uint32_t, std::string> glsl;
  for (const translate::Rule& rule : translate::glsl_rules()) glsl[rule.op] = rule.name;
  for (const Group group : all_groups()) {
    for (const KernelCase& one : group()) {
      INFO("kernel '", one.name, "'");
      CHECK_MESSAGE(kernels.insert(one.name).second, "two kernels have the same name");
      Reader reader{names, capabilities, glsl, {}};
      const Spirv module = module_of(one);
      const auto read = [](void* user, const spv_parsed_instruction_t* i) {
        static_cast<Reader*>(user)->read(*i);
        return SPV_SUCCESS;
      };
      const spvtools::Context context(SPV_ENV_VULKAN_1_3);
      CHECK(spvBinaryParse(context.CContext(), &reader, module.words.data(), module.words.size(), nullptr, read,
                           nullptr) == SPV_SUCCESS);
    }
  }
  MESSAGE(kernels.size(), " kernels with ", names.size(), " instructions");
  CHECK(kernels.size() >= 150);
  for (const TranslatedInstruction& instruction : translated_instructions()) {
    if (of_kernels_alone.contains(instruction.name)) continue;
    CHECK_MESSAGE(names.contains(instruction.name), instruction.name, " is supported, but no kernel has it");
  }
  // Shader implies Matrix. FMAKHR (6030), which older assemblers do not know, is in
  // tests/conformance/foreign_spirv.cpp.
  capabilities.insert({uint32_t(spv::CapabilityMatrix), 6030});
  for (const uint32_t capability : translate::supported_capabilities()) {
    CHECK_MESSAGE(capabilities.contains(capability), core::capability_name(capability),
                  " is supported, but no kernel declares it");
  }
}
