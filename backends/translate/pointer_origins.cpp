#include "backends/translate/pointer_origins.h"

namespace weft::translate {
namespace {

class Origins {
 public:
  Origins(const Module& module, const Types& types, const Constants& constants)
      : module_(module), types_(types), constants_(constants) {
    for (const Instruction& variable : module.variables) origins_[variable.result] = of_variable(variable);
  }

  // Origins only gain sources, so this terminates: after two or three rounds for the output of compilers.
  std::unordered_map<Id, PointerOrigin> run(const std::vector<Id>& functions) {
    do {
      changed_ = false;
      for (const Id id : functions) {
        for (const Block& block : module_.function(id).blocks) {
          for (const Instruction& i : block.code) instruction(id, i);
        }
      }
    } while (changed_);
    return std::move(origins_);
  }

 private:
  bool is_pointer(Id value) const {
    const auto type = module_.type_of.find(value);
    return type != module_.type_of.end() && module_.type(type->second).kind == Kind::pointer;
  }

  PointerOrigin of_variable(const Instruction& variable) const {
    PointerOrigin origin;
    origin.is_volatile =
        module_.has(variable.result, spv::DecorationVolatile) || module_.has(variable.result, spv::DecorationCoherent);
    const bool is_block = module_.type(module_.type(variable.type).element).kind == Kind::structure;
    if (is_block) origin.variable = variable.result;
    return origin;
  }

  void instruction(Id function, const Instruction& i) {
    if (i.op == spv::OpFunctionCall) {
      const Function& callee = module_.function(i.arg(0));
      for (size_t k = 0; k < callee.parameters.size(); ++k) pass(callee.parameters[k].result, i.arg(k + 1));
      pass(i.result, i.arg(0));
    } else if (i.op == spv::OpReturnValue) {
      pass(function, i.arg(0));
    } else if (i.result != 0 && is_pointer(i.result)) {
      pointer(i);
    }
  }

  void pointer(const Instruction& i) {
    switch (i.op) {
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        chain(i, 1);
        return;
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
        chain(i, 2);
        return;
      case spv::OpPhi:
        for (size_t k = 0; k + 1 < i.args.size(); k += 2) pass(i.result, i.args[k]);
        return;
      case spv::OpSelect:
        pass(i.result, i.arg(1));
        pass(i.result, i.arg(2));
        return;
      case spv::OpCopyObject:
        pass(i.result, i.arg(0));
        return;
      default:
        add(i.result, untold(i.result));
    }
  }

  PointerOrigin untold(Id pointer) const {
    PointerOrigin origin;
    origin.is_known = false;
    origin.is_volatile = module_.has(pointer, spv::DecorationVolatile) || module_.has(pointer, spv::DecorationCoherent);
    return origin;
  }

  void pass(Id to, Id from) {
    const auto found = origins_.find(from);
    if (found != origins_.end()) {
      add(to, PointerOrigin(found->second));
    } else if (constants_.find(from) && is_pointer(from)) {
      add(to, untold(from));
    }
  }

  void chain(const Instruction& i, size_t first) {
    const auto base = origins_.find(i.arg(0));
    if (base == origins_.end()) return;
    PointerOrigin origin = base->second;
    Id type = module_.type_of_value(i.arg(0)).element;
    for (size_t k = first; k < i.args.size(); ++k) step(origin, type, i.args[k]);
    if (i.args.size() > first) origin.variable = 0;
    add(i.result, origin);
  }

  void step(PointerOrigin& origin, Id& type, Id index) const {
    const Type& whole = module_.type(type);
    if (whole.kind == Kind::structure) {
      const Constant* constant = constants_.find(index);
      const uint32_t member = constant ? static_cast<uint32_t>(constant->bits) : 0;
      origin.matrix = types_.member_matrix(type, member);
      origin.component_stride = 0;
      origin.is_known = origin.agrees = true;
      if (const Decorations* decorations = module_.member(type, member)) {
        origin.is_volatile = origin.is_volatile || decorations->contains(spv::DecorationVolatile) ||
                             decorations->contains(spv::DecorationCoherent);
      }
      type = whole.members.at(member);
      return;
    }
    if (whole.kind == Kind::matrix) {
      origin.component_stride = origin.matrix.row_major ? types_.matrix_stride(type, origin.matrix) : 0;
    } else if (whole.kind == Kind::vector) {
      origin.component_stride = 0;
      origin.is_known = origin.agrees = true;
    }
    type = whole.element;
  }

  void add(Id to, const PointerOrigin& way) {
    const auto [found, is_new] = origins_.try_emplace(to, way);
    PointerOrigin& all = found->second;
    const bool same = all.matrix.stride == way.matrix.stride && all.matrix.row_major == way.matrix.row_major &&
                      all.component_stride == way.component_stride;
    const auto set = [&](auto& value, auto wanted) {
      if (value == wanted) return;
      value = wanted;
      changed_ = true;
    };
    changed_ = changed_ || is_new;
    set(all.agrees, all.agrees && way.agrees && same);
    set(all.is_known, all.is_known && way.is_known);
    set(all.is_volatile, all.is_volatile || way.is_volatile);
    set(all.variable, all.variable == way.variable ? all.variable : 0u);
  }

  const Module& module_;
  const Types& types_;
  const Constants& constants_;
  std::unordered_map<Id, PointerOrigin> origins_;
  bool changed_ = false;
};

}  // namespace

std::unordered_map<Id, PointerOrigin> pointer_origins(const Module& module, const Types& types,
                                                      const Constants& constants, const std::vector<Id>& functions) {
  return Origins(module, types, constants).run(functions);
}

}  // namespace weft::translate
