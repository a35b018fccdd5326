#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <weft/kernel.h>

#include "core/src/glsl/shader_library.h"
#include "tests/algorithms/all_plans/kernels/kernel_code.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Compares the structs that plans pass to kernels with the kernels' push constants: names and offsets of all members.
/// A dispatch checks only the size, so it accepts two swapped members of one size.
///
/// A struct belongs to a kernel if the comment above it names the file of shaders/kernels that declares the push
/// constants. It may hold uint32_t, uint64_t and structs of these.

namespace {

/// The folder of the plans' sources.
const char* const sources = std::getenv("WEFT_TEST_PLAN_SOURCES");

struct Member {
  std::string name;
  uint32_t offset, bytes;

  bool operator==(const Member&) const = default;
};
using Members = std::vector<Member>;

std::string text_of(const Members& members) {
  std::string text;
  for (const Member& member : members) {
    text +=
        "\n  " + std::to_string(member.offset) + ": " + member.name + ", " + std::to_string(member.bytes) + " bytes";
  }
  return text;
}

/// A struct of a source, before its members are laid out.
struct Source {
  std::string file, name, base, body;
  std::set<std::string> blocks;  ///< Files of shaders/kernels that its comment names.
};

std::vector<Source> structs_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  static const std::regex definition(R"(((?:^ *//.*\n)*)^ *struct ((?:\w+::)?\w+)(?: : (\w+))? \{([^}]*)\};)",
                                     std::regex::multiline);
  static const std::regex shader(R"(shaders/(kernels/[\w/]+\.(?:comp|glsl)))");
  std::vector<Source> found;
  for (std::sregex_iterator at(text.begin(), text.end(), definition), end; at != end; ++at) {
    Source source{file.filename(), (*at)[2], (*at)[3], (*at)[4], {}};
    source.name.erase(0, source.name.rfind(':') + 1);
    const std::string comment = (*at)[1];
    for (std::sregex_iterator path(comment.begin(), comment.end(), shader); path != std::sregex_iterator(); ++path) {
      source.blocks.insert((*path)[1]);
    }
    found.push_back(std::move(source));
  }
  return found;
}

std::vector<Source> all_structs() {
  std::vector<Source> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    std::ranges::move(structs_in(path), std::back_inserter(all));
  }
  return all;
}

/// Lays out structs as a C++ compiler does.
class Layouts {
 public:
  explicit Layouts(const std::vector<Source>& structs) : structs_(structs) {}

  Members of(const Source& source) const {
    Layout layout;
    if (!source.base.empty()) add_struct(layout, source, source.base, "");
    std::istringstream body(std::regex_replace(source.body, std::regex("//.*"), ""));
    for (std::string declaration; std::getline(body, declaration, ';');) {
      std::istringstream words(std::regex_replace(declaration, std::regex("=[^,]*|,"), " "));
      std::string type, name;
      for (words >> type; words >> name;) add(layout, source, type, name);
    }
    return std::move(layout.members);
  }

 private:
  struct Layout {
    Members members;
    uint32_t bytes = 0;
  };

  void add(Layout& layout, const Source& source, const std::string& type, const std::string& name) const {
    const uint32_t bytes = type == "uint64_t" ? 8 : type == "uint32_t" ? 4 : 0;
    if (bytes == 0) return add_struct(layout, source, type, name + ".");
    const uint32_t offset = (layout.bytes + bytes - 1) / bytes * bytes;
    layout.members.push_back({name, offset, bytes});
    layout.bytes = offset + bytes;
  }
  // Prefers a struct of the same file if several have this name.
  void add_struct(Layout& layout, const Source& user, const std::string& type, const std::string& prefix) const {
    const Source* found = nullptr;
    for (const Source& source : structs_) {
      if (source.name == type && (!found || source.file == user.file)) found = &source;
    }
    REQUIRE_MESSAGE(found, user.file << ": " << user.name << " holds a " << type
                                     << ", which is neither uint32_t, uint64_t nor a struct of algorithms/src");
    const Members inner = of(*found);
    const uint32_t align = std::ranges::max(inner, {}, &Member::bytes).bytes;
    const uint32_t start = (layout.bytes + align - 1) / align * align;
    for (const Member& member : inner) {
      layout.members.push_back({prefix + member.name, start + member.offset, member.bytes});
    }
    layout.bytes = start + (inner.back().offset + inner.back().bytes + align - 1) / align * align;
  }

  const std::vector<Source>& structs_;
};

/// The file of the shader library that declares the block of a kernel: its own, or one that it includes.
std::string declaring_file(const std::string& kernel) {
  const auto library = core::shader_library();
  const auto file = std::ranges::find(library, kernel, &core::EmbeddedFile::name);
  if (file == library.end()) return {};
  const std::string text(file->text);
  if (text.find("layout(push_constant") != std::string::npos) return kernel;
  static const std::regex include("#include \"(weft/kernels/[^\"]+)\"");
  for (std::sregex_iterator at(text.begin(), text.end(), include); at != std::sregex_iterator(); ++at) {
    if (const std::string found = declaring_file((*at)[1]); !found.empty()) return found;
  }
  return {};
}

Members members_of(const Spirv& module) {
  Members members;
  for (const Reflection::Member& member : reflect(module).push_constants) {
    members.push_back({member.name, member.offset, member.bytes});
  }
  return members;
}

/// Whether the struct has the kernel's members. It may end with one called `unused`, for its size.
bool mirrors(Members of_struct, const Members& of_kernel) {
  if (of_struct.size() == of_kernel.size() + 1 && of_struct.back().name == "unused") of_struct.pop_back();
  return of_struct == of_kernel;
}

}  // namespace

TEST_CASE("plans mirror the push constants of their kernels" * doctest::skip(sources == nullptr)) {
  const std::vector<Source> structs = all_structs();
  const Layouts layouts(structs);
  std::set<std::pair<const Source*, std::string>> unmatched;
  for (const Source& source : structs) {
    for (const std::string& block : source.blocks) unmatched.insert({&source, block});
  }
  std::set<std::string> failed;  // One report for each kernel will do.
  for (const RequestedKernel& kernel : every_kernel()) {
    const std::string block = declaring_file(kernel.module.name).substr(std::string("weft/").size());
    const Members expected = members_of(kernel.module);
    std::string report;
    bool found = false;
    for (const Source& source : structs) {
      if (!source.blocks.contains(block)) continue;
      const Members members = layouts.of(source);
      report += "\n " + source.name + " in " + source.file + " has" + text_of(members);
      if (!mirrors(members, expected)) continue;
      unmatched.erase({&source, block});
      found = true;
    }
    if (found || !failed.insert(kernel.module.name).second) continue;
    FAIL_CHECK(kernel.module.name << ": no struct whose comment names shaders/" << block << " has the kernel's members"
                                  << text_of(expected) << report);
  }
  for (const auto& [source, block] : unmatched) {
    FAIL_CHECK(source->name << " in " << source->file << " mirrors no kernel with the block of shaders/" << block
                            << ". It has" << text_of(layouts.of(*source)));
  }
}
