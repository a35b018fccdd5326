#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/launch.h"
#include "bench/measure.h"

namespace weft::bench {

/// Bytes read and written in a second when a large array is copied; 0 where it could not be measured.
struct CopyRates {
  uint64_t bytes = 0;  ///< Size of the array.
  double kernel = 0;   ///< By a kernel that copies uvec4,
  double buffer = 0;   ///< and by Recorder::copy().

  /// The yardstick: the faster of the two.
  double best() const { return kernel > buffer ? kernel : buffer; }
  const char* best_name() const { return kernel > buffer ? "kernel" : "buffer copy"; }
};

struct DeviceReport {
  std::string selector, name, driver, api, kind;
  CopyRates copy;
  LaunchCosts launch;
};

struct Result {
  std::string primitive, variant, device, type;
  uint64_t elements = 0;
  uint64_t bytes_moved = 0;
  uint32_t sets = 0;
  Timing timing;
  std::string skipped;                ///< Why it was not run; empty when it was.
  std::optional<Timing> peer_timing;  ///< Of the same work by the peer, in turns with ours.
  std::string peer_form;              ///< The fastest of the peer's forms; empty where it has only one.
  std::string peer_skipped;           ///< Why the peer did not do it.

  std::string name() const { return variant.empty() ? primitive : primitive + ":" + variant; }
  double elements_per_second() const { return double(elements) / timing.median; }
  double bytes_per_second() const { return double(bytes_moved) / timing.median; }
  double peer_elements_per_second() const { return peer_timing ? double(elements) / peer_timing->median : 0; }
  /// How many times as fast as the peer; 0 without one.
  double peer_ratio() const { return peer_timing ? peer_timing->median / timing.median : 0; }
};

/// Everything one `weft bench` found out.
struct Report {
  std::string version, date, command, note;
  uint64_t seed = 0;
  std::vector<DeviceReport> devices;
  std::vector<Result> results;
  std::string distribution = "uniform";
  std::string peer;  ///< As it calls itself; empty without one.

  /// Part of the device's copy rate, or 0 when that is not known.
  double share_of_copy(const Result& result) const;
};

/// The text of a JSON file.
std::string to_json(const Report& report);
/// Reads what to_json() wrote. Throws io_failed or invalid_argument when the file is none of that.
Report read_report(const std::filesystem::path& path);

}  // namespace weft::bench
