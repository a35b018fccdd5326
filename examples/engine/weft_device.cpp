#include "weft_device.h"
#ifdef ENGINE_HAS_PACK
#include "engine_plans.h"
#endif

weft::Device wrap(const Gpu& gpu, Memory& memory) {
  weft::vulkan::HostDevice host;
  host.instance = gpu.instance;
  host.physical_device = gpu.physical;
  host.device = gpu.device;
  host.get_proc_addr = reinterpret_cast<weft::vulkan::GetProcAddr>(vkGetInstanceProcAddr);
  host.instance_version = Gpu::version;
  host.enabled_features = &gpu.enabled_features();
  // Optional; without it, Weft calls vkAllocateMemory. No queue is given, because the engine submits everything itself.
  host.buffer_allocator.allocate = [&memory](uint64_t bytes, bool visible) { return memory.allocate(bytes, visible); };
  host.buffer_allocator.release = [&memory](const Memory::Part& part) { memory.release(part); };
  auto options = weft::DeviceOptions::from_environment();
#ifdef ENGINE_HAS_PACK
  options.packs.push_back(engine_plans());
#endif
  return weft::vulkan::wrap_device(host, options);
}
