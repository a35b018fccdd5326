#pragma once

#include <memory>

#include "backends/cuda_hip/code_maker.h"

namespace weft::cuda_hip {

/// A kernel whose machine code goes into the pack that its device makes. The device need not be there.
class KernelAhead final : public backend::Kernel {
 public:
  KernelAhead(const std::shared_ptr<backend::Device>& device, std::shared_ptr<const Compiler> compiler,
              const Spirv& module, const KernelOptions& options, Reflection reflection);

  void prepare_indirect() const override { make(Form::indirect); }

 private:
  void make(Form form) const;

  const std::shared_ptr<const Compiler> compiler_;
  const Spirv module_;
  const KernelOptions options_;
};

}  // namespace weft::cuda_hip
