#include "backends/cuda_hip/kernel_ahead.h"

namespace weft::cuda_hip {

KernelAhead::KernelAhead(const std::shared_ptr<backend::Device>& device, std::shared_ptr<const Compiler> compiler,
                         const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      compiler_(std::move(compiler)),
      module_(module),
      options_(options) {
  make(Form::direct);
}

void KernelAhead::make(Form form) const {
  const std::string& architecture = device().info().architecture;
  const CodeMaker maker(device(), *compiler_, module_, reflection_, options_, form);
  const auto takes_any = [](const CodeMaker::Bytes&) { return true; };
  device().kernels.get_packed(maker.packed(architecture), [&] { return maker.made(architecture, takes_any); });
}

}  // namespace weft::cuda_hip
