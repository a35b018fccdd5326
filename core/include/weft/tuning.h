#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <weft/api.h>

namespace weft {

struct DeviceInfo;

/// Tuning values, such as sizes of tiles and workgroups, that `weft tune` measured. Plans take them instead of Weft's
/// defaults. Results are correct with any values.
///
/// As text, each line is one entry: words of the form name=value, the device's name last. Lines that start with # are
/// comments.
///
///     primitive=scan element_bytes=4 count=1048576 bytes_per_invocation=96 backend=cuda device=NVIDIA H200
///
/// Immutable, thread-safe; copies share their entries.
class WEFT_API Tuning {
 public:
  /// Values of a primitive, by name: {{"workgroup", 512}}.
  using Values = std::map<std::string, uint32_t>;

  /// The values for one device, primitive, element size and count.
  struct WEFT_API Entry {
    std::string backend{}, device{};  ///< DeviceInfo::backend and name; an empty one matches all.
    std::string primitive{};          ///< As `weft tune` names it: "sort_pairs".
    uint32_t element_bytes = 0;       ///< Of an element together with its key or value.
    /// For plans of up to this many elements, a power of two. The entry with the largest count is for larger plans too.
    uint64_t count = 1;
    Values values{};         ///< A missing value takes the default for any device.
    std::string location{};  ///< Where the entry was read, for messages: "tuning, line 3".

    /// Whether it has the device's backend and name, or none.
    bool is_for(const DeviceInfo& info) const;
  };

  /// No entries.
  Tuning() = default;
  /// Throws invalid_argument for an entry that lacks a primitive or an element size, or whose count is not a power of
  /// two.
  explicit Tuning(std::vector<Entry> entries);

  /// `source` names the text in messages. Throws invalid_argument naming the first line that is wrong. Names of values
  /// and their ranges are checked when a plan takes an entry.
  static Tuning parse(const std::string& text, const std::string& source = "tuning");
  /// parse() of a file. Throws io_failed if it cannot be read, or if other users can change it.
  static Tuning read(const std::filesystem::path& file);

  const std::vector<Entry>& entries() const;
  /// The entries as text that parse() reads.
  std::string text() const;

 private:
  std::shared_ptr<const std::vector<Entry>> entries_;
};

}  // namespace weft
