#include "backends/vulkan/module_needs.h"

#include <cstring>
#include <set>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>
#include <vector>

#include "backends/vulkan/device.h"
#include "backends/vulkan/version.h"

namespace weft::vulkan {

namespace {

using spv::Op;
using Instruction = std::span<const uint32_t>;

/// Collects the needs of a module, one instruction at a time.
class Needs {
 public:
  explicit Needs(const std::string& entry) : entry_name_(entry) {}

  void read(Op op, Instruction i) {
    switch (op) {
      case Op::OpEntryPoint:
        if (spv::ExecutionModel(i[1]) == spv::ExecutionModel::GLCompute &&
            entry_name_ == reinterpret_cast<const char*>(&i[3])) {
          entry_ = i[2];
        }
        break;
      case Op::OpExecutionMode:
        if (i[1] == entry_ && i.size() == 4) modes.push_back({i[2], i[3]});
        break;
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        scalars_[i[1]] = {op == Op::OpTypeFloat, i[2]};
        break;
      case Op::OpTypeVector:
        if (const auto scalar = scalars_.find(i[2]); scalar != scalars_.end()) vectors_[i[1]] = scalar->second;
        break;
      case Op::OpTypePointer:
        pointers_[i[1]] = {spv::StorageClass(i[2]), i[3]};
        break;
      case Op::OpConstant:
        constants_[i[2]] = i[3];
        break;
      case Op::OpVariable:
        pointer_types_[i[2]] = i[1];
        break;
      case Op::OpFunction:
        in_function_ = true;
        break;
      default:
        if (in_function_) read_code(op, i);
    }
  }

  std::set<std::string> features;
  std::vector<FloatMode> modes;

 private:
  struct Scalar {
    bool is_float = false;
    uint32_t width = 0;
  };
  struct Pointer {
    spv::StorageClass storage{};
    uint32_t pointee = 0;
  };

  void read_code(Op op, Instruction i) {
    // In a function, a pointer type is an operand only as the type of a result.
    if (i.size() > 2 && pointers_.contains(i[1])) pointer_types_[i[2]] = i[1];
    switch (op) {
      case Op::OpAtomicStore:
        atomic(i[1], "Atomics");
        break;
      case Op::OpAtomicFAddEXT:
        atomic(i[3], "AtomicAdd");
        break;
      case Op::OpAtomicFMinEXT:
      case Op::OpAtomicFMaxEXT:
        atomic(i[3], "AtomicMinMax");
        break;
      case Op::OpReadClockKHR:
        features.insert(constants_[i[3]] == uint32_t(spv::Scope::Device) ? "shaderDeviceClock" : "shaderSubgroupClock");
        break;
      case Op::OpGroupNonUniformRotateKHR:
        if (i.size() > 6) features.insert("shaderSubgroupRotateClustered");
        subgroup_operation(i[1]);
        break;
      default:
        if (op >= Op::OpAtomicLoad && op <= Op::OpAtomicXor) atomic(i[3], "Atomics");
        if (op >= Op::OpGroupNonUniformElect && op <= Op::OpGroupNonUniformQuadSwap) subgroup_operation(i[1]);
    }
  }

  void atomic(uint32_t pointer, const char* kind) {
    const Pointer target = pointers_[pointer_types_[pointer]];
    const auto scalar = scalars_.find(target.pointee);
    if (scalar == scalars_.end()) return;
    using spv::StorageClass;
    const bool shared = target.storage == StorageClass::Workgroup;
    const bool buffer = target.storage == StorageClass::StorageBuffer || target.storage == StorageClass::Uniform ||
                        target.storage == StorageClass::PhysicalStorageBuffer;
    if (!shared && !buffer) return;
    const auto [is_float, width] = scalar->second;
    const std::string memory = shared ? "shaderShared" : "shaderBuffer";
    if (is_float) features.insert(memory + "Float" + std::to_string(width) + kind);
    if (!is_float && width == 64) features.insert(memory + "Int64Atomics");
  }

  void subgroup_operation(uint32_t result_type) {
    const auto scalar = scalars_.find(result_type), vector = vectors_.find(result_type);
    const Scalar of = scalar != scalars_.end() ? scalar->second : vector != vectors_.end() ? vector->second : Scalar{};
    const bool extended = of.is_float ? of.width == 16 : of.width != 0 && of.width != 32;
    if (extended) features.insert("shaderSubgroupExtendedTypes");
  }

  const std::string& entry_name_;
  uint32_t entry_ = 0;
  bool in_function_ = false;
  std::unordered_map<uint32_t, Scalar> scalars_, vectors_;
  std::unordered_map<uint32_t, Pointer> pointers_;
  std::unordered_map<uint32_t, uint32_t> constants_, pointer_types_;
};

}  // namespace

void check_needs(std::span<const uint32_t> module, const std::string& entry, const std::string& kernel,
                 const Device& device) {
  std::vector<std::string> lacks;
  // The headers of a module and Vulkan pack versions differently.
  constexpr uint32_t spirv_1_6 = 0x10600;
  if (module[1] >= spirv_1_6 && device.version() < VK_API_VERSION_1_3) {
    lacks.push_back("SPIR-V 1.6, which needs an instance and a device of Vulkan 1.3 (here it is " +
                    version_text(device.version()) + ")");
  }
  Needs needs(entry);
  constexpr size_t header_words = 5;
  for (size_t at = header_words; at < module.size();) {
    const uint32_t words = module[at] >> 16;
    needs.read(Op(module[at] & 0xffff), module.subspan(at, words));
    at += words;
  }
  for (const Feature& f : features()) {
    if (needs.features.contains(f.name) && !device.has_feature(f.name)) {
      lacks.push_back(std::string(f.name) + " (" + f.reason + ")");
    }
  }
  for (std::string& mode : missing(needs.modes, device.float_controls())) lacks.push_back(std::move(mode));
  if (lacks.empty()) return;
  std::string all;
  for (const std::string& what : lacks) all += (all.empty() ? "" : ", ") + what;
  throw Error(ErrorCode::unsupported, "Kernel '" + kernel + "' cannot run on " + device.info().selector + " (" +
                                          device.info().name + "): the device lacks: " + all + ".");
}

}  // namespace weft::vulkan
