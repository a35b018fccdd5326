#pragma once

#include <optional>
#include <string>

#include <weft/buffer.h>
#include <weft/stream.h>
#include <weft/transform.h>

#include "command_line.h"
#include "primitive.h"
#include "support/array_file.h"

namespace weft::tools {

/// --transform and --as: what elements are computed from those of the file as they are read.
struct TransformOptions {
  std::string expression, type;

  bool given() const { return !expression.empty() || !type.empty(); }
  /// Of the elements that the transform makes of a file's: that of the file unless --as says otherwise.
  ScalarType element_type(ScalarType file) const;
  /// Nothing where neither option is given; for --as alone a conversion.
  std::optional<Transform> transform(ScalarType file) const;
  /// What the elements are, for --verify: the file's own, or evaluated on the device from `data`, which holds them.
  Array elements(Stream& stream, const Array& file, const Buffer<std::byte>& data) const;
};

/// The transform as given, or where there is none, to the type of sums.
TransformOptions with_wide_sums(const TransformOptions& transform, const PrimitiveOptions& options, ScalarType file);

void add_transform_options(Verb& verb, TransformOptions& options);

}  // namespace weft::tools
