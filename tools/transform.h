#pragma once

#include <optional>
#include <string>

#include <weft/buffer.h>
#include <weft/stream.h>
#include <weft/transform.h>

#include "support/array_file.h"
#include "tools/command_line.h"
#include "tools/primitive.h"

namespace weft::tools {

/// --transform and --as: the elements are computed from the file's as they are read.
struct TransformOptions {
  std::string expression, type;

  bool given() const { return !expression.empty() || !type.empty(); }
  /// The type of the transform's results: the file's unless --as gives another.
  support::ScalarType element_type(support::ScalarType file) const;
  /// The transform; nothing if neither option is given, a conversion for --as alone.
  std::optional<Transform> transform(support::ScalarType file) const;
  /// The elements, for --verify: the file's own, or the transform's results, evaluated on the device. `data` holds the
  /// file's elements there.
  support::Array elements(Stream& stream, const support::Array& file, const Buffer<std::byte>& data) const;
};

/// Returns the transform as given, or a conversion to the type of sums.
TransformOptions with_wide_sums(const TransformOptions& transform, const PrimitiveOptions& options,
                                support::ScalarType file);

void add_transform_options(Verb& verb, TransformOptions& options);

}  // namespace weft::tools
