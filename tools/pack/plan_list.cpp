#include "tools/pack/plan_list.h"

#include <algorithm>
#include <sstream>

#include <weft/error.h>

#include "algorithms/src/plans/fields.h"
#include "core/src/platform/utf8.h"
#include "support/array_file.h"
#include "support/text.h"

namespace weft::tools {
namespace {

using namespace support;

[[noreturn]] void refuse_line(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }

SpecializationValue value_of(const std::string& id, const std::string& text) {
  const size_t colon = text.find(':');
  SpecializationValue value;
  value.id = parse_u32(id, "the number of a specialization constant");
  value.bits = parse_number(text.substr(0, colon), "the value of a specialization constant", 0, UINT64_MAX);
  if (colon != std::string::npos) value.bytes = parse_u32(text.substr(colon + 1), "bytes of a specialization constant");
  return value;
}

ListedKernel read_kernel(std::istringstream& words, const std::filesystem::path& folder) {
  ListedKernel kernel;
  bool has_file = false;
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) refuse_line("'" + word + "' is not of the form name=value.");
    const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
    if (name == "file") {
      kernel.module = spirv_from_bytes(read_bytes(core::utf8_text(folder / core::utf8_path(text))), text);
      has_file = true;
    } else if (name == "entry") {
      kernel.options.entry = text;
    } else if (name == "subgroup_size") {
      kernel.options.subgroup_size = parse_u32(text, name);
    } else if (name == "workgroups_per_multiprocessor") {
      kernel.options.workgroups_per_multiprocessor = parse_u32(text, name);
    } else if (name == "contraction") {
      if (text != "allowed" && text != "forbidden")
        refuse_line("contraction is 'allowed' or 'forbidden', not '" + text + "'.");
      kernel.options.contraction = text == "allowed" ? Contraction::allowed : Contraction::forbidden;
    } else if (!name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) {
      kernel.options.specialization.push_back(value_of(name, text));
    } else {
      refuse_line("a kernel has no '" + name +
                  "'; it has: file, entry, contraction, subgroup_size, workgroups_per_multiprocessor, and numbers of "
                  "specialization constants.");
    }
  }
  if (!has_file) refuse_line("a kernel needs its module: file=NAME.spv.");
  return kernel;
}

}  // namespace

PlanList PlanList::read(const std::string& file) {
  const std::vector<std::byte> bytes = read_bytes(file);
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  PlanList list;
  std::vector<std::string> kernel_lines;
  size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::istringstream words(line);
    std::string first;
    if (!(words >> first) || first.starts_with('#')) continue;
    try {
      if (first == "kernel") {
        list.kernels.push_back(read_kernel(words, core::utf8_path(file).parent_path()));
        kernel_lines.push_back(line);
      } else {
        list.plans.push_back(ListedPlan::parse(line));
        list.lines.push_back(list.plans.back()->line());
      }
    } catch (const Error& error) {
      throw Error(error.code(), file + ":" + std::to_string(number) + ": " + error.what(), error.log());
    }
  }
  if (list.plans.empty() && list.kernels.empty()) refuse_line(file + " lists no plan and no kernel.");
  list.lines.insert(list.lines.end(), kernel_lines.begin(), kernel_lines.end());
  return list;
}

}  // namespace weft::tools
