#pragma once

namespace weft::core {

// Faults of memory that this process accesses.

/// Calls `tell` on each thread that accesses unmapped memory, then whoever was told before. `is_null`: the address is a
/// null pointer with a small index. `tell` may call write_error() and little else: no lock, no memory. For one call a
/// process.
void watch_memory_faults(void (*tell)(bool is_null));

/// Lets `tell` run on this thread even if its stack is full.
void prepare_thread_for_faults();

/// Writes to the standard error output.
void write_error(const char* text);

}  // namespace weft::core
