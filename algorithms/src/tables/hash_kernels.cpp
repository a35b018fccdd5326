#include "algorithms/src/tables/hash_kernels.h"

#include <string>

#include <weft/error.h>

namespace weft::algorithms {

Tiling hash_tiling(const Device& device, const TileTuning& tuning) {
  Tiling tiling = make_tiling(device.info(), Element::of<uint32_t>(), tuning);
  tiling.rows *= tiling.pack;
  tiling.pack = 1;  // Neighbouring keys are in neighbouring lanes.
  return tiling;
}

KernelMaker hash_kernels(const char* primitive, const HashTable::Impl& table, const Tiling& tiling) {
  KernelMaker maker = KernelMaker(table.device, primitive).tiling(tiling);
  for (const auto& [name, value] : table.defines()) maker.define(name, value);
  if (!table.options.hash.empty()) maker.expression("WEFT_HASH(key)", "hash", table.options.hash);
  return maker;
}

void need_linear(const char* primitive, const HashTable::Impl& table, const std::string& instead) {
  if (!table.is_bidirectional()) return;
  throw Error(ErrorCode::unsupported,
              std::string(primitive) + " cannot work on a table with Probing::bidirectional; " + instead + ".");
}

void define_update(KernelMaker& maker, const HashTable::Impl& table) {
  const HashTable::Options& options = table.options;
  if (options.update == HashUpdate::replace) maker.define("WEFT_HASH_REPLACE");
  if (options.update != HashUpdate::combine) return;
  maker.element(*table.value).op(*table.value, options.combine);
  const bool is_integer = table.value->glsl_type().find("int") != std::string::npos;
  if (is_integer && options.combine.combine == Operator::sum().combine) maker.define("WEFT_HASH_ADDS");
}

}  // namespace weft::algorithms
