#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

#include <weft/kernel.h>

#include "python/src/array.h"

namespace weft::python {

/// Throws a ValueError for a read-only array.
void require_writable(const std::string& name, const Array& array);

/// Writes a member of a push-constant block: an Array's address for a buffer reference, a number or a sequence of
/// numbers for a scalar or a vector, bytes for anything else. Throws a TypeError that names the member, and a
/// ValueError for a read-only array, unless the buffer `is_read_only` too.
void write_member(std::vector<std::byte>& block, const Reflection::Member& member, nanobind::handle value,
                  bool is_read_only = false);

}  // namespace weft::python
