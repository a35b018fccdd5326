#include <weft/grid_barrier.h>

#include <array>

#include <weft/translate.h>

#include "tests/algorithms/persistent/staying.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;

/// weft/device/grid_barrier.glsl: each phase reads what all workgroups wrote in the phase before.

namespace {

// A phase replaces each word by one of words of all workgroups, in place: all read, then all write. So a workgroup that
// passes a barrier early reads too old a word, or overwrites one that another has yet to read. The words read are
// behind and before the one written, and in each of the other workgroups.
const std::string phases_source = R"(
  layout(push_constant, scalar) uniform Push {
    WeftGridBarrier first, second;
    WeftGridDiscovery discovery;
    Words words, found;
    uint launched, phases;
  } args;

  void main() {
    uint group = gl_WorkGroupID.x, groups = args.launched;
  #ifdef DISCOVER
    if (gl_LocalInvocationIndex == 0u) atomicAdd(args.found.at[1], 1u);
    if (!weft_grid_discover(args.discovery, group, groups)) return;
    if (gl_LocalInvocationIndex == 0u && group == 0u) args.found.at[0] = groups;
    if (gl_LocalInvocationIndex == 0u) atomicAdd(args.found.at[2u + group], 1u);
  #endif
    uint lanes = gl_WorkGroupSize.x, lane = gl_LocalInvocationIndex;
    uint count = groups * lanes, i = group * lanes + lane;
    for (uint phase = 0u; phase < args.phases; ++phase) {
      uint x = args.words.at[(i + lanes * (1u + lane)) % count];
      uint y = args.words.at[(i + count - 1u) % count];
      uint z = args.words.at[count - 1u - i];
      weft_grid_barrier(args.first, groups);
      args.words.at[i] = x * 1664525u + (y ^ z) + phase;
      if ((phase & 2u) != 0u) {
        weft_grid_barrier(args.second, groups);
      } else {
        weft_grid_barrier(args.second, group, groups);
      }
    }
  })";

std::string barrier_source() {
  return staying_head +
         std::string(
             "#include \"weft/device/grid_barrier.glsl\"\n"
             "#include \"weft/device/grid_discover.glsl\"\n") +
         phases_source;
}

struct BarrierBlock {
  uint64_t first, second, discovery, words, found;
  uint32_t launched, phases;
};

std::vector<uint32_t> serial(std::vector<uint32_t> words, uint32_t lanes, uint32_t phases) {
  const auto count = uint32_t(words.size());
  std::vector<uint32_t> next(count);
  for (uint32_t phase = 0; phase < phases; ++phase) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t x = words[(i + uint64_t(lanes) * (1 + i % lanes)) % count], y = words[(i + count - 1) % count];
      next[i] = x * 1664525u + (y ^ words[count - 1 - i]) + phase;
    }
    words.swap(next);
  }
  return words;
}

/// Two barriers, whose memory starts as random bytes, and the words of up to `groups` workgroups.
class Meeting {
 public:
  Meeting(const Device& device, Stream& stream, uint32_t lanes, uint32_t groups, std::mt19937_64& generator)
      : stream_(stream),
        lanes_(lanes),
        groups_(groups),
        start_(random_values<uint32_t>(size_t(lanes) * groups, generator)),
        words_(device, stream, start_, generator),
        found_(device, stream, std::vector<uint32_t>(2 + groups), generator),
        barriers_{GuardedBytes(device, stream, GridBarrier::bytes(), 4, generator),
                  GuardedBytes(device, stream, GridBarrier::bytes(), 8, generator)},
        discovery_(device, stream, GridDiscovery::bytes(), 12, generator) {
    const GridBarrier barrier(device);
    for (const GuardedBytes& memory : barriers_) barrier.record_clear(stream, memory.region());
  }

  void run(const Kernel& kernel, uint32_t phases) {
    GridDiscovery(stream_.device()).record_clear(stream_, discovery_.region());
    stream_.dispatch(
        kernel, {groups_, 1, 1},
        BarrierBlock{barriers_[0].region().address(), barriers_[1].region().address(), discovery_.region().address(),
                     Region(words_).address(), Region(found_).address(), groups_, phases});
  }

  /// Compares the words of the first `taking_part` workgroups after `runs` of so many phases each.
  void check(uint32_t taking_part, uint32_t phases, uint32_t runs = 1) {
    const auto end = start_.begin() + std::ptrdiff_t(size_t(lanes_) * taking_part);
    std::vector<uint32_t> expected(start_.begin(), end);
    for (uint32_t run = 0; run < runs; ++run) expected = serial(std::move(expected), lanes_, phases);
    expected.insert(expected.end(), end, start_.end());
    check_same(words_.read(stream_), expected,
               std::to_string(taking_part) + " workgroups of " + std::to_string(lanes_) +
                   ", phases: " + std::to_string(phases));
    for (const GuardedBytes& barrier : barriers_) barrier.check_guards(stream_);
  }

  std::vector<uint32_t> found() { return found_.read(stream_); }

 private:
  Stream& stream_;
  uint32_t lanes_, groups_;
  std::vector<uint32_t> start_;
  Guarded<uint32_t> words_, found_;
  std::array<GuardedBytes, 2> barriers_;
  GuardedBytes discovery_;
};

void check_found(const std::vector<uint32_t>& found, uint32_t launched) {
  const uint32_t groups = found[0];
  CHECK_EQ(found[1], launched);  // All of them started, and all of them ended.
  REQUIRE_GE(groups, 1);
  REQUIRE_LE(groups, launched);
  std::vector<uint32_t> once(launched);
  std::fill_n(once.begin(), groups, 1u);
  check_same(std::vector<uint32_t>(found.begin() + 2, found.end()), once, "workgroups of each index");
}

}  // namespace

DEVICE_TEST("a thousand grid barriers in one dispatch, of one workgroup and of all that are resident") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("grid barrier");
  for (const uint32_t lanes : {1u, 37u, 64u}) {
    const Kernel kernel = compile(device, barrier_source(), lanes);
    const uint32_t resident = kernel.resident_workgroups();
    for (const uint32_t groups : resident > 1 ? std::vector<uint32_t>{1, resident} : std::vector<uint32_t>{1}) {
      GridBarrier(device).require_resident(kernel, groups);
      Meeting meeting(device, stream, lanes, groups, generator);
      meeting.run(kernel, lanes == 37 ? 500 : 20);
      meeting.check(groups, lanes == 37 ? 500 : 20);
    }
  }
}

DEVICE_TEST("a barrier that was passed is ready for the next dispatch") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("used grid barrier");
  const Kernel kernel = compile(device, barrier_source(), 37);
  const uint32_t groups = std::max(1u, kernel.resident_workgroups());
  Meeting meeting(device, stream, 37, groups, generator);
  for (int run = 0; run < 5; ++run) meeting.run(kernel, 3);
  meeting.check(groups, 3, 5);
}

DEVICE_TEST("workgroups that find one another pass grid barriers") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("discovery");
  // A CPU driver of Vulkan takes long to start a second workgroup, and its threads spin while others have the cores.
  const bool is_cpu_driver = device.info().backend == "vulkan" && computes_on_cpu(device);
  const char* const patient = is_cpu_driver ? "2000000u" : "20000u";
  const uint32_t phases = is_cpu_driver ? 50 : 500;
  for (const char* patience : {"0u", patient}) {
    const Kernel kernel =
        compile(device, barrier_source(), 37, {{"DISCOVER", "1"}, {"WEFT_DISCOVER_PATIENCE", patience}});
    for (const uint32_t launched : {1u, 3u, groups_to_start(kernel) + 5}) {
      INFO("workgroups launched: ", launched, ", patience: ", std::string(patience));
      Meeting meeting(device, stream, 37, launched, generator);
      meeting.run(kernel, phases);
      const std::vector<uint32_t> found = meeting.found();
      check_found(found, launched);
      meeting.check(found[0], phases);
    }
  }
}

DEVICE_TEST("patient discovery finds every workgroup that the device says is resident") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("recall");
  const Kernel kernel =
      compile(device, barrier_source(), 37, {{"DISCOVER", "1"}, {"WEFT_DISCOVER_PATIENCE", "0x40000000u"}});
  const uint32_t resident = kernel.resident_workgroups();
  if (resident == 0) unsupported("the backend does not report the number of resident workgroups");
  Meeting meeting(device, stream, 37, resident, generator);
  meeting.run(kernel, 1);
  const std::vector<uint32_t> found = meeting.found();
  check_found(found, resident);
  CHECK_EQ(found[0], resident);
}

DEVICE_TEST("a grid barrier is refused for more workgroups than are resident") {
  need_waiting(device);
  const Kernel kernel = compile(device, barrier_source(), 37);
  const uint32_t resident = kernel.resident_workgroups();
  const GridBarrier barrier(device);
  barrier.require_resident(kernel, 1);
  if (resident == 0) {
    check_error(ErrorCode::unsupported, {"GridBarrier", "2 workgroups", "'kernel.comp'", "weft_grid_discover"},
                [&] { barrier.require_resident(kernel, 2); });
  } else {
    barrier.require_resident(kernel, resident);
    check_error(ErrorCode::unsupported,
                {"GridBarrier", std::to_string(resident + 1), "runs " + std::to_string(resident) + " at once"},
                [&] { barrier.require_resident(kernel, resident + 1); });
  }
}

// An x86 machine orders loads and stores by itself, so results there do not show too weak an order.
TEST_CASE("workgroups release where they arrive at a grid barrier, and acquire where they have waited") {
  const Spirv module = compile_glsl(barrier_source(), GlslOptions::from_environment());
  for (const auto target : {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip}) {
    INFO("target ", int(target));
    const std::string code = translate_spirv(module, target, KernelOptions().specialize(0, 64u)).code;
    const auto body_of = [&](const std::string& function) {
      const size_t begin = code.find(" " + function + "(weft_self& self");
      REQUIRE_NE(begin, std::string::npos);
      return code.substr(begin, code.find("\n}", begin) - begin);
    };
    CHECK(body_of("grid_arrive").find("weft_atomic_add<uint32_t, weft_device, weft_release>") != std::string::npos);
    const std::string wait = body_of("grid_wait");
    CHECK(wait.find("weft_atomic_load<uint32_t, weft_device, weft_relaxed>") <
          wait.find("weft_memory_barrier<weft_device, weft_acquire>"));
    CHECK(wait.find("weft_memory_barrier<weft_device, weft_acquire>") != std::string::npos);
  }
}

DEVICE_TEST("a grid barrier's memory is checked") {
  need_waiting(device);
  Stream stream = device.stream();
  const Buffer<std::byte> memory = device.buffer<std::byte>(300);
  const auto part = [&](uint64_t offset, uint64_t bytes) { return memory.part(offset, bytes).region(); };
  check_error(ErrorCode::invalid_argument, {"GridBarrier", "127 bytes", "needs 128"},
              [&] { GridBarrier(device).record_clear(stream, part(0, 127)); });
  check_error(ErrorCode::invalid_argument, {"GridDiscovery", "multiple of 4"},
              [&] { GridDiscovery(device).record_clear(stream, part(2, 256)); });
}

TEST_CASE("devices whose workgroups cannot wait for one another are refused with the reason") {
  std::vector<RequestedKernel> kernels;
  DeviceInfo info = gpu(32, 1 << 15);
  info.features.workgroup_forward_progress = false;
  check_error(ErrorCode::unsupported, {"GridBarrier", info.name, "keeps running"},
              [&] { GridBarrier{recording_device(info, kernels)}; });
  check_error(ErrorCode::unsupported, {"GridDiscovery", info.name, "keeps running"},
              [&] { GridDiscovery{recording_device(info, kernels)}; });
}
