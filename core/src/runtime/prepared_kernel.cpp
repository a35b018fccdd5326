#include "core/src/runtime/prepared_kernel.h"

#include <algorithm>

#include <weft/error.h>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/byte_stream.h"
#include "core/src/runtime/compilers.h"
#include "core/src/spirv/capabilities.h"
#include "core/src/spirv/preparation.h"

namespace weft::core {
namespace {

using Member = Reflection::Member;
using Binding = Reflection::Binding;
using Specialization = Reflection::Specialization;

void write(ByteWriter& to, const Reflection& r) {
  to.text(r.entry);
  for (const uint32_t size : r.workgroup_size) to.value(size);
  for (const uint32_t id : r.workgroup_size_ids) to.value(id);
  to.value(r.workgroup_memory_bytes);
  to.value(r.push_constant_bytes);
  to.list(r.push_constants, [&](const Member& m) {
    to.text(m.name);
    to.value(m.offset);
    to.value(m.bytes);
    to.text(m.type);
    to.value(m.pointee_align);
  });
  to.list(r.bindings, [&](const Binding& b) {
    to.value(b.set);
    to.value(b.binding);
    to.value(b.kind);
    to.text(b.name);
    to.value(b.count);
    to.value(b.min_bytes);
    to.value(b.array_stride);
    to.value(b.used);
  });
  to.list(r.specializations, [&](const Specialization& s) {
    to.value(s.id);
    to.text(s.name);
    to.text(s.type);
    to.value(s.bytes);
    to.value(s.default_bits);
  });
  to.words(r.capabilities);
  to.value(r.divergent_subgroup_operations);
}

// The members of the braced lists are read in this order, as C++ evaluates them.
Reflection read_reflection(ByteReader& from) {
  Reflection r;
  r.entry = from.text();
  for (uint32_t& size : r.workgroup_size) size = from.value<uint32_t>();
  for (uint32_t& id : r.workgroup_size_ids) id = from.value<uint32_t>();
  r.workgroup_memory_bytes = from.value<uint32_t>();
  r.push_constant_bytes = from.value<uint32_t>();
  r.push_constants = from.list<Member>([&] {
    return Member{from.text(), from.value<uint32_t>(), from.value<uint32_t>(), from.text(), from.value<uint32_t>()};
  });
  r.bindings = from.list<Binding>([&] {
    return Binding{from.value<uint32_t>(),
                   from.value<uint32_t>(),
                   from.value<Reflection::BindingKind>(),
                   from.text(),
                   from.value<uint32_t>(),
                   from.value<uint64_t>(),
                   from.value<uint32_t>(),
                   from.value<uint8_t>() != 0};
  });
  r.specializations = from.list<Specialization>([&] {
    return Specialization{from.value<uint32_t>(), from.text(), from.text(), from.value<uint32_t>(),
                          from.value<uint64_t>()};
  });
  r.capabilities = from.words();
  r.divergent_subgroup_operations = from.value<uint8_t>() != 0;
  return r;
}

// Everything that shapes what prepare() returns.
CacheKey preparation_key(const Spirv& module, const KernelOptions& options, const DeviceInfo& device) {
  CacheKey key;
  key.add(module.words).add(options.entry).add(options.specialization);
  key.add(uint64_t(options.contraction)).add(uint64_t{device.features.scalar_layout});
  for (const uint32_t capability : declared_capabilities(module.words)) {
    if (!device.capabilities.contains(capability)) key.add(uint64_t{capability});
  }
  return key;
}

}  // namespace

std::vector<std::byte> PreparedKernel::encode(std::span<const uint32_t> given) const {
  ByteWriter to;
  to.words(std::ranges::equal(words, given) ? std::span<const uint32_t>() : std::span<const uint32_t>(words));
  to.list(specialization, [&](const SpecializationValue& v) {
    to.value(v.id);
    to.value(v.bytes);
    to.value(v.bits);
  });
  write(to, reflection);
  to.text(layout_error);
  return to.take();
}

std::optional<PreparedKernel> PreparedKernel::decode(std::span<const std::byte> bytes,
                                                     std::span<const uint32_t> given) {
  ByteReader from(bytes);
  PreparedKernel kernel;
  kernel.words = from.words();
  if (kernel.words.empty()) kernel.words.assign(given.begin(), given.end());
  kernel.specialization = from.list<SpecializationValue>(
      [&] { return SpecializationValue{from.value<uint32_t>(), from.value<uint32_t>(), from.value<uint64_t>()}; });
  kernel.reflection = read_reflection(from);
  kernel.layout_error = from.text();
  if (!from.whole()) return std::nullopt;
  return kernel;
}

PreparedKernel prepared_kernel(const Spirv& module, const KernelOptions& options, const backend::Device& device) {
  const Artifact artifact{"prepared", preparation_key(module, options, device.info()), module.name};
  const std::vector<std::byte> bytes = device.kernels.get(artifact, preparation_tools(), [&] {
    require_compilers("kernel '" + module.name + "' with these options", device);
    return prepare(module, options, device.info(), device.cache()).encode(module.words);
  });
  auto kernel = PreparedKernel::decode(bytes, module.words);
  if (!kernel) throw Error(ErrorCode::invalid_argument, "What is known of kernel '" + module.name + "' is damaged.");
  return std::move(*kernel);
}

}  // namespace weft::core
