#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>
#include <utility>

#include <weft/glsl.h>
#include <weft/spirv.h>
#include <weft/translate.h>

#include "python/src/bindings.h"
#include "python/src/bytes_of.h"
#include "weft_python_kernels.h"

namespace weft::python {
namespace {

Spirv module_in(nb::handle bytes) { return spirv_from_bytes(BytesOf(bytes, BytesOf::Access::read).bytes(), "kernel"); }

TranslationTarget target_named(const std::string& name) {
  if (name == "host") return TranslationTarget::host;
  if (name == "lanes") return TranslationTarget::lanes;
  if (name == "cuda") return TranslationTarget::cuda;
  if (name == "hip") return TranslationTarget::hip;
  throw nb::value_error(("'" + name + "' is no target; there are: host, lanes, cuda, hip.").c_str());
}

Spirv search_module(const std::string& element) {
  static constexpr std::pair<const char*, Spirv (*)()> modules[] = {{"int8_t", kernels::searchsorted_int8_t},
                                                                    {"uint8_t", kernels::searchsorted_uint8_t},
                                                                    {"int16_t", kernels::searchsorted_int16_t},
                                                                    {"uint16_t", kernels::searchsorted_uint16_t},
                                                                    {"int", kernels::searchsorted_int},
                                                                    {"uint", kernels::searchsorted_uint},
                                                                    {"int64_t", kernels::searchsorted_int64_t},
                                                                    {"uint64_t", kernels::searchsorted_uint64_t},
                                                                    {"float16_t", kernels::searchsorted_float16_t},
                                                                    {"float", kernels::searchsorted_float},
                                                                    {"double", kernels::searchsorted_double}};
  for (const auto& [type, make] : modules) {
    if (element == type) return make();
  }
  throw nb::type_error("only numbers are searched for");
}

nb::list arguments_of(const Reflection& reflection) {
  nb::list result;
  for (const Reflection::Binding& binding : reflection.bindings) {
    result.append(nb::make_tuple(binding.name, "buffer"));
  }
  for (const Reflection::Member& member : reflection.push_constants) {
    result.append(nb::make_tuple(member.name, member.type));
  }
  return result;
}

}  // namespace

void bind_compilers(nb::module_& module) {
  module.def(
      "compile_glsl",
      [](const std::string& source, const std::string& name, const std::map<std::string, std::string>& defines) {
        Spirv compiled;
        {
          const nb::gil_scoped_release release;
          GlslOptions options = GlslOptions::from_environment();
          options.name = name;
          options.defines.assign(defines.begin(), defines.end());
          compiled = compile_glsl(source, options);
        }
        return nb::bytes(compiled.words.data(), compiled.words.size() * sizeof(uint32_t));
      },
      nb::arg("source"), nb::arg("name"), nb::arg("defines"), "The bytes of the SPIR-V module of a compute shader.");
  module.def(
      "search_module",
      [](const std::string& element) {
        const Spirv compiled = search_module(element);
        return nb::bytes(compiled.words.data(), compiled.words.size() * sizeof(uint32_t));
      },
      nb::arg("element"), "The kernel of searchsorted() for a type, as plans name it.");
  module.def(
      "disassemble", [](nb::handle spirv) { return disassemble_spirv(module_in(spirv)); }, nb::arg("spirv"),
      "A module's text, an instruction a line.");
  module.def(
      "translate",
      [](nb::handle spirv, const std::string& target) {
        return translate_spirv(module_in(spirv), target_named(target)).code;
      },
      nb::arg("spirv"), nb::arg("target"), "A module as C++ for host, lanes, cuda or hip.");
  module.def(
      "arguments_of", [](nb::handle spirv) { return arguments_of(reflect(module_in(spirv))); }, nb::arg("spirv"),
      "Names and types of a module's arguments, bindings first.");
}

}  // namespace weft::python
