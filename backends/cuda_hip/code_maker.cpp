#include "backends/cuda_hip/code_maker.h"

#include <algorithm>
#include <cstring>

#include "backends/translate/code_cache.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/uncompiled.h"

namespace weft::cuda_hip {

namespace {

CodeMaker::Bytes with_header(const Translation& translation, const std::vector<std::byte>& code) {
  const CodeHeader header{translation.workgroup_memory_bytes, translation.dynamic_workgroup_memory_bytes};
  CodeMaker::Bytes bytes(sizeof(header) + code.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::ranges::copy(code, bytes.begin() + sizeof(header));
  return bytes;
}

std::string with_options(const Compiler& compiler, const std::string& architecture) {
  std::string text = compiler.identity();
  for (const std::string& option : compiler.options(architecture)) text += " " + option;
  return text;
}

}  // namespace

CodeMaker::CodeMaker(const backend::Device& device, const Compiler& compiler, const Spirv& module,
                     const Reflection& reflection, const KernelOptions& options, Form form)
    : device_(device),
      compiler_(compiler),
      module_(module),
      reflection_(reflection),
      options_(options),
      before_(form == Form::indirect ? "#define WEFT_INDIRECT 1\n" : ""),
      key_(translate::translation_key(module, compiler.target(), options, before_)) {}

core::Artifact CodeMaker::packed(const std::string& architecture) const {
  return translate::packed_code(device_.info().backend, architecture, key_, module_.name);
}

CodeMaker::Bytes CodeMaker::made(const std::string& architecture,
                                 const std::function<bool(const Bytes&)>& accepts) const {
  const std::string what = "the machine code of kernel '" + module_.name + "' for " + architecture;
  core::require_compilers(what, device_);
  if (const std::string why = compiler_.refusal(architecture); !why.empty()) {
    core::refuse_uncompiled(why, what, device_);
  }
  const translate::CodeCache cache(device_.cache(),
                                   {device_.info().backend, architecture, with_options(compiler_, architecture)});
  if (auto known = cache.find(key_); known && accepts(*known)) return std::move(*known);

  const Translation translation = translate::translate(module_, reflection_, compiler_.target(), options_);
  const std::string source = before_ + translation.code;
  cache.put(key_, source);
  if (auto known = cache.find(source); known && accepts(*known)) return std::move(*known);

  Bytes bytes = with_header(translation, compiler_.compile(source, module_.name, architecture));
  cache.put(source, bytes);
  return bytes;
}

}  // namespace weft::cuda_hip
