#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "core/src/glsl/shader_library.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Compares the macros that kernels read with those that plans set, and both with docs/kernel-macros.md. GLSL takes a
/// macro that nobody sets for one that is not wanted, so a misspelled name shows nowhere else.

namespace {

using Names = std::set<std::string>;

/// The folder of the plans' sources, and the page.
const char* const plan_sources = std::getenv("WEFT_TEST_PLAN_SOURCES");
const char* const docs = std::getenv("WEFT_TEST_DOCS");

constexpr const char* introduction = R"(# Macros of the kernels

The macros that each kernel of `shaders/kernels` reads, itself or in what it includes, and the sources in
`algorithms/src` that set them. A kernel and a source are listed together if they may meet: the source makes the kernel,
or has a part in a plan that does. The comment at the top of a kernel, or of a file that it includes, says what a macro
means. A kernel without a row takes no others than those of `base`.

The tests compare this page with the sources, and fail on a macro that nothing sets or nothing reads. To write the page
anew, run

    WEFT_TEST_WRITE_KERNEL_MACROS=1 ctest --preset ci -R kernel_order

Macros that only sources of `base` set, for whichever kernel reads them:

)";
constexpr const char* header = "| kernel | macros | set in |\n|---|---|---|\n";

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Every part of the text that the pattern's first group matches.
Names names_in(const std::string& text, const std::regex& pattern) {
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

using Links = std::map<std::string, Names>;

/// The names and all that they lead to.
Names all_from(const Names& names, const Links& links) {
  Names all = names;
  std::vector<std::string> next(names.begin(), names.end());
  while (!next.empty()) {
    const auto found = links.find(next.back());
    next.pop_back();
    if (found == links.end()) continue;
    for (const std::string& name : found->second) {
      if (all.insert(name).second) next.push_back(name);
    }
  }
  return all;
}

Names named_in(const Names& files, const Links& links) {
  Names all;
  for (const std::string& file : files) {
    const Names& names = links.at(file);
    all.insert(names.begin(), names.end());
  }
  return all;
}

/// The files of the shader library.
struct Shaders {
  Links includes, mentions, defines, defaults;  ///< By file: "weft/kernels/sort/gather.comp".

  Shaders() {
    static const std::regex comment("//.*"), define(R"(# *define +(\w+))"), missing(R"(# *ifndef +(\w+))");
    static const std::regex include("#include \"([^\"]+)\""), macro(R"(\b(WEFT_[A-Z0-9_]+)\b)");
    for (const core::EmbeddedFile& file : core::shader_library()) {
      const std::string name(file.name), text = std::regex_replace(std::string(file.text), comment, "");
      includes[name] = names_in(text, include);
      mentions[name] = names_in(std::regex_replace(text, define, ""), macro);
      defines[name] = names_in(text, define);
      defaults[name] = names_in(text, missing);
    }
  }

  /// The kernels as plans name them: "sort/gather".
  Names kernels() const {
    static const std::regex kernel(R"(weft/kernels/(\w+/\w+)\.comp)");
    Names all;
    for (const auto& [name, included] : includes) all.merge(names_in(name, kernel));
    return all;
  }

  /// The macros that a kernel may be given: not those that it defines itself, unless only as a default.
  Names macros_of(const std::string& kernel) const {
    const Names files = all_from({"weft/kernels/" + kernel + ".comp"}, includes);
    Names macros = named_in(files, mentions);
    const Names defined = named_in(files, defines), default_only = named_in(files, defaults);
    std::erase_if(macros, [&](const auto& name) { return defined.contains(name) && !default_only.contains(name); });
    return macros;
  }
};

/// The sources of plans. A header and its source are one, "sort/gather". Kernels are "sort/gather" too.
struct PlanSources {
  Links setters, makers;  ///< By macro and by kernel, the sources that name it.
  Links includes, users;

  PlanSources() {
    static const std::regex macro(R"re("(WEFT_[A-Z0-9_]+)(?:\(\w+\))?")re"), kernel(R"re("(\w+/\w+)")re");
    static const std::regex include("#include \"algorithms/src/([^\"]+)\\.h\"");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(plan_sources)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      const std::string text = contents_of(entry.path());
      const std::string source = entry.path().lexically_relative(plan_sources).replace_extension().string();
      for (const std::string& name : names_in(text, macro)) setters[name].insert(source);
      for (const std::string& name : names_in(text, kernel)) makers[name].insert(source);
      for (const std::string& name : names_in(text, include)) {
        includes[source].insert(name);
        users[name].insert(source);
        // Functions of a header without a source of its own are in others of its folder, as those of hash_shape.h are.
        const std::string header = (std::filesystem::path(plan_sources) / name).string();
        if (name.substr(0, name.find('/')) != source.substr(0, source.find('/'))) continue;
        if (std::filesystem::exists(header + ".cpp")) continue;
        if (contents_of(header + ".h").find("KernelMaker") != std::string::npos) includes[name].insert(source);
      }
    }
  }

  /// The sources that may take part in making a kernel: those that name it, those that use these, and their parts.
  Names makers_of(const std::string& kernel) const {
    const auto named = makers.find(kernel);
    return named == makers.end() ? Names{} : all_from(all_from(named->second, users), includes);
  }
};

std::string listed(const Names& names, const std::string& quote) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quote + name + quote;
  return text;
}

std::string rows(const std::string& kernel, const std::map<Names, Names>& macros) {
  std::string text;
  for (const auto& [setters, names] : macros) {
    text += "| " + kernel + " | " + listed(names, "`") + " | " + listed(setters, "") + " |\n";
  }
  return text;
}

bool is_in_base(const std::string& source) { return source.starts_with("base/"); }

std::string page(const Shaders& shaders, const PlanSources& plans) {
  std::string family, text;
  std::map<Names, Names> of_base;
  for (const std::string& kernel : shaders.kernels()) {
    const Names makers = plans.makers_of(kernel);
    std::map<Names, Names> macros;  // by the sources that set them
    for (const std::string& macro : shaders.macros_of(kernel)) {
      const auto setters = plans.setters.find(macro);
      if (setters == plans.setters.end()) continue;
      Names met, in_base;
      std::ranges::set_intersection(setters->second, makers, std::inserter(met, met.end()));
      std::ranges::copy_if(setters->second, std::inserter(in_base, in_base.end()), is_in_base);
      if (met.empty()) continue;
      if (std::ranges::all_of(met, is_in_base)) {
        of_base[in_base].insert(macro);
      } else {
        macros[met].insert(macro);
      }
    }
    const size_t slash = kernel.find('/');
    if (kernel.substr(0, slash) != family) {
      family = kernel.substr(0, slash);
      text += "\n## " + family + "\n\n" + header;
    }
    text += rows(kernel.substr(slash + 1), macros);
  }
  return introduction + std::string(header) + rows("any", of_base) + text;
}

}  // namespace

TEST_CASE("every macro that a kernel reads is set by a plan or a shader" * doctest::skip(plan_sources == nullptr)) {
  const Shaders shaders;
  const PlanSources plans;
  Names known;
  for (const auto& [file, names] : shaders.defines) known.insert(names.begin(), names.end());
  for (const auto& [macro, names] : plans.setters) known.insert(macro);
  for (const std::string& kernel : shaders.kernels()) {
    for (const std::string& macro : shaders.macros_of(kernel)) {
      CHECK_MESSAGE(known.contains(macro), kernel << " reads " << macro << ", which nothing sets");
    }
  }
}

TEST_CASE("every macro that a plan sets is read by a shader" * doctest::skip(plan_sources == nullptr)) {
  Names read;
  for (const auto& [file, names] : Shaders().mentions) read.insert(names.begin(), names.end());
  for (const auto& [macro, names] : PlanSources().setters) {
    CHECK_MESSAGE(read.contains(macro), listed(names, "") << " sets " << macro << ", which no shader reads");
  }
}

TEST_CASE("the page on macros has those of every kernel" * doctest::skip(plan_sources == nullptr || docs == nullptr)) {
  const std::filesystem::path path = std::filesystem::path(docs) / "kernel-macros.md";
  const std::string expected = page(Shaders(), PlanSources());
  if (std::getenv("WEFT_TEST_WRITE_KERNEL_MACROS")) std::ofstream(path) << expected;
  const std::string found = contents_of(path);
  const auto differ = std::ranges::mismatch(found, expected);
  const auto line_at = [](const std::string& text, std::string::const_iterator at) {
    const size_t end = size_t(at - text.begin());
    const size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    return text.substr(begin, text.find('\n', end) - begin);
  };
  const bool same = found == expected;
  CHECK_MESSAGE(same, "docs/kernel-macros.md has\n  "
                          << line_at(found, differ.in1) << "\nin place of\n  " << line_at(expected, differ.in2)
                          << "\nTo write it anew: WEFT_TEST_WRITE_KERNEL_MACROS=1 ctest --preset ci -R kernel_order");
}
