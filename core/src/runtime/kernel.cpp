#include <weft/kernel.h>

#include <algorithm>

#include <weft/device.h>
#include <weft/error.h>
#include <weft/glsl.h>
#include <weft/plan_recorder.h>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/device_check.h"
#include "core/src/runtime/making_plan.h"
#include "core/src/runtime/prepared_kernel.h"
#include "core/src/spirv/capabilities.h"

namespace weft {
namespace {

const backend::Kernel& present(const std::shared_ptr<const backend::Kernel>& kernel) {
  if (!kernel) throw Error(ErrorCode::invalid_argument, "This Kernel is empty; create one with Device::kernel().");
  return *kernel;
}

}  // namespace

const std::string& Kernel::name() const { return present(impl_).name(); }
const Reflection& Kernel::reflection() const { return present(impl_).reflection(); }
uint32_t Kernel::resident_workgroups() const { return present(impl_).resident_workgroups(); }
void Kernel::prepare_indirect() const { present(impl_).prepare_indirect(); }

Kernel Device::kernel(const Spirv& module, const KernelOptions& options) const {
  impl_->require_this_process();
  if (this->options().recorder && !core::MakingPlan::current()) this->options().recorder->kernel(module, options);
  core::PreparedKernel kernel = core::prepared_kernel(module, options, *impl_);
  const core::DeviceCheck check(module.name, info());
  check.bindings(kernel.reflection);  // an image's capability would not name its binding
  check.capabilities(core::declared_capabilities(kernel.words), false);
  check.layout(kernel.layout_error);
  check.workgroup(kernel.reflection);
  check.push_constants(kernel.reflection);
  check.subgroup_size(options.subgroup_size);
  KernelOptions complete = options;
  complete.specialization = std::move(kernel.specialization);
  return Kernel(impl_->create_kernel({std::move(kernel.words), module.name}, complete, std::move(kernel.reflection)));
}

Kernel Device::kernel_from_glsl(const std::string& source, const KernelOptions& options) const {
  GlslOptions glsl_options;
  glsl_options.cache = impl_->options().cache;
  glsl_options.messages = impl_->options().messages;
  return kernel(compile_glsl(source, glsl_options), options);
}

}  // namespace weft
