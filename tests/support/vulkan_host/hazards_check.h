#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/vulkan_host/hazards.h"

namespace weft::test {

/// Checks that barriers order all accesses, and that find_hazards() notices the absence of each barrier between
/// commands that conflict. With doctest's option -s it shows for each barrier whether anything needs it.
inline void check_barriers(const std::vector<QueueStep>& steps) {
  for (const std::string& hazard : find_hazards(steps)) FAIL_CHECK(hazard);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != QueueStep::barrier) continue;
    std::vector<QueueStep> others = steps;
    others.erase(others.begin() + std::ptrdiff_t(i));
    const bool needed = !find_hazards(others).empty();
    const std::string next = i + 1 < steps.size() ? steps[i + 1].name : "the end";
    CHECK_MESSAGE((needed || !separates_conflict(steps, i)), "the barrier before ", next, " is ",
                  std::string(needed ? "needed" : "spare"));
  }
}

}  // namespace weft::test
