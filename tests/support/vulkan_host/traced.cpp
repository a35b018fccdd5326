#include "tests/support/vulkan_host/traced.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "tests/support/vulkan_host/host.h"
#include "tests/support/vulkan_host/traced_state.h"

namespace weft::test {

namespace {

constexpr uint64_t compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, copies = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                   indirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
constexpr uint64_t indirect_bytes = sizeof(VkDispatchIndirectCommand);

template <typename Handle>
uint64_t id(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// Commands are kept until they are submitted.

void add_command(const std::string& name, std::vector<CommandAccess> accesses) {
  QueueStep step;
  step.name = name;
  step.number = ++traced_state().number;
  std::erase_if(accesses, [](const CommandAccess& access) { return access.ranges.empty(); });
  step.accesses = std::move(accesses);
  queue_steps().push_back(std::move(step));
}

template <typename Run>
void record(VkCommandBuffer commands, Run run) {
  const std::lock_guard lock(traced_state().mutex);
  traced_state().recorded[commands].run.push_back(std::move(run));
}

VkResult VKAPI_CALL begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info) {
  const std::lock_guard lock(traced_state().mutex);
  traced_state().recorded[commands] = {};
  return WEFT_TEST_REAL(vkBeginCommandBuffer)(commands, info);
}

void VKAPI_CALL bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint, VkPipeline pipeline) {
  const std::lock_guard lock(traced_state().mutex);
  traced_state().recorded[commands].kernel = reinterpret_cast<const Kernel*>(pipeline);
}

void VKAPI_CALL push_constants(VkCommandBuffer commands, VkPipelineLayout, VkShaderStageFlags, uint32_t offset,
                               uint32_t size, const void* values) {
  const std::lock_guard lock(traced_state().mutex);
  std::memcpy(traced_state().recorded[commands].push_constants.data() + offset, values, size);
}

void VKAPI_CALL label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label) {
  const std::lock_guard lock(traced_state().mutex);
  traced_state().recorded[commands].label = label->pLabelName;
}

void VKAPI_CALL bind_sets(VkCommandBuffer commands, VkPipelineBindPoint, VkPipelineLayout, uint32_t first,
                          uint32_t count, const VkDescriptorSet* sets, uint32_t, const uint32_t*) {
  const std::lock_guard lock(traced_state().mutex);
  for (uint32_t i = 0; i < count; ++i) traced_state().recorded[commands].sets[first + i] = sets[i];
}

/// A dispatch without its groups.
struct Work {
  explicit Work(const TracedCommands& now) : name(now.label), kernel(*now.kernel) {
    const Reflection& reflection = kernel.reflection();
    arguments.push(std::span(now.push_constants).first(reflection.push_constant_bytes));
    for (const Reflection::Binding& binding : reflection.bindings) {
      for (uint32_t i = 0; binding.used && i < binding.count; ++i) {
        const Region& region = traced_state().sets.at(now.sets.at(binding.set)).at({binding.binding, i});
        arguments.bind(binding.set, binding.binding, region, i);
        const bool uniform = binding.kind == Reflection::BindingKind::uniform_buffer;
        if (uniform) uniforms.insert(reinterpret_cast<const void*>(region.address()));
      }
    }
  }

  void run(Groups groups, std::vector<CommandAccess> accesses = {}) const {
    TracedState& state = traced_state();
    state.trace = state.uniform_trace = {};
    state.uniform_buffers = uniforms;
    state.stream.dispatch(kernel, groups, arguments);
    state.stream.synchronize();
    accesses.push_back({compute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT, false, state.trace.read()});
    accesses.push_back({compute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, true, state.trace.written()});
    accesses.push_back({compute, VK_ACCESS_2_UNIFORM_READ_BIT, false, state.uniform_trace.read()});
    add_command(name, std::move(accesses));
  }

  std::string name;
  Kernel kernel;
  Arguments arguments;
  std::set<const void*> uniforms;
};

Work work_of(VkCommandBuffer commands) {
  const std::lock_guard lock(traced_state().mutex);
  return Work(traced_state().recorded[commands]);
}

void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  record(commands, [work = work_of(commands), x, y, z] { work.run({x, y, z}); });
}

void VKAPI_CALL dispatch_indirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset) {
  record(commands, [work = work_of(commands), address = traced_region(buffer).address() + offset] {
    VkDispatchIndirectCommand groups;
    std::memcpy(&groups, reinterpret_cast<const void*>(address), indirect_bytes);
    work.run({groups.x, groups.y, groups.z},
             {{indirect, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false, {{address, address + indirect_bytes}}}});
  });
}

void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer source, VkBuffer destination, uint32_t count,
                     const VkBufferCopy* regions) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t from = traced_region(source).address() + regions[i].srcOffset;
    const uint64_t to = traced_region(destination).address() + regions[i].dstOffset;
    record(commands, [from, to, bytes = regions[i].size] {
      std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
      add_command("copy", {{copies, VK_ACCESS_2_TRANSFER_READ_BIT, false, {{from, from + bytes}}},
                           {copies, VK_ACCESS_2_TRANSFER_WRITE_BIT, true, {{to, to + bytes}}}});
    });
  }
}

/// With the single stages and accesses that a flag stands for.
uint64_t stages(uint64_t flags) {
  if (flags & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) flags |= compute | copies | indirect;
  return flags;
}
uint64_t accesses(uint64_t flags) {
  if (flags & VK_ACCESS_2_MEMORY_READ_BIT) {
    flags |= VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
             VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
  }
  if (flags & VK_ACCESS_2_MEMORY_WRITE_BIT) flags |= VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
  if (flags & VK_ACCESS_2_SHADER_READ_BIT) flags |= VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
  if (flags & VK_ACCESS_2_SHADER_WRITE_BIT) flags |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
  return flags;
}

void add_barrier(VkCommandBuffer commands, uint64_t source_stages, uint64_t source_accesses,
                 uint64_t destination_stages, uint64_t destination_accesses) {
  QueueStep step;
  step.kind = QueueStep::barrier;
  step.source_stages = stages(source_stages);
  step.source_accesses = accesses(source_accesses);
  step.destination_stages = stages(destination_stages);
  step.destination_accesses = accesses(destination_accesses);
  record(commands, [step] { queue_steps().push_back(step); });
}

void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags source, VkPipelineStageFlags destination,
                        VkDependencyFlags, uint32_t count, const VkMemoryBarrier* memory, uint32_t,
                        const VkBufferMemoryBarrier*, uint32_t, const VkImageMemoryBarrier*) {
  if (count == 0) add_barrier(commands, source, 0, destination, 0);
  for (const VkMemoryBarrier& one : std::span(memory, count)) {
    add_barrier(commands, source, one.srcAccessMask, destination, one.dstAccessMask);
  }
}

void VKAPI_CALL barrier2(VkCommandBuffer commands, const VkDependencyInfo* info) {
  for (const VkMemoryBarrier2& memory : std::span(info->pMemoryBarriers, info->memoryBarrierCount)) {
    add_barrier(commands, memory.srcStageMask, memory.srcAccessMask, memory.dstStageMask, memory.dstAccessMask);
  }
}

void VKAPI_CALL get_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
  WEFT_TEST_REAL(vkGetDeviceQueue)(device, family, index, queue);
  const std::lock_guard lock(traced_state().mutex);
  traced_state().devices[*queue] = device;
}

/// Somebody has waited until `object` had this value.
void completed(uint64_t object, uint64_t value) {
  const std::lock_guard lock(traced_state().mutex);
  QueueStep step;
  step.kind = QueueStep::completion;
  std::erase_if(traced_state().signals, [&](const TracedState::Signal& signal) {
    if (signal.object != object || signal.value > value) return false;
    step.number = std::max(step.number, signal.number);
    return true;
  });
  if (step.number) queue_steps().push_back(step);
}

void wait_in_queue(VkQueue queue, VkSemaphore semaphore, uint64_t value) {
  const VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
  if (WEFT_TEST_REAL(vkWaitSemaphores)(traced_state().devices.at(queue), &info, 60'000'000'000) != VK_SUCCESS) {
    throw Error(ErrorCode::timeout, "a traced queue waited for a semaphore that nobody signalled");
  }
  completed(id(semaphore), value);
}

void run(VkCommandBuffer commands) {
  for (const auto& command : traced_state().recorded[commands].run) command();
}

void signalled(uint64_t object, uint64_t value) {
  traced_state().signals.push_back({object, value, traced_state().number});
}

VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
  const std::lock_guard lock(traced_state().mutex);
  for (const VkSubmitInfo& info : std::span(infos, count)) {
    // Weft and the tests use timeline semaphores alone.
    const auto* values = static_cast<const VkTimelineSemaphoreSubmitInfo*>(info.pNext);
    for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
      wait_in_queue(queue, info.pWaitSemaphores[i], values->pWaitSemaphoreValues[i]);
    }
    for (uint32_t i = 0; i < info.commandBufferCount; ++i) run(info.pCommandBuffers[i]);
    for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
      signalled(id(info.pSignalSemaphores[i]), values->pSignalSemaphoreValues[i]);
    }
  }
  if (fence) signalled(id(fence), 1);
  return WEFT_TEST_REAL(vkQueueSubmit)(queue, count, infos, fence);
}

VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
  const std::lock_guard lock(traced_state().mutex);
  for (const VkSubmitInfo2& info : std::span(infos, count)) {
    for (const auto& wait : std::span(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount)) {
      wait_in_queue(queue, wait.semaphore, wait.value);
    }
    for (const auto& commands : std::span(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      run(commands.commandBuffer);
    }
    for (const auto& signal : std::span(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount)) {
      signalled(id(signal.semaphore), signal.value);
    }
  }
  if (fence) signalled(id(fence), 1);
  return WEFT_TEST_REAL(vkQueueSubmit2)(queue, count, infos, fence);
}

VkResult VKAPI_CALL wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  const VkResult result = WEFT_TEST_REAL(vkWaitSemaphores)(device, info, timeout);
  for (uint32_t i = 0; result == VK_SUCCESS && i < info->semaphoreCount; ++i) {
    completed(id(info->pSemaphores[i]), info->pValues[i]);
  }
  return result;
}

VkResult VKAPI_CALL semaphore_value(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  const VkResult result = WEFT_TEST_REAL(vkGetSemaphoreCounterValue)(device, semaphore, value);
  if (result == VK_SUCCESS) completed(id(semaphore), *value);
  return result;
}

VkResult VKAPI_CALL wait_fences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                uint64_t timeout) {
  const VkResult result = WEFT_TEST_REAL(vkWaitForFences)(device, count, fences, all, timeout);
  for (uint32_t i = 0; result == VK_SUCCESS && i < count; ++i) completed(id(fences[i]), 1);
  return result;
}

const TracedHooks& command_hooks() {
  static const TracedHooks hooks{WEFT_TEST_HOOK(vkBeginCommandBuffer, begin),
                                 WEFT_TEST_HOOK(vkCmdBindDescriptorSets, bind_sets),
                                 WEFT_TEST_HOOK(vkCmdBindPipeline, bind_pipeline),
                                 WEFT_TEST_HOOK(vkCmdCopyBuffer, copy),
                                 WEFT_TEST_HOOK(vkCmdDispatch, dispatch),
                                 WEFT_TEST_HOOK(vkCmdDispatchIndirect, dispatch_indirect),
                                 WEFT_TEST_HOOK(vkCmdInsertDebugUtilsLabelEXT, label),
                                 WEFT_TEST_HOOK(vkCmdPipelineBarrier, barrier),
                                 WEFT_TEST_HOOK(vkCmdPipelineBarrier2, barrier2),
                                 WEFT_TEST_HOOK(vkCmdPushConstants, push_constants),
                                 WEFT_TEST_HOOK(vkGetDeviceQueue, get_queue),
                                 WEFT_TEST_HOOK(vkGetSemaphoreCounterValue, semaphore_value),
                                 WEFT_TEST_HOOK(vkQueueSubmit, submit),
                                 WEFT_TEST_HOOK(vkQueueSubmit2, submit2),
                                 WEFT_TEST_HOOK(vkWaitForFences, wait_fences),
                                 WEFT_TEST_HOOK(vkWaitSemaphores, wait_semaphores)};
  return hooks;
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL traced_get_proc_addr(VkInstance instance, const char* name) {
  if (instance) traced_state().instance = instance;
  for (const TracedHooks* hooks : {&traced_object_hooks(), &command_hooks()}) {
    if (const auto hook = hooks->find(name); hook != hooks->end()) return hook->second;
  }
  return loader_get_proc_addr()(instance, name);
}

Device open_traced_device(bool minimum) {
  static Host* hosts[2];
  Host*& host = hosts[minimum];
  if (!host) host = new Host({.minimum = minimum, .loader = traced_get_proc_addr});
  return vulkan::wrap_device(host->description());
}

}  // namespace weft::test
