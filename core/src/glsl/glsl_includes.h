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

/// Finds what #include names, each file read once per compilation. A file's own folder comes first, then the include
/// folders; the embedded library holds every name "weft/..." that it has, so a folder of that name cannot change Weft's
/// kernels.
class GlslIncludes {
 public:
  struct File {
    std::string name;  ///< As messages show it, and as files included from it see their own folder.
    std::string_view text;
  };

  explicit GlslIncludes(const GlslOptions& options) : folders_(options.include_folders) {}

  /// The file that `includer` means by `header`, or null. `quoted` tells #include "x" from #include <x>.
  const File* find(const std::string& includer, const std::string& header, bool quoted);

  /// Adds every file that the source may include, directly or not, to a cache key; whatever #if leaves out counts too.
  void add_to(CacheKey& key, const std::string& name, std::string_view source);

  /// All find() has been asked for since add_to() was known to it.
  bool key_is_complete() const { return key_is_complete_; }

  /// Throws io_failed where a file that find() came to is there and could not be read to its end.
  void require_read() const;

 private:
  const File* read(const std::string& path);
  std::optional<std::string> text_of(const std::string& path);

  std::vector<std::string> folders_;
  std::map<std::string, std::unique_ptr<std::pair<std::string, File>>>
      files_;  // contents and their view; null: not there
  std::map<std::tuple<std::string, std::string, bool>, const File*> found_;
  bool scanning_ = true;
  bool key_is_complete_ = true;
  std::string failure_;  // not thrown at once: find() is called from within glslang, which would not tidy up
};

}  // namespace weft::core
