#include <algorithm>
#include <span>

#include <weft/glsl.h>

#include "c/src/regions.h"
#include "c/src/structs.h"

namespace weft::c {
namespace {

template <typename T>
std::span<const T> array_of(const T* first, size_t count, const char* parameter) {
  return {given(first, parameter, count), count};
}

KernelOptions kernel_options(const weft_kernel_options& given) {
  KernelOptions options;
  options.entry = text_or(given.entry, "main");
  for (const weft_specialization& one :
       array_of(given.specializations, given.specialization_count, "options.specializations")) {
    options.specialization.push_back({one.id, one.bytes ? one.bytes : 4, one.bits});
  }
  options.subgroup_size = given.subgroup_size;
  options.full_subgroups = given.partial_subgroups == 0;
  if (given.device_reconvergence) options.reconvergence = Reconvergence::device;
  options.workgroups_per_multiprocessor = given.workgroups_per_multiprocessor;
  if (given.forbid_contraction) options.contraction = Contraction::forbidden;
  return options;
}

GlslOptions glsl_options(const weft_kernel_options& given, const DeviceOptions& device) {
  GlslOptions options;
  options.cache = device.cache;
  options.messages = device.messages;
  if (given.name) options.name = given.name;
  for (const weft_macro& macro : array_of(given.macros, given.macro_count, "options.macros")) {
    options.defines.emplace_back(c::given(macro.name, "options.macros"), text_or(macro.value, ""));
  }
  for (const char* folder : array_of(given.include_folders, given.include_folder_count, "options.include_folders")) {
    options.include_folders.emplace_back(c::given(folder, "options.include_folders"));
  }
  return options;
}

std::unique_ptr<weft_kernel> made(Kernel kernel) {
  return std::unique_ptr<weft_kernel>(new weft_kernel{.kernel = std::move(kernel)});
}

Arguments arguments_of(const weft_dispatch_arguments* arguments) {
  const weft_dispatch_arguments given = copy_of(arguments, "arguments");
  Arguments all;
  const auto* const block =
      static_cast<const std::byte*>(c::given(given.push_constants, "push_constants", given.push_constant_bytes));
  all.push({block, given.push_constant_bytes});
  for (const weft_binding& one : array_of(given.bindings, given.binding_count, "bindings")) {
    all.bind(one.set, one.binding, region_of(one.region, "bindings"), one.element);
  }
  return all;
}

}  // namespace
}  // namespace weft::c

using namespace weft::c;

weft_result weft_create_kernel(const weft_device* device, const void* spirv, size_t size,
                               const weft_kernel_options* options, weft_kernel** kernel) {
  return create(__func__, kernel, [&] {
    const weft::Device& on = checked(device, "device").device;
    const weft_kernel_options all = copy_of(options, "options");
    const std::span bytes(static_cast<const std::byte*>(given(spirv, "spirv")), size);
    return made(on.kernel(weft::spirv_from_bytes(bytes, text_or(all.name, "kernel")), kernel_options(all)));
  });
}

weft_result weft_create_kernel_from_glsl(const weft_device* device, const char* source,
                                         const weft_kernel_options* options, weft_kernel** kernel) {
  return create(__func__, kernel, [&] {
    const weft::Device& on = checked(device, "device").device;
    const weft_kernel_options all = copy_of(options, "options");
    const weft::Spirv module = weft::compile_glsl(given(source, "source"), glsl_options(all, on.options()));
    return made(on.kernel(module, kernel_options(all)));
  });
}

weft_result weft_destroy_kernel(weft_kernel* kernel) { return destroy(__func__, kernel); }

weft_result weft_get_workgroup_size(const weft_kernel* kernel, uint32_t size[3]) {
  return guarded(__func__,
                 [&] { std::ranges::copy(checked(kernel, "kernel").kernel.workgroup_size(), given(size, "size")); });
}

weft_result weft_get_resident_workgroups(const weft_kernel* kernel, uint32_t* workgroups) {
  return guarded(__func__,
                 [&] { *given(workgroups, "workgroups") = checked(kernel, "kernel").kernel.resident_workgroups(); });
}

weft_result weft_prepare_indirect(const weft_kernel* kernel) {
  return guarded(__func__, [&] { checked(kernel, "kernel").kernel.prepare_indirect(); });
}

weft_result weft_dispatch(weft_recorder* recorder, const weft_kernel* kernel, uint32_t x, uint32_t y, uint32_t z,
                          const weft_dispatch_arguments* arguments) {
  return guarded(__func__, [&] {
    checked(recorder, "recorder")
        .recorder->dispatch(checked(kernel, "kernel").kernel, {x, y, z}, arguments_of(arguments));
  });
}

weft_result weft_dispatch_indirect(weft_recorder* recorder, const weft_kernel* kernel, weft_region groups,
                                   const weft_dispatch_arguments* arguments) {
  return guarded(__func__, [&] {
    checked(recorder, "recorder")
        .recorder->dispatch_indirect(checked(kernel, "kernel").kernel,
                                     weft::View<const uint32_t>(region_of(groups, "groups")), arguments_of(arguments));
  });
}
