#include "tests/support/vulkan_host/hazards.h"

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

namespace weft::test {

namespace {

// What is done when these stages are: a dispatch has read its counts before it computes.
uint64_t with_earlier(uint64_t stages) {
  return stages | (stages & VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT ? VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT : 0);
}

/// An access of a command so far, and the barriers after it.
struct Earlier {
  const QueueStep* step;
  const CommandAccess* access;
  uint64_t reached = 0;                                  ///< Stages that wait for it.
  bool available = false;                                ///< Of a write: a barrier has named it.
  std::vector<std::pair<uint64_t, uint64_t>> visible{};  ///< Stages and accesses that see the write.

  void pass(const QueueStep& barrier) {
    const uint64_t done = with_earlier(barrier.source_stages);
    if (!(done & (access->stage | reached))) return;
    if ((barrier.source_stages & access->stage) && (barrier.source_accesses & access->access)) available = true;
    const std::pair scope(barrier.destination_stages, barrier.destination_accesses);
    if (available && std::ranges::find(visible, scope) == visible.end()) visible.push_back(scope);
    reached |= barrier.destination_stages;
  }

  bool before(const CommandAccess& later) const {
    if (!access->writes) return reached & later.stage;
    return std::ranges::any_of(
        visible, [&](const auto& scope) { return (scope.first & later.stage) && (scope.second & later.access); });
  }
};

std::optional<ByteRange> common(std::span<const ByteRange> a, std::span<const ByteRange> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const ByteRange both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (both.begin < both.end) return both;
    ++(a[i].end < b[j].end ? i : j);
  }
  return std::nullopt;
}

std::optional<ByteRange> conflict(const CommandAccess& first, const CommandAccess& second) {
  if (!first.writes && !second.writes) return std::nullopt;
  return common(first.ranges, second.ranges);
}

bool conflict(const QueueStep& first, const QueueStep& second) {
  return std::ranges::any_of(first.accesses, [&](const CommandAccess& a) {
    return std::ranges::any_of(second.accesses, [&](const CommandAccess& b) { return conflict(a, b).has_value(); });
  });
}

std::string describe(const Earlier& earlier, const QueueStep& step, const CommandAccess& access, ByteRange bytes) {
  char range[64];
  std::snprintf(range, sizeof(range), "0x%llx to 0x%llx", static_cast<unsigned long long>(bytes.begin),
                static_cast<unsigned long long>(bytes.end));
  return "'" + step.name + "' (command " + std::to_string(step.number) + ") " + (access.writes ? "writes" : "reads") +
         " bytes " + range + ", which '" + earlier.step->name + "' (command " + std::to_string(earlier.step->number) +
         ") " + (earlier.access->writes ? "wrote" : "read") + ", and no barrier orders the two";
}

}  // namespace

std::vector<std::string> find_hazards(std::span<const QueueStep> steps) {
  std::vector<std::string> hazards;
  std::vector<Earlier> all;
  for (const QueueStep& step : steps) {
    if (step.kind == QueueStep::barrier) {
      for (Earlier& earlier : all) earlier.pass(step);
    } else if (step.kind == QueueStep::completion) {
      std::erase_if(all, [&](const Earlier& earlier) { return earlier.step->number <= step.number; });
    } else {
      for (const CommandAccess& access : step.accesses) {
        for (const Earlier& earlier : all) {
          if (earlier.before(access)) continue;
          if (const auto bytes = conflict(*earlier.access, access)) {
            hazards.push_back(describe(earlier, step, access, *bytes));
          }
        }
      }
      for (const CommandAccess& access : step.accesses) all.push_back({&step, &access});
    }
  }
  return hazards;
}

bool separates_conflict(std::span<const QueueStep> steps, size_t barrier) {
  const auto is_command = [&](size_t i) { return i < steps.size() && steps[i].kind == QueueStep::command; };
  for (size_t i = barrier; i > 0 && is_command(i - 1); --i) {
    for (size_t j = barrier + 1; is_command(j); ++j) {
      if (conflict(steps[i - 1], steps[j])) return true;
    }
  }
  return false;
}

std::vector<QueueStep>& queue_steps() {
  static std::vector<QueueStep> steps;
  return steps;
}

std::string take_hazards() {
  std::string text;
  for (const std::string& hazard : find_hazards(queue_steps())) text += "\n" + hazard;
  queue_steps().clear();
  return text;
}

void AccessTrace::add(uint64_t address, uint64_t bytes, bool reads, bool writes) {
  const auto bits = uint8_t((reads ? 1 : 0) | (writes ? 2 : 0));
  for (uint64_t at = address; at < address + bytes; ++at) {
    if (!last_page_ || last_ != at / page_bytes) {
      last_ = at / page_bytes;
      last_page_ = &pages_[last_];
    }
    (*last_page_)[at % page_bytes] |= bits;
  }
}

std::vector<ByteRange> AccessTrace::ranges(uint8_t bit) const {
  std::vector<ByteRange> ranges;
  for (const auto& [page, bytes] : pages_) {
    for (uint64_t i = 0; i < page_bytes; ++i) {
      if (!(bytes[i] & bit)) continue;
      const uint64_t address = page * page_bytes + i;
      if (ranges.empty() || ranges.back().end != address) ranges.push_back({address, address});
      ++ranges.back().end;
    }
  }
  return ranges;
}

}  // namespace weft::test
