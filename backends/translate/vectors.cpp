#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "backends/translate/module_emitter.h"
#include "backends/translate/rules.h"

// A kernel without subgroup operations, barriers and atomics, where a subgroup is one flow of control: the value of all
// lanes is a vector, and a statement is one operation on vectors (prelude/host_wide.h) instead of a loop over the
// lanes. All that lanes do apart runs under masks. Values of lanes have 32 bits or are bools; a kernel that needs more
// takes another way.
namespace weft::translate {
namespace {

using F = ExpressionEmitter;

class Vectors {
 public:
  Vectors(const ModuleEmitter& parent, const std::vector<Id>& functions) : parent_(parent), functions_(functions) {}

  bool suit() const {
    if (parent_.has_volatile_memory || parent_.has_row_major_memory) return false;
    const auto suits_private = [this](const Instruction& variable) {
      if (variable.arg(0) != spv::StorageClassPrivate) return true;
      const Id type = parent_.module.type(variable.type).element;
      const bool starts_as_pointer = variable.args.size() > 1 && !parent_.constants.find(variable.arg(1));
      return is_of_words(parent_.module.type(type)) && !starts_as_pointer;
    };
    if (!std::ranges::all_of(parent_.module.variables, suits_private)) return false;
    return std::ranges::all_of(functions_, [this](Id id) {
      const Function& function = parent_.module.function(id);
      const auto has_place = [this](const Instruction& parameter) { return suits(parameter.result); };
      if (!std::ranges::all_of(function.parameters, has_place)) return false;
      return std::ranges::all_of(function.blocks, [this](const Block& block) {
        return std::ranges::all_of(block.code, [this](const Instruction& i) { return suits(i); });
      });
    });
  }

 private:
  bool differs(Id id) const { return parent_.divergent.contains(id); }

  bool is_word(const Type& type) const {
    if (type.kind == Kind::boolean) return true;
    return (type.kind == Kind::integer || type.kind == Kind::floating) && type.width == 32;
  }

  // Whether values of lanes may have this type: words, and vectors, matrices and arrays of them.
  bool is_of_words(const Type& type) const {
    const bool is_composite = type.kind == Kind::vector || type.kind == Kind::matrix || type.kind == Kind::array;
    return is_composite ? is_of_words(parent_.module.type(type.element)) : is_word(type);
  }

  // Of words in memory, only numbers and vectors.
  bool is_in_memory(const Type& type) const {
    if (type.kind == Kind::vector) return is_in_memory(parent_.module.type(type.element));
    return type.kind != Kind::boolean && is_word(type);
  }

  bool is_own(const Type& pointer) const {
    return pointer.kind == Kind::pointer && !Types::is_byte_addressed(pointer.storage);
  }

  // Whether a value, or the variable that a pointer points to, is uniform or has a vector's type.
  bool suits(Id id) const {
    if (!differs(id)) return true;
    const Type& type = parent_.module.type_of_value(id);
    if (is_own(type)) return is_of_words(parent_.module.type(type.element));
    return is_of_words(type);
  }

  bool suits(const Instruction& i) const {
    switch (i.op) {
      case spv::OpLoad:
        return suits_access(i, i.arg(0), 1) && suits(i.result);
      case spv::OpStore:
        return suits_access(i, i.arg(0), 2) && suits(i.arg(1));
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
        return suits_chain(i);
      case spv::OpFunctionCall:
        return suits_call(i);
      case spv::OpSwitch:
        return !differs(i.arg(0));
      case spv::OpVariable:
      case spv::OpPhi:
        return suits(i.result);
      case spv::OpCopyMemory:
        return false;
      default:
        break;
    }
    const Rule* rule = find_rule(i.op);
    if (!rule) return true;  // the end of a block
    const std::string_view group = rule->group;
    if (group == "atomic" || group == "barrier" || group == "subgroup") return false;
    if (i.result == 0 || !differs(i.result)) return true;
    return suits(i.result) && std::ranges::all_of(values_of(i), [this](Id id) { return suits(id); }) &&
           has_function(i, *rule);
  }

  // The operands that are values, not literal numbers.
  static std::span<const uint32_t> values_of(const Instruction& i) {
    const std::span<const uint32_t> all(i.args);
    switch (i.op) {
      case spv::OpExtInst:
        return all.subspan(2);
      case spv::OpCompositeExtract:
        return all.first(1);
      case spv::OpCompositeInsert:
      case spv::OpVectorShuffle:
        return all.first(2);
      default:
        return all;
    }
  }

  bool suits_access(const Instruction& i, Id pointer, size_t operands) const {
    constexpr uint32_t quiet = uint32_t{spv::MemoryAccessAlignedMask} | uint32_t{spv::MemoryAccessNontemporalMask} |
                               uint32_t{spv::MemoryAccessNonPrivatePointerMask};
    if (i.args.size() > operands && (i.args[operands] & ~quiet)) return false;
    const Type& type = parent_.module.type_of_value(pointer);
    if (is_mask(pointer)) return false;
    if (type.storage == spv::StorageClassWorkgroup) return false;
    if (!Types::is_byte_addressed(type.storage)) return true;
    const bool is_wide = differs(pointer) || (i.op == spv::OpStore && differs(i.arg(1)));
    return !is_wide || is_in_memory(parent_.module.type(type.element));
  }

  // gl_SubgroupEqMask and the like.
  bool is_mask(Id variable) const {
    const auto built_in = parent_.module.decoration(variable, spv::DecorationBuiltIn);
    return built_in && spv::BuiltInSubgroupEqMask <= *built_in && *built_in <= spv::BuiltInSubgroupLtMask;
  }

  // Indices that differ lead to memory only.
  bool suits_chain(const Instruction& i) const {
    if (is_mask(i.arg(0))) return false;
    const Type& base = parent_.module.type_of_value(i.arg(0));
    const auto is_apart = [this](uint32_t word) { return differs(word); };
    if (std::none_of(i.args.begin() + 1, i.args.end(), is_apart)) return true;
    if (!Types::is_byte_addressed(base.storage)) return false;
    // An array of buffers has another kind of index.
    const bool is_resource = base.storage == spv::StorageClassStorageBuffer || base.storage == spv::StorageClassUniform;
    if (is_resource && parent_.module.type(base.element).kind == Kind::array) return false;
    return std::all_of(i.args.begin() + 1, i.args.end(),
                       [this](uint32_t word) { return !differs(word) || is_word(parent_.module.type_of_value(word)); });
  }

  bool suits_call(const Instruction& i) const {
    const auto may_pass = [this](uint32_t word) {
      const Type& type = parent_.module.type_of_value(word);
      return type.kind == Kind::pointer && !is_own(type) ? !differs(word) : suits(word);
    };
    return std::all_of(i.args.begin() + 1, i.args.end(), may_pass) &&
           (parent_.module.type_of_value(i.result).kind == Kind::void_type || suits(i.result));
  }

  // Whether the prelude has it for vectors.
  bool has_function(const Instruction& i, const Rule& rule) const {
    static constexpr spv::Op without[] = {
        spv::OpPtrEqual,       spv::OpPtrNotEqual,      spv::OpPtrDiff,          spv::OpConvertPtrToU,
        spv::OpConvertUToPtr,  spv::OpUConvert,         spv::OpSConvert,         spv::OpFConvert,
        spv::OpSatConvertSToU, spv::OpSatConvertUToS,   spv::OpCopyLogical,      spv::OpVectorInsertDynamic,
        spv::OpBitFieldInsert, spv::OpBitFieldSExtract, spv::OpBitFieldUExtract, spv::OpIAddCarry,
        spv::OpISubBorrow,     spv::OpUMulExtended,     spv::OpSMulExtended};
    if (std::ranges::find(without, i.op) != std::end(without) || rule.emit == &F::integer_dot) return false;
    if (parent_.module.decoration(i.result, spv::DecorationFPRoundingMode)) return false;
    if (i.op != spv::OpExtInst) return true;
    static constexpr uint32_t unknown[] = {GLSLstd450Modf,
                                           GLSLstd450ModfStruct,
                                           GLSLstd450Frexp,
                                           GLSLstd450FrexpStruct,
                                           GLSLstd450Ldexp,
                                           GLSLstd450PackSnorm4x8,
                                           GLSLstd450PackUnorm4x8,
                                           GLSLstd450PackSnorm2x16,
                                           GLSLstd450PackUnorm2x16,
                                           GLSLstd450PackHalf2x16,
                                           GLSLstd450PackDouble2x32,
                                           GLSLstd450UnpackSnorm2x16,
                                           GLSLstd450UnpackUnorm2x16,
                                           GLSLstd450UnpackHalf2x16,
                                           GLSLstd450UnpackSnorm4x8,
                                           GLSLstd450UnpackUnorm4x8,
                                           GLSLstd450UnpackDouble2x32,
                                           GLSLstd450FaceForward,
                                           GLSLstd450Refract};
    return std::ranges::find(unknown, i.arg(1)) == std::end(unknown);
  }

  const ModuleEmitter& parent_;
  const std::vector<Id>& functions_;
};

}  // namespace

// Makes all functions run once for a subgroup, in vectors, if that suits them.
bool ModuleEmitter::take_vectors(const std::vector<Id>& functions) {
  constexpr uint32_t fewest = 4;  // which fill the smallest vector
  if (lanes() < fewest) return false;
  acting_ = {functions.begin(), functions.end()};
  flow_.vectors = true;
  flow_.acting = acting_;
  divergent = divergent_values(module, functions, &flow_);
  if (Vectors(*this, functions).suit()) return true;
  acting_.clear();
  flow_ = {};
  divergent.clear();
  return false;
}

}  // namespace weft::translate
