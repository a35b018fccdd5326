#include "backends/cuda_hip/timestamp.h"

#include "core/src/runtime/messages.h"

namespace weft::cuda_hip {

double Timestamp::seconds_since(backend::Timestamp& start) {
  const Mark& from = *static_cast<Timestamp&>(start).mark_;
  return device_->call([&] {
    if (!from.done() || !mark_->done()) throw core::not_passed();
    return device_->api().seconds_between(from.handle(), mark_->handle());
  });
}

}  // namespace weft::cuda_hip
