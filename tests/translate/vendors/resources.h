#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device_compiler.h"
#include "tests/support/recording_device.h"

namespace weft::test {

/// docs/kernel-resources.md: what each architecture's compiler gives each of Weft's kernels.
class ResourceTable {
 public:
  using Kernel = std::pair<std::string, std::string>;  ///< Its file and the plan that asks for it.
  struct Column {
    std::string compiler;  ///< DeviceCompiler::identity().
    uint32_t lanes = 0;
    std::map<Kernel, std::string> cells;
  };
  static Kernel key(const RequestedKernel& kernel);
  /// Registers and workgroup memory, and what there should be none of.
  static std::string cell(const DeviceCode& code, const Translation& translation);

  /// Of the text of the page; empty where that holds no tables.
  static ResourceTable parse(const std::string& text);
  std::string text() const;

  /// In words, how `measured` differs from the column of that architecture, kernel by kernel, but for those that were
  /// not compiled. Empty when it does not.
  std::vector<std::string> differences(const std::string& architecture, const Column& measured,
                                       const std::set<Kernel>& not_compiled = {}) const;
  /// Whether the table's figures are of this compiler.
  bool is_of(const std::string& architecture, const std::string& compiler) const;
  void set(const std::string& architecture, Column column) { columns_[architecture] = std::move(column); }

 private:
  struct InOrder {  // NVIDIA's before AMD's, older ones first
    bool operator()(const std::string& a, const std::string& b) const;
  };
  std::map<std::string, Column, InOrder> columns_;
};

/// Puts one column into the page at `path`; other processes may do the same at that time.
void write_column(const std::filesystem::path& path, const std::string& architecture,
                  const ResourceTable::Column& column);

}  // namespace weft::test
