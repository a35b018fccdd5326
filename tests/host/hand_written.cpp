#include "tests/host/hand_written.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include <weft/error.h>

#include "backends/host/compiler.h"

namespace weft::host::test {

namespace {

const char* const helpers = R"(
template <typename T> T* binding(weft_host_invocation* self, int i) { return (T*)self->bindings[i].data; }
template <typename T> T* shared(weft_host_invocation* self) { return (T*)self->workgroup_memory; }
inline weft_host_mask all(weft_host_invocation* self) {
  const uint32_t total = ((uint32_t*)self->push_constants)[63];
  uint32_t lanes = total - self->subgroup_id * self->subgroup_size;
  if (lanes > self->subgroup_size) lanes = self->subgroup_size;
  weft_host_mask mask{};
  for (uint32_t lane = 0; lane < lanes; ++lane) mask.bits[lane / 64] |= uint64_t(1) << (lane % 64);
  return mask;
}
extern "C" const weft_host_site weft_sites[] = {
    {"site 0", "hand.comp", 100}, {"site 1", "hand.comp", 101}, {"site 2", "hand.comp", 102},
    {"site 3", "hand.comp", 103}, {"site 4", "hand.comp", 104}, {"site 5", "hand.comp", 105},
    {"site 6", "hand.comp", 106}, {"site 7", "hand.comp", 107}, {"site 8", "hand.comp", 108},
    {"site 9", "hand.comp", 109}};
extern "C" const uint32_t weft_site_count = 10;
)";

std::string abi() {
  std::ifstream file(HOST_ABI_FILE);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(text.empty());
  return text.substr(text.find("#include"));
}

}  // namespace

std::shared_ptr<const Code> compile_by_hand(const std::string& body, uint64_t workgroup_memory_bytes) {
  static std::map<std::string, std::shared_ptr<const Code>> known;
  const std::string memory = std::to_string(workgroup_memory_bytes);
  auto& code = known[memory + body];
  if (!code) {
    const std::string text = abi() + helpers + "extern \"C\" const uint64_t weft_workgroup_memory_bytes = " + memory +
                             ";\nextern \"C\" void weft_kernel(weft_host_invocation* self) {\n" + body + "\n}\n";
    code = std::make_shared<Code>(Compiler::find("").compile(text, "by hand"), "by hand");
  }
  return code;
}

Run::Run(std::shared_ptr<const Code> code, Groups groups, uint32_t workgroup, uint32_t subgroup) {
  dispatch_.code = std::move(code);
  dispatch_.groups = groups;
  dispatch_.workgroup_size = {workgroup, 1, 1};
  dispatch_.subgroup_size = subgroup;
  std::memcpy(&dispatch_.push_constants[63 * sizeof(uint32_t)], &workgroup, sizeof(workgroup));
}

Run& Run::bind(std::vector<uint32_t>& words) {
  dispatch_.bindings.push_back({reinterpret_cast<unsigned char*>(words.data()), words.size() * sizeof(uint32_t)});
  return *this;
}

Run& Run::schedule(uint64_t seed) {
  dispatch_.schedule = seed;
  return *this;
}

Run& Run::check(std::shared_ptr<MemoryMap> memory, const void* pointer) {
  dispatch_.checked = std::move(memory);
  std::memcpy(dispatch_.push_constants.data(), &pointer, sizeof(pointer));
  return *this;
}

void Run::on_threads(uint32_t threads) { Executor(std::make_shared<StackPool>(), threads).run(dispatch_); }

std::string failure_of(Run& run, uint32_t threads) {
  try {
    run.on_threads(threads);
  } catch (const Error& error) {
    CHECK_EQ(error.code(), ErrorCode::kernel_failed);
    return error.what();
  }
  FAIL("the run did not fail");
  return {};
}

}  // namespace weft::host::test
