#include "backends/translate/arguments.h"

#include <algorithm>
#include <unordered_set>

#include "backends/translate/rules.h"
#include "backends/translate/structure.h"

namespace weft::translate {
namespace {

bool is_chain(spv::Op op) { return op == spv::OpAccessChain || op == spv::OpInBoundsAccessChain; }

class Arguments {
 public:
  explicit Arguments(Module& module) : module_(module) {}

  void run() {
    find_acting();
    find_read_only();
    for (Function& function : module_.functions) {
      look_at(function);
      for (Block& block : function.blocks) {
        for (size_t call = 0; call < block.code.size(); ++call) {
          if (block.code[call].op != spv::OpFunctionCall) continue;
          for (size_t k = 1; k < block.code[call].args.size(); ++k) {
            if (!acting_.contains(block.code[call].arg(0))) pass_original(block, call, k);
            pass_target(function, block, call, k);
          }
        }
      }
      for (Block& block : function.blocks) {
        std::erase_if(block.code,
                      [this](const Instruction& i) { return unused_.contains(i.result) || i.op == spv::OpNop; });
      }
    }
  }

 private:
  void find_acting() {
    const auto acts = [this](const Instruction& i) {
      if (i.op == spv::OpFunctionCall) return acting_.contains(i.arg(0));
      return needs_lanes(i.op) || i.op == spv::OpControlBarrier;
    };
    for (size_t before = 0, found = 1; before != found;) {
      before = acting_.size();
      for (const Function& function : module_.functions) {
        for (const Block& block : function.blocks) {
          if (std::ranges::any_of(block.code, acts)) acting_.insert(function.id);
        }
      }
      found = acting_.size();
    }
  }

  // Parameters that their functions only load from, or pass on to such parameters.
  void find_read_only() {
    for (const Function& function : module_.functions) {
      for (const Instruction& parameter : function.parameters) {
        const Type& type = module_.type_of_value(parameter.result);
        if (type.kind == Kind::pointer && type.storage == spv::StorageClassFunction)
          read_only_.insert(parameter.result);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Function& function : module_.functions) {
        look_at(function);
        for (const Block& block : function.blocks) {
          for (const Instruction& i : block.code) changed = find_written(i) || changed;
        }
      }
    }
  }

  bool find_written(const Instruction& i) {
    bool changed = false;
    for (size_t k = 0; k < i.args.size(); ++k) {
      const bool reads = k == 0 && (i.op == spv::OpLoad || is_chain(i.op));
      if (!reads && !passes_read_only(i, k)) changed = read_only_.erase(root(i.args[k])) != 0 || changed;
    }
    return changed;
  }

  bool passes_read_only(const Instruction& i, size_t k) const {
    if (i.op != spv::OpFunctionCall || k == 0) return false;
    return read_only_.contains(module_.function(i.arg(0)).parameters[k - 1].result);
  }

  void look_at(const Function& function) {
    definitions_.clear();
    uses_.clear();
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != 0) definitions_[i.result] = i;
        for (const uint32_t word : i.args) ++uses_[word];
      }
    }
  }

  // The variable or parameter that a pointer is derived from.
  Id root(Id pointer) const {
    for (;;) {
      const auto found = definitions_.find(pointer);
      if (found == definitions_.end() || !is_chain(found->second.op)) return pointer;
      pointer = found->second.arg(0);
    }
  }

  bool is_variable(Id id) const {
    const auto found = definitions_.find(id);
    return found != definitions_.end() && found->second.op == spv::OpVariable;
  }

  bool is_own(Id pointer) const {
    const auto type = module_.type_of.find(pointer);
    if (type == module_.type_of.end()) return false;
    const Type& pointed = module_.type(type->second);
    return pointed.kind == Kind::pointer && pointed.storage == spv::StorageClassFunction;
  }

  // Two parameters may point to one variable.
  bool are_apart(Id one, Id other) const { return one != other && (is_variable(one) || is_variable(other)); }

  // Whether the instruction may change the variable or parameter `original`.
  bool may_change(const Instruction& i, Id original) const {
    if (i.op == spv::OpLoad || is_chain(i.op)) return false;
    for (size_t k = 0; k < i.args.size(); ++k) {
      if (!is_own(i.args[k]) || passes_read_only(i, k)) continue;
      if (!are_apart(root(i.args[k]), original)) return true;
    }
    return false;
  }

  void pass_original(Block& block, size_t call, size_t k) {
    const Id copy = block.code[call].arg(k);
    if (!is_variable(copy) || uses_[copy] != 2 || definitions_.at(copy).args.size() != 1) return;
    if (!passes_read_only(block.code[call], k)) return;
    const auto begin = block.code.begin(), end = begin + static_cast<std::ptrdiff_t>(call);
    const auto store = std::find_if(begin, end, [&](const Instruction& i) {
      return i.op == spv::OpStore && i.arg(0) == copy && i.args.size() == 2;
    });
    if (store == end) return;
    const Id value = store->arg(1);
    const auto load = std::find_if(begin, store, [&](const Instruction& i) { return i.result == value; });
    if (load == store || load->op != spv::OpLoad || load->args.size() != 1 || !is_own(load->arg(0))) return;
    const Id original = load->arg(0), from = root(original);
    if (!is_variable(from) && definitions_.contains(from)) return;
    if (module_.type_of_value(original).element != module_.type_of_value(copy).element) return;
    const auto changes = [&](const Instruction& i) { return may_change(i, from); };
    if (std::any_of(load, store, changes) || std::any_of(store + 1, end, changes)) return;
    block.code[call].args[k] = original;
    if (may_change(block.code[call], from)) {
      block.code[call].args[k] = copy;
      return;
    }
    ++uses_[original];
    *store = {};
    if (--uses_[value] == 0) *load = {};
    unused_.insert(copy);
  }

  // Whether the instruction may read or change the variable or parameter `target`.
  bool touches(const Instruction& i, Id target) const {
    return !is_chain(i.op) &&
           std::ranges::any_of(i.args, [&](uint32_t word) { return is_own(word) && !are_apart(root(word), target); });
  }

  bool is_in_loop(const Function& function, const Block& block) const {
    std::unordered_set<Id> seen;
    for (std::vector<Id> open = successors(block, module_); !open.empty();) {
      const Id label = open.back();
      open.pop_back();
      if (label == block.label) return true;
      if (!seen.insert(label).second) continue;
      for (const Id next : successors(function.block(label), module_)) open.push_back(next);
    }
    return false;
  }

  // A copy that only the call and what reads it afterwards use is undefined at the call, unless it is left from an
  // earlier turn of a loop. Then it equals the target if nothing else writes that.
  bool is_undefined(const Function& function, const Block& block, Id target) const {
    if (!is_in_loop(function, block)) return true;
    size_t writes = 0;
    for (const Block& other : function.blocks) {
      writes += std::ranges::count_if(other.code, [&](const Instruction& i) { return may_change(i, target); });
    }
    return writes == 1 && is_variable(target);
  }

  // A result by way of a copy, which the caller then stores in `target`; the copy may have been set from there too.
  void pass_target(const Function& function, Block& block, size_t call, size_t k) {
    const Id copy = block.code[call].arg(k);
    if (!is_variable(copy) || definitions_.at(copy).args.size() != 1) return;
    const auto begin = block.code.begin(), at = begin + static_cast<std::ptrdiff_t>(call), end = block.code.end();
    const auto read = std::find_if(at, end, [&](const Instruction& i) {
      return i.op == spv::OpLoad && i.arg(0) == copy && i.args.size() == 1 && uses_[i.result] == 1;
    });
    if (read == end) return;
    const auto write = std::find_if(read, end, [&](const Instruction& i) {
      return i.op == spv::OpStore && i.arg(1) == read->result && i.args.size() == 2;
    });
    if (write == end) return;
    const Id target = write->arg(0);
    const bool is_whole = is_own(target) && (is_variable(target) || !definitions_.contains(target));
    if (!is_whole || module_.type_of_value(target).element != module_.type_of_value(copy).element) return;
    const auto touches_it = [&](const Instruction& i) { return touches(i, target); };
    if (std::any_of(at, write, touches_it)) return;
    if (uses_[copy] == 2) {
      const Kind kind = module_.type(module_.type_of_value(copy).element).kind;
      const bool is_large = kind == Kind::array || kind == Kind::structure;
      if (!is_large || acting_.contains(at->arg(0)) || !is_undefined(function, block, target)) return;
    } else if (uses_[copy] != 3 || !take_away_start(block, call, copy, target)) {
      return;
    }
    at->args[k] = target;
    *read = *write = {};
    unused_.insert(copy);
  }

  // Removes the store that sets the copy before the call, if it sets it to the contents of `target`.
  bool take_away_start(Block& block, size_t call, Id copy, Id target) {
    const auto begin = block.code.begin(), at = begin + static_cast<std::ptrdiff_t>(call);
    const auto store = std::find_if(begin, at, [&](const Instruction& i) {
      return i.op == spv::OpStore && i.arg(0) == copy && i.args.size() == 2;
    });
    if (store == at) return false;
    const auto load = std::find_if(begin, store, [&](const Instruction& i) { return i.result == store->arg(1); });
    const bool is_it = load != store && load->op == spv::OpLoad && load->arg(0) == target && load->args.size() == 1;
    if (!is_it || std::any_of(load, at, [&](const Instruction& i) { return may_change(i, target); })) return false;
    const Id value = load->result;
    *store = {};
    if (--uses_[value] == 0) *load = {};
    return true;
  }

  Module& module_;
  std::unordered_set<Id> acting_, read_only_, unused_;
  std::unordered_map<Id, Instruction> definitions_;  // of the function being looked at
  std::unordered_map<Id, uint32_t> uses_;
};

}  // namespace

void pass_originals(Module& module) { Arguments(module).run(); }

}  // namespace weft::translate
