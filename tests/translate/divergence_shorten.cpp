#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>
#include <unordered_set>

#include "tests/translate/divergence_run.h"

// Writes branches that glslang does not: branches of conditions and switches that leave a construct directly, not
// through a block that only branches; and conditions without a selection, one side of which leaves.
namespace weft::test::divergence {
namespace {

using Words = std::vector<uint32_t>;

spv::Op op_of(const Words& instruction) { return spv::Op(instruction[0] & 0xffffu); }

class Shortening {
 public:
  explicit Shortening(const Words& module) : module_(module.begin(), module.begin() + 5) {
    for (size_t at = 5; at < module.size(); at += module[at] >> 16) {
      instructions_.emplace_back(module.begin() + std::ptrdiff_t(at),
                                 module.begin() + std::ptrdiff_t(at + (module[at] >> 16)));
    }
  }

  Words run() {
    find_detours();
    for (size_t k = 1; k < instructions_.size(); ++k) shorten(k);
    for (size_t k = 0; k < instructions_.size(); ++k) {
      const bool is_detour = op_of(instructions_[k]) == spv::OpLabel && detours_.contains(instructions_[k][1]);
      if (is_detour)
        ++k;  // skips its branch too
      else
        module_.insert(module_.end(), instructions_[k].begin(), instructions_[k].end());
    }
    return module_;
  }

 private:
  // Blocks that only branch, except for those used by constructs and phis.
  void find_detours() {
    std::unordered_set<uint32_t> named;
    for (const Words& i : instructions_) {
      if (op_of(i) == spv::OpSelectionMerge || op_of(i) == spv::OpLoopMerge) named.insert(i.begin() + 1, i.end());
      if (op_of(i) == spv::OpPhi) named.insert(i.begin() + 3, i.end());
      if (op_of(i) == spv::OpBranch) named.insert(i[1]);
    }
    for (size_t k = 0; k + 1 < instructions_.size(); ++k) {
      const Words &label = instructions_[k], &branch = instructions_[k + 1];
      if (op_of(label) != spv::OpLabel || op_of(branch) != spv::OpBranch || named.contains(label[1])) continue;
      detours_[label[1]] = branch[1];
    }
  }

  bool retarget(uint32_t& target) const {
    const auto found = detours_.find(target);
    if (found == detours_.end()) return false;
    target = found->second;
    return true;
  }

  void shorten(size_t k) {
    Words& last = instructions_[k];
    if (op_of(last) == spv::OpBranchConditional) {
      Words& merge = instructions_[k - 1];
      const bool opens_selection = op_of(merge) == spv::OpSelectionMerge;
      const bool first = retarget(last[2]), second = retarget(last[3]);
      const bool one_leaves = (first && last[2] != merge[1]) != (second && last[3] != merge[1]);
      if (opens_selection && one_leaves && ++conditions_ % 2 == 0) merge = {1u << 16 | spv::OpNop};
    } else if (op_of(last) == spv::OpSwitch) {
      retarget(last[2]);
      for (size_t at = 4; at < last.size(); at += 2) retarget(last[at]);
    }
  }

  Words module_;
  std::vector<Words> instructions_;
  std::unordered_map<uint32_t, uint32_t> detours_;  // maps them to their targets
  uint32_t conditions_ = 0;
};

}  // namespace

Spirv shortened(const Spirv& module) { return {Shortening(module.words).run(), module.name}; }

}  // namespace weft::test::divergence
