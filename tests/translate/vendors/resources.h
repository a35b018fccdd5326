#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/recording_device.h"
#include "tests/translate/vendors/device_compiler.h"

namespace weft::test {

/// docs/kernel-resources.md: the resources of each of Weft's kernels for each architecture.
class ResourceTable {
 public:
  using Kernel = std::pair<std::string, std::string>;  ///< Its file, and the plan that uses it.
  struct Column {
    std::string compiler;  ///< DeviceCompiler::identity().
    uint32_t lanes = 0;
    std::map<Kernel, std::string> cells;
  };
  static Kernel key(const RequestedKernel& kernel);
  /// Registers and workgroup memory, then stack and spills, if any.
  static std::string cell(const DeviceCode& code, const Translation& translation);

  /// Parses the text of the page; empty if it has no tables.
  static ResourceTable parse(const std::string& text);
  std::string text() const;

  /// Describes how `measured` differs from the architecture's column, kernel by kernel, ignoring those that were
  /// not compiled. Empty if it does not differ.
  std::vector<std::string> differences(const std::string& architecture, const Column& measured,
                                       const std::set<Kernel>& not_compiled = {}) const;
  /// Whether the table's numbers are from this compiler.
  bool is_of(const std::string& architecture, const std::string& compiler) const;
  void set(const std::string& architecture, Column column) { columns_[architecture] = std::move(column); }

 private:
  struct InOrder {  // NVIDIA's before AMD's, older ones first
    bool operator()(const std::string& a, const std::string& b) const;
  };
  std::map<std::string, Column, InOrder> columns_;
};

/// Writes one column to the page at `path`. Other processes may do the same at the same time.
void write_column(const std::filesystem::path& path, const std::string& architecture,
                  const ResourceTable::Column& column);

}  // namespace weft::test
