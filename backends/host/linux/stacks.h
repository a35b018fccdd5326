#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <mutex>
#include <vector>

namespace weft::host {

/// Stacks for fibers, allocated in slabs and kept until the pool is destroyed. Thread-safe.
///
/// A stack has 128 KiB for each invocation that it runs at a time (more under AddressSanitizer, whose frames are
/// larger), enough for kernels with tens of KiB of private arrays. Only touched pages use memory, mostly one or two. A
/// guard page below each stack turns an overflow into a fault.
class StackPool {
 public:
  explicit StackPool(uint32_t invocations = 1) : stack_bytes_(invocation_bytes * invocations) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;

  /// Throws out_of_memory.
  boost::context::stack_context take();
  void give_back(const boost::context::stack_context& stack) noexcept;

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr size_t invocation_bytes = 512 * 1024;
#else
  static constexpr size_t invocation_bytes = 128 * 1024;
#endif

  void add_slab();

  const size_t stack_bytes_;
  std::mutex mutex_;
  std::vector<void*> slabs_;
  std::vector<boost::context::stack_context> free_;
};

/// A stack allocator for Boost.Context over the pool.
class PooledStacks {
 public:
  explicit PooledStacks(StackPool& pool) : pool_(&pool) {}
  boost::context::stack_context allocate() { return pool_->take(); }
  void deallocate(boost::context::stack_context& stack) { pool_->give_back(stack); }

 private:
  StackPool* pool_;
};

}  // namespace weft::host
