#include "tests/translate/vendors/comgr.h"

#include <cstdint>

#include "tests/translate/vendors/library.h"

namespace weft::test {
namespace {

// As in amd_comgr.h: every object is a number, and every function returns 0 on success.
struct Handle {
  uint64_t number = 0;
};
constexpr int kind_source = 1, kind_executable = 8, action_disassemble = 12;
const std::string isa_prefix = "amdgcn-amd-amdhsa--";

void check(int status, const char* what) {
  if (status != 0) {
    throw Error(ErrorCode::unsupported, std::string("amd_comgr fails: ") + what + " gives " + std::to_string(status));
  }
}

}  // namespace

struct Comgr::Functions {
  Library library{"AMD's code object library", {"libamd_comgr.so.2"}};
  template <class... Arguments>
  void call(const char* name, Arguments... arguments) const {
    check(library.function<int(Arguments...)>(name)(arguments...), name);
  }
};

Comgr::Comgr() : functions_(std::make_unique<Functions>()) {}
Comgr::~Comgr() = default;

std::string Comgr::disassemble(const std::string& code_object, const std::string& architecture) const {
  const Functions& f = *functions_;
  Handle data, input, output, info, text;
  f.call("amd_comgr_create_data", kind_executable, &data);
  f.call("amd_comgr_set_data", data, code_object.size(), code_object.data());
  f.call("amd_comgr_set_data_name", data, "kernel.co");
  f.call("amd_comgr_create_data_set", &input);
  f.call("amd_comgr_data_set_add", input, data);
  f.call("amd_comgr_create_data_set", &output);
  f.call("amd_comgr_create_action_info", &info);
  const std::string isa = isa_prefix + architecture;
  f.call("amd_comgr_action_info_set_isa_name", info, isa.c_str());
  f.call("amd_comgr_do_action", action_disassemble, info, input, output);
  f.call("amd_comgr_action_data_get_data", output, kind_source, size_t{0}, &text);
  size_t size = 0;
  f.call("amd_comgr_get_data", text, &size, static_cast<char*>(nullptr));
  std::string result(size, '\0');
  f.call("amd_comgr_get_data", text, &size, result.data());
  f.call("amd_comgr_release_data", text);
  f.call("amd_comgr_release_data", data);
  f.call("amd_comgr_destroy_action_info", info);
  f.call("amd_comgr_destroy_data_set", output);
  f.call("amd_comgr_destroy_data_set", input);
  return result;
}

}  // namespace weft::test
