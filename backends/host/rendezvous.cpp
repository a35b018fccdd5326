#include "backends/host/rendezvous.h"

#include <bit>

namespace weft::host {
namespace {

uint32_t count(const weft_host_mask& mask) {
  return uint32_t(std::popcount(mask.bits[0]) + std::popcount(mask.bits[1]));
}

}  // namespace

void RendezvousPool::reset() {
  free_ = nullptr;
  for (const auto& rendezvous : all_) {
    rendezvous->waiting.take_all();
    free(*rendezvous);
  }
}

Rendezvous& RendezvousPool::open(Subgroup& subgroup, uint32_t subgroup_size, const weft_host_mask& lanes,
                                 uint32_t bytes, uint32_t site) {
  if (!free_) {
    all_.push_back(std::make_unique<Rendezvous>());
    free_ = all_.back().get();
  }
  Rendezvous& made = *free_;
  free_ = made.next;
  const uint64_t needed = uint64_t{bytes} * subgroup_size;
  if (made.slots.size() < needed) made.slots.resize(needed);
  made.lanes = lanes;
  made.expected = made.readers = count(lanes);
  made.arrived = 0;
  made.bytes = bytes;
  made.site = site;
  made.next = subgroup.pending;
  subgroup.pending = &made;
  return made;
}

void RendezvousPool::abandon(Subgroup& subgroup) {
  while (Rendezvous* pending = subgroup.pending) {
    subgroup.pending = pending->next;
    pending->waiting.take_all();
    free(*pending);
  }
}

}  // namespace weft::host
