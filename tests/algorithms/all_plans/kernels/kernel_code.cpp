#include "tests/algorithms/all_plans/kernels/kernel_code.h"

#include <weft/scan.h>
#include <weft/sort.h>

#include "tests/translate/vendors/primitives.h"

namespace weft::test {
namespace {

class Reader {
 public:
  KernelCode read(const Spirv& module) {
    const std::vector<uint32_t>& words = module.words;
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
      const auto op = spv::Op(words[at] & 0xffff);
      const size_t count = (words[at] >> 16) - 1;
      if (function_) {
        instruction(op, &words[at + 1], count);
      } else {
        declaration(op, &words[at + 1]);
      }
    }
    return std::move(code_);
  }

 private:
  struct Pointer {
    uint32_t variable = 0;  // The variable itself, or the one it points into.
    spv::StorageClass memory{};
  };

  void declaration(spv::Op op, const uint32_t* operands) {
    if (op == spv::OpEntryPoint) code_.entry = operands[1];
    if (op == spv::OpName) names_[operands[0]] = reinterpret_cast<const char*>(operands + 1);
    if (op == spv::OpConstant) constants_[operands[1]] = operands[2];
    if (op == spv::OpTypePointer) memory_of_type_[operands[0]] = spv::StorageClass(operands[1]);
    if (op == spv::OpVariable) pointers_[operands[1]] = {operands[1], spv::StorageClass(operands[2])};
    if (op != spv::OpFunction) return;
    function_ = &code_.functions[operands[1]];
    function_->name = name_of(operands[1]);
  }

  void instruction(spv::Op op, const uint32_t* operands, size_t count) {
    switch (op) {
      case spv::OpLabel:
        index_of_label_[operands[0]] = function_->blocks.size();
        function_->blocks.emplace_back();
        break;
      case spv::OpBranch:
        labels_.push_back({operands[0]});
        break;
      case spv::OpBranchConditional:
        labels_.push_back({operands[1], operands[2]});
        break;
      case spv::OpSwitch:  // Selector, default, then pairs of a one-word literal and a label.
        labels_.push_back({operands[1]});
        for (size_t i = 3; i < count; i += 2) labels_.back().push_back(operands[i]);
        break;
      case spv::OpReturn:
      case spv::OpReturnValue:
      case spv::OpUnreachable:
        labels_.emplace_back();
        break;
      case spv::OpFunctionEnd:
        end_function();
        break;
      default:
        step(op, operands);
    }
  }

  void end_function() {
    for (size_t block = 0; block < labels_.size(); ++block) {
      for (const uint32_t label : labels_[block]) function_->blocks[block].next.push_back(index_of_label_.at(label));
    }
    labels_.clear();
    function_ = nullptr;
  }

  void step(spv::Op op, const uint32_t* operands) {
    Step step{op, {}};
    if (op == spv::OpAccessChain) {
      pointers_[operands[1]] = {pointers_[operands[2]].variable, memory_of_type_[operands[0]]};
    } else if (op == spv::OpFunctionCall) {
      step.name = name_of(operands[2]);
      step.called = operands[2];
      add(step);
    } else if (op == spv::OpControlBarrier) {
      step.execution = constants_.at(operands[0]);
      order(step, operands + 1);
      add(step);
    } else if (op == spv::OpMemoryBarrier) {
      order(step, operands);
      add(step);
    } else if (op == spv::OpLoad || op == spv::OpStore) {
      access(step, operands[op == spv::OpStore ? 0 : 2]);
      if (step.memory == spv::StorageClassWorkgroup) add(step);
    } else if (step.is_atomic()) {
      const uint32_t* const pointer = operands + (op == spv::OpAtomicStore ? 0 : 2);
      access(step, pointer[0]);
      order(step, pointer + 1);
      add(step);
    }
  }

  void access(Step& step, uint32_t pointer) {
    const Pointer& found = pointers_[pointer];
    step.memory = found.memory;
    if (found.memory == spv::StorageClassWorkgroup) step.name = name_of(found.variable);
  }
  void order(Step& step, const uint32_t* operands) {
    step.scope = constants_.at(operands[0]);
    step.semantics = constants_.at(operands[1]);
  }
  void add(const Step& step) { function_->blocks.back().steps.push_back(step); }
  std::string name_of(uint32_t id) { return names_[id].substr(0, names_[id].find('(')); }

  KernelCode code_;
  Function* function_ = nullptr;
  std::map<uint32_t, std::string> names_;
  std::map<uint32_t, uint32_t> constants_;
  std::map<uint32_t, spv::StorageClass> memory_of_type_;
  std::map<uint32_t, Pointer> pointers_;
  std::map<uint32_t, size_t> index_of_label_;
  std::vector<std::vector<uint32_t>> labels_;  // Labels at the end of each block of the function.
};

void add_look_backs_without_int64_atomics(std::vector<RequestedKernel>& kernels) {
  DeviceInfo info = gpu(32, 64 * 1024);
  info.features.buffer_int64_atomics = info.features.workgroup_int64_atomics = false;
  const Device device = recording_device(info, kernels);
  Scan(device, Element::scalar("uint"), Operator::sum(), 1 << 24, {.path = TilePath::look_back});
  for (const uint64_t most : {uint64_t{1} << 24, uint64_t{1} << 33})
    Sort(device, Element::scalar("uint"), most, {{}, TilePath::look_back});
}

void add_sorts_of_nvidia(std::vector<RequestedKernel>& kernels) {
  for (const DeviceInfo& info : {h200_by_cuda(), h200_by_vulkan()})
    Sort(recording_device(info, kernels), Element::scalar("uint"), 1 << 28, {{}, TilePath::look_back});
}

}  // namespace

bool Step::is_atomic() const {
  return (op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor) || op == spv::OpAtomicFAddEXT ||
         op == spv::OpAtomicFMinEXT || op == spv::OpAtomicFMaxEXT;
}

KernelCode read_code(const Spirv& module) { return Reader().read(module); }

// The kernels of a device whose tiles have one invocation.
void add_serial_kernels(std::vector<RequestedKernel>& kernels) {
  DeviceInfo info = gpu(16, 256 * 1024);
  info.kind = DeviceKind::cpu;
  info.features.loop_vectorization = info.features.subgroup_size_control = true;
  info.limits.min_subgroup_size = 1;
  for (RequestedKernel& kernel : kernels_of_words(info)) {
    if (kernel.module.name.find("_serial") != std::string::npos) kernels.push_back(std::move(kernel));
  }
}

const std::vector<RequestedKernel>& every_kernel() {
  static const std::vector<RequestedKernel> kernels = [] {
    std::vector<RequestedKernel> all = kernels_of_words(gpu(32, 64 * 1024));
    add_look_backs_without_int64_atomics(all);
    add_sorts_of_nvidia(all);
    add_serial_kernels(all);
    return all;
  }();
  return kernels;
}

}  // namespace weft::test
