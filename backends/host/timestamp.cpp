#include "backends/host/timestamp.h"

#include "core/src/runtime/messages.h"

namespace weft::host {

double Timestamp::seconds_since(backend::Timestamp& start) {
  const uint64_t from = *static_cast<Timestamp&>(start).slot_, to = *slot_;
  if (from == 0 || to == 0) throw core::not_passed();
  return double(int64_t(to - from)) * 1e-9;
}

}  // namespace weft::host
