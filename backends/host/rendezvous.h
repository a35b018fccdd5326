#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "backends/host/fiber.h"

namespace weft::host {

/// An exchange between lanes of a subgroup. Each lane provides a value; once all have arrived, each may read all
/// values. It is reused when the last lane has moved on to another one.
struct Rendezvous {
  weft_host_mask lanes{};
  uint32_t expected = 0, arrived = 0, readers = 0;
  uint32_t bytes = 0, site = 0;
  FiberList waiting;
  std::vector<unsigned char> slots;
  Rendezvous* next = nullptr;
};

struct Subgroup {
  Rendezvous* pending = nullptr;  ///< Incomplete rendezvous; rarely more than one.
};

/// The rendezvous of a thread, pending in its subgroups, read by their lanes, or free.
class RendezvousPool {
 public:
  /// Frees all: a stopped dispatch leaves incomplete ones behind.
  void reset();
  /// The pending one of these lanes; null if there is none. Lanes that have left a branch may wait for all lanes while
  /// others still exchange values inside it.
  static Rendezvous* find(const Subgroup& subgroup, const weft_host_mask& lanes) {
    Rendezvous* pending = subgroup.pending;
    while (pending && !same(pending->lanes, lanes)) pending = pending->next;
    return pending;
  }
  /// Begins one of values of `bytes` bytes.
  Rendezvous& open(Subgroup& subgroup, uint32_t subgroup_size, const weft_host_mask& lanes, uint32_t bytes,
                   uint32_t site);
  /// Takes a complete one from the subgroup. Its values stay until every lane releases them.
  static void complete(Subgroup& subgroup, Rendezvous& rendezvous) {
    Rendezvous** link = &subgroup.pending;
    while (*link != &rendezvous) link = &(*link)->next;
    *link = rendezvous.next;
  }
  /// The lane does not read its last exchange's values any more.
  void release(Fiber& fiber) {
    Rendezvous* held = std::exchange(fiber.held, nullptr);
    if (held && --held->readers == 0) free(*held);
  }
  /// Frees the subgroup's pending ones, whose fibers no longer wait for them.
  void abandon(Subgroup& subgroup);

 private:
  static bool same(const weft_host_mask& a, const weft_host_mask& b) {
    return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1];
  }
  void free(Rendezvous& rendezvous) { rendezvous.next = std::exchange(free_, &rendezvous); }

  std::vector<std::unique_ptr<Rendezvous>> all_;
  Rendezvous* free_ = nullptr;
};

}  // namespace weft::host
