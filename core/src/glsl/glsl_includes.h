#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/glsl.h>

#include "core/src/runtime/cache.h"

namespace weft::core {

/// Finds the files of #include; reads each once per compilation. Searches the includer's folder, then the include
/// folders. Names of the embedded library ("weft/...") come before both, so a folder of that name cannot change Weft's
/// kernels.
class GlslIncludes {
 public:
  struct File {
    std::string name;  ///< For messages, and for the folder of files that it includes.
    std::string_view text;
  };

  explicit GlslIncludes(const GlslOptions& options) : folders_(options.include_folders) {}

  /// The file that `includer` includes as `header`, or null. `quoted`: #include "x", not #include <x>.
  const File* find(const std::string& includer, const std::string& header, bool quoted);

  /// Adds every file that the source may include, directly or indirectly, to a cache key. Ignores #if.
  void add_to(CacheKey& key, const std::string& name, std::string_view source);

  /// Whether add_to() has seen every file that find() has looked for since.
  bool key_is_complete() const { return key_is_complete_; }

  /// Throws io_failed if find() found a file that it could not read to the end.
  void require_read() const;

 private:
  const File* read(const std::string& path);
  std::optional<std::string> text_of(const std::string& path);

  std::vector<std::string> folders_;
  // Contents and a view of them; null if there is no such file.
  std::map<std::string, std::unique_ptr<std::pair<std::string, File>>> files_;
  std::map<std::tuple<std::string, std::string, bool>, const File*> found_;
  bool scanning_ = true;
  bool key_is_complete_ = true;
  std::string failure_;  // not thrown at once: glslang calls find() and would leak
};

}  // namespace weft::core
