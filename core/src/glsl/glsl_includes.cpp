#include "core/src/glsl/glsl_includes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <weft/error.h>

#include "core/src/glsl/shader_library.h"
#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"

namespace weft::core {
namespace {

struct Directive {
  std::string header;
  bool quoted;
};

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// The #include lines of a source. Ignores comments and conditions.
std::vector<Directive> include_directives(std::string_view source) {
  std::vector<Directive> directives;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = trimmed(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    if (!line.starts_with('#')) continue;
    line = trimmed(line.substr(1));
    if (!line.starts_with("include")) continue;
    line = trimmed(line.substr(7));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    const size_t close = line.find(line[0] == '"' ? '"' : '>', 1);
    if (close != std::string_view::npos) directives.push_back({std::string(line.substr(1, close - 1)), line[0] == '"'});
  }
  return directives;
}

const EmbeddedFile* library_file(const std::string& name) {
  for (const EmbeddedFile& file : shader_library()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

}  // namespace

const GlslIncludes::File* GlslIncludes::find(const std::string& includer, const std::string& header, bool quoted) {
  const auto [entry, is_new] = found_.try_emplace({includer, header, quoted}, nullptr);
  if (!is_new) return entry->second;
  if (!scanning_) key_is_complete_ = false;

  // The includer's folder comes first, so that files of the library can include each other by relative paths.
  const std::filesystem::path beside = std::filesystem::path(includer).parent_path() / header;
  std::vector<std::string> paths;
  if (quoted) paths.push_back(beside.lexically_normal().generic_string());
  paths.push_back(std::filesystem::path(header).lexically_normal().generic_string());
  for (const std::string& path : paths) {
    if (const EmbeddedFile* file = library_file(path)) {
      auto& slot = files_[path];
      if (!slot) slot = std::make_unique<std::pair<std::string, File>>(std::string{}, File{path, file->text});
      return entry->second = &slot->second;
    }
  }
  paths.resize(quoted ? 1 : 0);
  for (const std::string& folder : folders_) paths.push_back(utf8_text(utf8_path(folder) / utf8_path(header)));
  for (const std::string& path : paths) {
    if (const File* file = read(path)) return entry->second = file;
  }
  return nullptr;
}

std::optional<std::string> GlslIncludes::text_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(utf8_path(path), error)) return std::nullopt;
  std::optional<OpenedFile> file;
  try {
    file.emplace(utf8_path(path));
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  try {
    const std::vector<std::byte> bytes = file->read_rest();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } catch (const std::system_error& unreadable) {
    failure_ = "The included file '" + path + "' cannot be read: " + unreadable.code().message() + ".";
    return std::nullopt;
  }
}

void GlslIncludes::require_read() const {
  if (!failure_.empty()) throw Error(ErrorCode::io_failed, failure_);
}

const GlslIncludes::File* GlslIncludes::read(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    if (auto text = text_of(path)) {
      entry->second = std::make_unique<std::pair<std::string, File>>(std::move(*text), File{path, {}});
      entry->second->second.text = entry->second->first;
    }
  }
  return entry->second ? &entry->second->second : nullptr;
}

void GlslIncludes::add_to(CacheKey& key, const std::string& name, std::string_view source) {
  std::vector<File> open{{name, source}};
  std::set<std::string> scanned{name};
  while (!open.empty()) {
    const File file = std::move(open.back());
    open.pop_back();
    for (const Directive& directive : include_directives(file.text)) {
      const File* included = find(file.name, directive.header, directive.quoted);
      key.add(file.name).add(directive.header).add(uint64_t{directive.quoted}).add(uint64_t{included != nullptr});
      if (!included) continue;
      key.add(included->name);
      if (!scanned.insert(included->name).second) continue;
      key.add(included->text);
      open.push_back(*included);
    }
  }
  scanning_ = false;
}

}  // namespace weft::core
