#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/scan.h>

#include "tools/primitive.h"

namespace weft::tools {

// Shared by scan, scan-by-key and segmented-scan.

struct ScanOptions : PrimitiveOptions {
  bool inclusive = false;
  std::string initial;

  ScanKind kind() const { return inclusive ? ScanKind::inclusive : ScanKind::exclusive; }
  /// The value of --init as GLSL, bit for bit; empty if not given.
  std::string initial_element(support::ScalarType element) const;

  /// Returns a reference at the start of a scan.
  template <typename T>
  support::ScanReference<T> reference() const {
    support::ScanReference<T> reference(parsed_operation(), inclusive);
    if (initial.empty()) return reference;
    const uint64_t bits = support::parse_value(support::scalar_type_of<T>(), initial, "--init");
    T first;
    std::memcpy(static_cast<void*>(&first), &bits, sizeof first);
    reference.start_from(first);
    return reference;
  }
};

/// Adds IN, -o, --type, --device, --verify, --op, --inclusive and --init. The help says that the number of --init comes
/// before `before_what`.
void add_scan_options(Verb& verb, ScanOptions& options, const std::string& before_what);

/// Runs `record` into an output of `output_bytes`, and notes its time and rate. `what` names the input in the note, and
/// `read_bytes` is its size.
std::vector<std::byte> run_scan(Stream& stream, const ScanOptions& options, TilePath path, const std::string& what,
                                uint64_t read_bytes, uint64_t output_bytes,
                                const std::function<void(Recorder&, const Buffer<std::byte>& output)>& record);

}  // namespace weft::tools
