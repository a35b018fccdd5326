#include "backends/cuda_hip/mark.h"

namespace weft::cuda_hip {

Mark::Mark(std::shared_ptr<const Api> api, ContextHandle context, bool timed)
    : api_(std::move(api)), context_(context), handle_(api_->create_event(timed)) {}

Mark::~Mark() {
  clean_up(*api_, context_, [&] { api_->destroy(handle_); });
}

void Mark::record(const Queue& queue) {
  patience_ = queue.patience();
  api_->record(handle_, queue.handle());
}

}  // namespace weft::cuda_hip
