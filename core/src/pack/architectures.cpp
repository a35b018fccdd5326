#include "core/src/pack/architectures.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace weft::core {
namespace {

/// 90 for "sm_90". None for other names, "sm_90a" among them: its code runs nowhere else.
std::optional<int> compute_capability(const std::string& architecture) {
  const std::string prefix = "sm_";
  if (!architecture.starts_with(prefix)) return std::nullopt;
  const char* const end = architecture.data() + architecture.size();
  int capability = 0;
  const auto [at, error] = std::from_chars(architecture.data() + prefix.size(), end, capability);
  if (error != std::errc() || at != end) return std::nullopt;
  return capability;
}

// "x86-64-v4" runs "x86-64-v3" and "x86-64", "x86-64-v4-windows" those of Windows.
void add_earlier_x86_64(const std::string& architecture, std::vector<std::string>& all) {
  const std::string base = "x86-64";
  for (const std::string level : {"-v4", "-v3"}) {
    if (!architecture.starts_with(base + level)) continue;
    const std::string system = architecture.substr(base.size() + level.size());
    if (level == "-v4") all.push_back(base + "-v3" + system);
    all.push_back(base + system);
  }
}

}  // namespace

std::vector<std::string> code_architectures(const std::string& architecture) {
  std::vector<std::string> all{architecture};
  if (const auto capability = compute_capability(architecture)) {
    constexpr int least = 75;  // that Weft takes
    const int same_major = std::max(*capability / 10 * 10, least);
    for (int c = *capability - 1; c >= same_major; --c) all.push_back("sm_" + std::to_string(c));
    for (int c = *capability; c >= least; --c) all.push_back("compute_" + std::to_string(c));
  }
  if (const size_t features = architecture.find(':'); features != std::string::npos) {
    all.push_back(architecture.substr(0, features));
  }
  add_earlier_x86_64(architecture, all);
  return all;
}

}  // namespace weft::core
