#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <map>
#include <string>

#include <weft/glsl.h>

#include "python/src/bindings.h"
#include "python/src/bytes_of.h"
#include "python/src/push_constants.h"
#include "python/src/read_only.h"
#include "python/src/recording.h"

namespace weft::python {
namespace {

/// The value of a specialization constant, by its number or name.
SpecializationValue specialized(const Reflection& reflection, nb::handle key, nb::handle value) {
  for (const Reflection::Specialization& constant : reflection.specializations) {
    if (nb::isinstance<nb::str>(key) ? constant.name != nb::cast<std::string>(key)
                                     : constant.id != nb::cast<uint32_t>(key)) {
      continue;
    }
    SpecializationValue result{constant.id, constant.bytes, 0};
    std::vector<std::byte> bits(sizeof result.bits);
    const bool is_bool = constant.type == "bool";
    write_member(bits, {constant.name, 0, constant.bytes, is_bool ? "uint" : constant.type},
                 is_bool ? nb::object(nb::int_(nb::cast<bool>(value) ? 1 : 0)) : nb::borrow(value));
    std::memcpy(&result.bits, bits.data(), sizeof result.bits);
    return result;
  }
  throw nb::type_error(
      ("the kernel has no specialization constant " + nb::cast<std::string>(nb::str(key)) + ".").c_str());
}

Spirv module_of(const Device& device, nb::handle source, const std::string& name,
                const std::map<std::string, std::string>& defines) {
  if (!nb::isinstance<nb::str>(source)) return spirv_from_bytes(BytesOf(source, BytesOf::Access::read).bytes(), name);
  GlslOptions options;
  options.name = name;
  options.defines.assign(defines.begin(), defines.end());
  options.debug_lines = true;
  options.cache = device.options().cache;
  const std::string text = nb::cast<std::string>(source);
  const nb::gil_scoped_release release;
  return compile_glsl(text, options);
}

/// A kernel, with its interface for checks by name.
class OpenKernel {
 public:
  OpenKernel(const OpenDevice& device, nb::handle source, const std::string& name,
             const std::map<std::string, std::string>& defines, const nb::dict& specialization,
             uint32_t subgroup_size) {
    const Spirv module = module_of(device.device, source, name, defines);
    KernelOptions options;
    options.subgroup_size = subgroup_size;
    if (nb::len(nb::handle(specialization)) > 0) {
      const Reflection reflection = reflect(module);
      for (const auto& [key, value] : specialization) {
        options.specialization.push_back(specialized(reflection, key, value));
      }
    }
    const nb::gil_scoped_release release;
    kernel_ = device.device.kernel(module, options);
    read_only_ = read_only_buffers(module.words);
  }

  const Kernel& kernel() const { return kernel_; }

  /// `arguments`: by the names of bindings and of members of the push-constant block.
  void record(OpenStream& stream, nb::handle groups, const nb::dict& arguments) const {
    const Reflection& reflection = kernel_.reflection();
    size_t taken = 0;
    const auto take = [&](const std::string& name) -> nb::handle {
      PyObject* const value = PyDict_GetItemString(arguments.ptr(), name.c_str());
      if (!value) throw nb::type_error(("the kernel's argument '" + name + "' is missing.").c_str());
      ++taken;
      return value;
    };
    Arguments bound;
    for (const Reflection::Binding& binding : reflection.bindings) {
      if (!binding.used && !PyDict_GetItemString(arguments.ptr(), binding.name.c_str())) continue;
      const nb::handle value = take(binding.name);
      if (!nb::isinstance<Array>(value)) {
        throw nb::type_error(("'" + binding.name + "' takes a weft.Array.").c_str());
      }
      if (!read_only_.bindings.contains({binding.set, binding.binding})) {
        require_writable(binding.name, *nb::inst_ptr<Array>(value));
      }
      bound.bind(binding.set, binding.binding, nb::inst_ptr<Array>(value)->region());
    }
    std::vector<std::byte> block(reflection.push_constant_bytes);
    for (const Reflection::Member& member : reflection.push_constants) {
      write_member(block, member, take(member.name), read_only_.references.contains(member.offset));
    }
    if (!block.empty()) bound.push(block);
    if (taken != size_t(PyDict_Size(arguments.ptr()))) {
      throw nb::type_error("the kernel has no argument of one of the names; see Kernel.arguments.");
    }
    std::vector<Memory*> used = memory_in(arguments);
    const bool is_indirect = nb::isinstance<Array>(groups);
    if (is_indirect) used.push_back(nb::inst_ptr<Array>(groups)->memory().get());
    const Groups count = is_indirect ? Groups{} : groups_of(groups);
    const std::vector<Event> before = points_before(stream, used);
    stream.alone([&](Stream& inner) {
      for (const Event& event : before) inner.wait(event);
      if (is_indirect) {
        inner.dispatch_indirect(kernel_, View<const uint32_t>(nb::inst_ptr<Array>(groups)->region()), bound);
      } else {
        inner.dispatch(kernel_, count, bound);
      }
      stream.note_command(inner);
    });
    follow(stream, used);
  }

  /// Names and types, bindings first.
  nb::list arguments() const {
    nb::list result;
    for (const Reflection::Binding& binding : kernel_.reflection().bindings) {
      result.append(nb::make_tuple(binding.name, "buffer"));
    }
    for (const Reflection::Member& member : kernel_.reflection().push_constants) {
      result.append(nb::make_tuple(member.name, member.type));
    }
    return result;
  }

 private:
  static Groups groups_of(nb::handle groups) {
    uint32_t sizes[3] = {1, 1, 1};
    const bool is_sequence = PySequence_Check(groups.ptr()) != 0;
    const size_t count = is_sequence ? nb::len(groups) : 1;
    bool is_right = count >= 1 && count <= 3;
    for (size_t i = 0; is_right && i < count; ++i) {
      is_right = nb::try_cast<uint32_t>(is_sequence ? nb::object(groups[i]) : nb::borrow(groups), sizes[i]);
    }
    if (!is_right) throw nb::type_error("'groups' takes a number of workgroups, or up to three, or an array of three.");
    return {sizes[0], sizes[1], sizes[2]};
  }

  Kernel kernel_;
  ReadOnlyBuffers read_only_;
};

}  // namespace

void bind_kernels(nb::module_& module) {
  nb::class_<OpenKernel>(module, "Kernel", "A kernel of yours, compiled for a device.")
      .def(nb::init<const OpenDevice&, nb::handle, const std::string&, const std::map<std::string, std::string>&,
                    const nb::dict&, uint32_t>(),
           nb::arg("device"), nb::arg("source"), nb::arg("name"), nb::arg("defines"), nb::arg("specialization"),
           nb::arg("subgroup_size"))
      .def_prop_ro("name", [](const OpenKernel& kernel) { return kernel.kernel().name(); })
      .def_prop_ro(
          "workgroup_size",
          [](const OpenKernel& kernel) {
            const auto size = kernel.kernel().workgroup_size();
            return nb::make_tuple(size[0], size[1], size[2]);
          },
          "Invocations of a workgroup in x, y and z.")
      .def_prop_ro(
          "resident_workgroups", [](const OpenKernel& kernel) { return kernel.kernel().resident_workgroups(); },
          "Workgroups that an idle device runs at once; 0 where it cannot say.")
      .def_prop_ro("arguments", &OpenKernel::arguments, "Names and types of the arguments, bindings first.")
      .def("record", &OpenKernel::record, nb::arg("stream"), nb::arg("groups"), nb::arg("arguments"),
           "Records a dispatch, with arguments by name.");
}

}  // namespace weft::python
