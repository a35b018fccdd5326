#include "backends/translate/rules.h"

namespace weft::translate {
namespace {

const char* scope_name(uint32_t scope) {
  switch (scope) {
    case spv::ScopeCrossDevice:
      return "weft_system";
    case spv::ScopeWorkgroup:
      return "weft_workgroup";
    case spv::ScopeSubgroup:
    case spv::ScopeInvocation:
      return "weft_subgroup";
    default:
      return "weft_device";
  }
}

const char* order_name(uint32_t semantics) {
  if (semantics & spv::MemorySemanticsSequentiallyConsistentMask) return "weft_acquire_release";
  if (semantics & spv::MemorySemanticsAcquireReleaseMask) return "weft_acquire_release";
  const bool acquire = semantics & spv::MemorySemanticsAcquireMask,
             release = semantics & spv::MemorySemanticsReleaseMask;
  if (acquire && release) return "weft_acquire_release";
  return acquire ? "weft_acquire" : release ? "weft_release" : "weft_relaxed";
}

}  // namespace

uint32_t ExpressionEmitter::constant_word(Id id, const Instruction& user, const char* what) {
  const Constant* constant = parent_.constants.find(id);
  if (!constant) parent_.refuse(user, std::string("with a ") + what + " that is not a constant is not supported");
  return static_cast<uint32_t>(constant->bits);
}

// "weft_atomic_add<uint32_t, weft_device, weft_relaxed>(self, address".
std::string ExpressionEmitter::atomic_head(const Instruction& i, const std::string& function, size_t scope) {
  const Lvalue lvalue = lvalue_of(i.arg(0), i);
  if (!lvalue.bytes) parent_.refuse(i, "on a variable of the invocation is not supported");
  const uint32_t semantics = constant_word(i.arg(scope + 1), i, "semantics");
  return function + "<" + parent_.types.name(lvalue.type) + ", " + scope_name(constant_word(i.arg(scope), i, "scope")) +
         ", " + order_name(semantics) + ">(self, " +
         (lvalue.is_shared ? lvalue.address() : "weft_atomic_in_buffer(" + lvalue.address() + ")");
}

void ExpressionEmitter::atomic(const Instruction& i, const Rule& rule) {
  // In checking mode, an exchange whose result nobody uses does not read.
  const bool overwrites = parent_.is_host() && i.op == spv::OpAtomicExchange && facts_.values.uses(i.result) == 0;
  define(i, atomic_head(i, overwrites ? "weft_atomic_overwrite" : rule.text) + arguments(i, 3) + ", " +
                std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::atomic_load(const Instruction& i, const Rule& rule) {
  define(i, atomic_head(i, rule.text) + ", " + std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::atomic_store(const Instruction& i, const Rule& rule) {
  line(atomic_head(i, rule.text) + arguments(i, 3) + ", " + std::to_string(parent_.site(i)) + ");");
}

// Operands: pointer, scope, the semantics when equal and when unequal, value, comparator.
void ExpressionEmitter::atomic_compare_exchange(const Instruction& i, const Rule& rule) {
  define(i, atomic_head(i, rule.text) + ", " + value(i.arg(5)) + ", " + value(i.arg(4)) + ", " +
                std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::atomic_step(const Instruction& i, const Rule& rule) {
  const std::string type = parent_.types.name(i.type);
  define(i, atomic_head(i, "weft_atomic_add") + ", " + type + "(" + rule.text + "), " +
                std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::atomic_flag(const Instruction& i, const Rule& rule) {
  const std::string site = std::to_string(parent_.site(i));
  if (i.op == spv::OpAtomicFlagClear)
    line(atomic_head(i, rule.text) + ", 0u, " + site + ");");
  else
    define(i, atomic_head(i, rule.text) + ", 1u, " + site + ") != 0u");
}

void ExpressionEmitter::control_barrier(const Instruction& i, const Rule& rule) {
  const uint32_t scope = constant_word(i.arg(0), i, "scope"), memory = constant_word(i.arg(1), i, "scope");
  const uint32_t semantics = constant_word(i.arg(2), i, "semantics");
  const std::string site = std::to_string(parent_.site(i));
  const bool is_wide = memory != spv::ScopeSubgroup && memory != spv::ScopeInvocation && memory != spv::ScopeWorkgroup;
  // A workgroup barrier by itself orders workgroup memory, as a subgroup barrier does for the subgroup.
  const bool orders = std::string_view(order_name(semantics)) != "weft_relaxed" &&
                      (is_wide || (scope == spv::ScopeSubgroup && memory == spv::ScopeWorkgroup));
  const std::string fence =
      std::string("weft_memory_barrier<") + scope_name(memory) + ", " + order_name(semantics) + ">(self);";
  if (orders) line(fence);
  if (scope == spv::ScopeWorkgroup) {
    parent_.uses_barriers = true;
    line(std::string(rule.text) + "(self, " + site + ");");
  } else if (scope == spv::ScopeSubgroup) {
    line("weft_subgroup_barrier(self, mask, " + site + ");");
  } else {
    parent_.refuse(i, "with a scope other than workgroup and subgroup is not supported");
  }
  if (orders) line(fence);
}

void ExpressionEmitter::memory_barrier(const Instruction& i, const Rule& rule) {
  const uint32_t semantics = constant_word(i.arg(1), i, "semantics");
  line(std::string(rule.text) + "<" + scope_name(constant_word(i.arg(0), i, "scope")) + ", " + order_name(semantics) +
       ">(self);");
}

}  // namespace weft::translate
