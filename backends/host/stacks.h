#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <mutex>
#include <vector>

namespace weft::host {

/// Stacks for fibers, taken from the system in slabs and kept until the pool goes. Thread-safe.
///
/// A stack has 128 KiB (more under AddressSanitizer, whose frames are larger): enough for kernels with tens of KiB of
/// private arrays, and only the pages that are touched cost memory, mostly one or two. Below each lies a page that
/// cannot be touched, so an overflow is a fault and not silent damage.
class StackPool {
 public:
  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;

  /// Throws Error(out_of_memory) when the system gives no more.
  boost::context::stack_context take();
  void give_back(const boost::context::stack_context& stack);

 private:
  void add_slab();

  std::mutex mutex_;
  std::vector<void*> slabs_;
  std::vector<boost::context::stack_context> free_;
};

/// The pool as Boost.Context takes allocators of stacks.
class PooledStacks {
 public:
  explicit PooledStacks(StackPool& pool) : pool_(&pool) {}
  boost::context::stack_context allocate() { return pool_->take(); }
  void deallocate(boost::context::stack_context& stack) { pool_->give_back(stack); }

 private:
  StackPool* pool_;
};

}  // namespace weft::host
