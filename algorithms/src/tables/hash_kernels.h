#pragma once

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/tables/hash_table_impl.h"
#include "algorithms/src/tables/hash_tuning.h"

namespace weft::algorithms {

/// The values of a primitive for a table.
template <class Values>
Values hash_values(const TunedPrimitive<Values>& primitive, const HashTable& table, const std::optional<Tuning>& own) {
  const Tuning tuning = tuning_of(table.device(), own);
  return Tuner(primitive, table.device().info(), tuning, table.key().bytes()).at(table.capacity());
}
Tiling hash_tiling(const Device& device, const TileTuning& tuning);

/// Makes the kernels of a table's plans.
KernelMaker hash_kernels(const char* primitive, const HashTable::Impl& table, const Tiling& tiling);

/// Throws unsupported if the table is bidirectional.
void need_linear(const char* primitive, const HashTable::Impl& table, const std::string& instead);

/// Defines how values are combined, where a kernel inserts.
void define_update(KernelMaker& maker, const HashTable::Impl& table);

}  // namespace weft::algorithms
