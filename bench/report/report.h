#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/launch.h"
#include "bench/measure.h"
#include "bench/recording.h"

namespace weft::bench {

/// Bytes read and written per second while copying a large array; 0 if not measured.
struct CopyRates {
  uint64_t bytes = 0;  ///< Size of the array.
  double kernel = 0;   ///< Rate of a kernel that copies uvec4.
  double buffer = 0;   ///< Rate of Recorder::copy().

  /// The yardstick: the faster of the two.
  double best() const { return kernel > buffer ? kernel : buffer; }
  const char* best_name() const { return kernel > buffer ? "kernel" : "buffer copy"; }
};

struct DeviceReport {
  std::string selector, name, driver, api, kind;
  CopyRates copy;
  LaunchCosts launch;
  std::optional<RecordCosts> record;
};

struct Result {
  std::string primitive, variant, device, type;
  uint64_t elements = 0;
  uint64_t bytes_moved = 0;
  uint32_t sets = 0;
  Timing timing;
  std::string skipped;                ///< Why it was not run; empty if it was.
  std::optional<Timing> peer_timing;  ///< The peer's times for the same work, in turns with ours.
  std::string peer_form;              ///< The fastest of the peer's forms; empty if it has only one.
  std::string peer_skipped;           ///< Why the peer did not run it.

  std::string name() const { return variant.empty() ? primitive : primitive + ":" + variant; }
  double elements_per_second() const { return double(elements) / timing.median; }
  double bytes_per_second() const { return double(bytes_moved) / timing.median; }
  double peer_elements_per_second() const { return peer_timing ? double(elements) / peer_timing->median : 0; }
  /// Our speed as a multiple of the peer's; 0 without a peer.
  double peer_ratio() const { return peer_timing ? peer_timing->median / timing.median : 0; }
};

/// All results of one `weft bench`.
struct Report {
  std::string version, date, command, note;
  uint64_t seed = 0;
  std::vector<DeviceReport> devices;
  std::vector<Result> results;
  std::string distribution = "uniform";
  std::string mesh;  ///< The file of `--mesh`; empty without one.
  std::string peer;  ///< Its own name and version; empty without a peer.

  /// The rate as a fraction of the device's copy rate; 0 if that is unknown.
  double share_of_copy(const Result& result) const;
};

/// Formats the report as JSON.
std::string to_json(const Report& report);
/// Reads a file written by to_json(). Throws io_failed if it cannot be read, invalid_argument if it holds no report.
Report read_report(const std::string& file);

}  // namespace weft::bench
