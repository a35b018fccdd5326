#include <elf.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "backends/hip/compiler.h"
#include "tests/translate/vendors/comgr.h"
#include "tests/translate/vendors/device_compiler.h"
#include "tests/translate/vendors/library.h"

namespace weft::test {
namespace {

using Program = void*;
constexpr int hiprtc_success = 0;

template <class T>
T read_at(const std::string& bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) {
    throw Error(ErrorCode::compile_failed, "hipRTC's code object ends early.");
  }
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// Reads the code object's note about its one kernel.
nlohmann::json kernel_metadata(const std::string& code_object) {
  constexpr uint32_t amdgpu_metadata = 32;
  const auto header = read_at<Elf64_Ehdr>(code_object, 0);
  for (uint64_t s = 0; s < header.e_shnum; ++s) {
    const auto section = read_at<Elf64_Shdr>(code_object, header.e_shoff + s * header.e_shentsize);
    if (section.sh_type != SHT_NOTE) continue;
    for (uint64_t at = section.sh_offset; at < section.sh_offset + section.sh_size;) {
      const auto note = read_at<Elf64_Nhdr>(code_object, at);
      const auto padded = [](uint64_t bytes) { return (bytes + 3) / 4 * 4; };
      const uint64_t content = at + sizeof(note) + padded(note.n_namesz);
      at = content + padded(note.n_descsz);
      if (note.n_type != amdgpu_metadata || at > code_object.size()) continue;
      const auto begin = code_object.begin() + std::ptrdiff_t(content);
      return nlohmann::json::from_msgpack(begin, begin + note.n_descsz).at("amdhsa.kernels").at(0);
    }
  }
  throw Error(ErrorCode::compile_failed, "hipRTC's code object has no metadata.");
}

class Hiprtc : public DeviceCompiler {
 public:
  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::vector<std::string> architectures() const override {
    return listed_in("WEFT_TEST_HIP_ARCHITECTURES", {"gfx90a", "gfx1030", "gfx900"});
  }
  uint32_t subgroup_size(const std::string& architecture) const override { return wavefront_size(architecture); }
  uint32_t workgroup_memory_bytes(const std::string&) const override { return amd_workgroup_memory_bytes; }
  std::string identity() const override { return weft_.identity(); }

  DeviceCode compile(const std::string& source, const std::string& architecture) const override {
    // hipRTC 5.2 ends the process if it does not know the architecture.
    if (const std::string why = weft_.refusal(architecture); !why.empty()) throw Error(ErrorCode::unsupported, why);
    const std::string option = "--offload-arch=" + architecture;
    const char* options[] = {option.c_str(), "--std=c++17", "-fno-finite-loops"};
    Program program = nullptr;
    if (create_(&program, source.c_str(), "kernel.hip", 0, nullptr, nullptr) != hiprtc_success) {
      throw Error(ErrorCode::compile_failed, "hipRTC takes no program.");
    }
    const int result = compile_(program, int(std::size(options)), options);
    DeviceCode code;
    code.log = text(program, log_size_, log_);
    std::string object;
    if (result == hiprtc_success) object = text(program, code_size_, code_);
    destroy_(&program);
    if (result != hiprtc_success) {
      throw Error(ErrorCode::compile_failed, "hipRTC for " + architecture + ": " + error_(result), code.log);
    }
    const nlohmann::json kernel = kernel_metadata(object);
    code.assembly = comgr_.disassemble(object, architecture);
    code.registers = kernel.at(".vgpr_count");
    code.stack_bytes = kernel.at(".private_segment_fixed_size");
    code.spills = kernel.at(".vgpr_spill_count").get<uint32_t>() + kernel.at(".sgpr_spill_count").get<uint32_t>();
    code.workgroup_memory_bytes = kernel.at(".group_segment_fixed_size");
    code.subgroup_size = kernel.at(".wavefront_size");
    return code;
  }

 private:
  using GetSize = int(Program, size_t*);
  using GetText = int(Program, char*);

  static std::string text(Program program, GetSize* size_of, GetText* get) {
    size_t size = 0;
    if (size_of(program, &size) != hiprtc_success) return {};
    std::string result(size, '\0');
    if (size != 0) get(program, result.data());
    return result;
  }

  static std::vector<std::string> names() { return listed_in("WEFT_TEST_HIPRTC", {"libamdhip64.so.5"}); }

  int version() const {
    int version = 0;  // version of the library; needs no GPU
    library_.function<int(int*)>("hipRuntimeGetVersion")(&version);
    return version;
  }

  Library library_{"hipRTC", names()};
  // Compiles like Weft, which needs only the code; the tests also need the compiler's report.
  const hip::Compiler weft_{[this] {
    return hip::CompilerFunctions::open({"hipRTC", "WEFT_HIPRTC", "", names(), "scripts/setup.sh"}, version(), "");
  }};
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) =
      library_.function<int(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
          "hiprtcCreateProgram");
  int (*compile_)(Program, int, const char* const*) =
      library_.function<int(Program, int, const char* const*)>("hiprtcCompileProgram");
  int (*destroy_)(Program*) = library_.function<int(Program*)>("hiprtcDestroyProgram");
  const char* (*error_)(int) = library_.function<const char*(int)>("hiprtcGetErrorString");
  GetSize* log_size_ = library_.function<GetSize>("hiprtcGetProgramLogSize");
  GetText* log_ = library_.function<GetText>("hiprtcGetProgramLog");
  GetSize* code_size_ = library_.function<GetSize>("hiprtcGetCodeSize");
  GetText* code_ = library_.function<GetText>("hiprtcGetCode");
  Comgr comgr_;
};

}  // namespace

const DeviceCompiler& hiprtc() {
  static const Hiprtc compiler;
  return compiler;
}

}  // namespace weft::test
