#include "bench/run.h"

#include <algorithm>
#include <stdexcept>

#include "support/text.h"

namespace weft::bench {
namespace {

bool is_cpu(const Device& device) { return device.info().kind == DeviceKind::cpu; }

// Several times the last-level cache of any device of that kind.
uint64_t rotation_bytes(const Device& device) { return is_cpu(device) ? uint64_t(64) << 20 : uint64_t(256) << 20; }

// Why the device cannot hold the case; empty if it can.
std::string too_large(const Device& device, uint64_t set_bytes, uint64_t array_bytes) {
  const auto& limits = device.info().limits;
  if (set_bytes > limits.memory_bytes / 10 * 9) {
    return "needs " + support::format_bytes(set_bytes) + "; the device has " +
           support::format_bytes(limits.memory_bytes);
  }
  if (array_bytes > limits.max_buffer_bytes) {
    return "needs a buffer of " + support::format_bytes(array_bytes) + "; the device allows " +
           support::format_bytes(limits.max_buffer_bytes);
  }
  return {};
}

// Returns the peer's runs in each form, verified. If there are none, `skipped` says why.
std::vector<std::unique_ptr<PeerRuns>> prepare_peer(const RunOptions& options, const Device& device,
                                                    const Case& prepared, uint64_t count, uint32_t sets,
                                                    std::string& skipped) {
  if (!options.peer) return {};
  try {
    auto forms = options.peer->prepare(device, prepared, count, sets);
    for (const auto& runs : forms) runs->verify();
    return forms;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    skipped = error.what();
    return {};
  }
}

// Times ours and all of the peer's forms in turns. The fastest form counts as the peer.
void time(Runs& ours, const std::vector<std::unique_ptr<PeerRuns>>& peers, const MeasureOptions& options,
          Result& result) {
  std::vector<Runs*> all{&ours};
  for (const auto& peer : peers) all.push_back(peer.get());
  const std::vector<Timing> timings = measure(all, options);
  result.timing = timings[0];
  if (peers.empty()) return;
  const auto best = std::ranges::min_element(timings.begin() + 1, timings.end(), {}, &Timing::median);
  result.peer_timing = *best;
  result.peer_form = peers[size_t(best - timings.begin()) - 1]->form();
}

}  // namespace

uint32_t choose_sets(const Device& device, uint64_t set_bytes) {
  const auto& limits = device.info().limits;
  const uint64_t most = std::max<uint64_t>(
      1, std::min(limits.max_buffer_bytes, limits.memory_bytes / 2) / std::max<uint64_t>(set_bytes, 1));
  return uint32_t(std::clamp<uint64_t>(rotation_bytes(device) / std::max<uint64_t>(set_bytes, 1), 1,
                                       std::min<uint64_t>(most, 1024)));
}

std::optional<std::string> what_is_wrong(const Device& device, const Case& prepared, uint32_t sets) {
  Stream stream = device.stream();
  prepared.poison(stream);
  for (uint32_t set = 0; set < sets; ++set) prepared.record(stream, set);
  stream.synchronize();
  for (const uint32_t set : {0u, sets - 1}) {
    if (auto wrong = prepared.verify(stream, set)) return wrong;
    if (sets == 1) break;
  }
  return std::nullopt;
}

void verify(const Device& device, const Case& prepared, uint32_t sets, const std::string& what) {
  if (const auto wrong = what_is_wrong(device, prepared, sets)) {
    throw std::runtime_error("verification failed: " + what + " on " + device.info().selector + ": " + *wrong);
  }
}

Result run(const Benchmark& benchmark, const Device& device, support::ScalarType type, uint64_t count,
           const RunOptions& options) {
  Result result;
  result.primitive = benchmark.family;
  result.variant = benchmark.variant;
  result.device = device.info().selector;
  result.type = support::to_string(type);
  result.elements = count;
  if (!support::is_element_type(type) && benchmark.takes != Takes::samples) {
    result.skipped = no_samples;
    return result;
  }
  const uint64_t set_bytes = benchmark.set_bytes(support::bytes(type), count);
  result.skipped = too_large(device, set_bytes, count * support::bytes(type));
  if (!result.skipped.empty()) return result;
  try {
    const uint32_t sets = choose_sets(device, set_bytes);
    const auto prepared = benchmark.prepare({.device = device,
                                             .type = type,
                                             .count = count,
                                             .seed = {options.seed, options.distribution, count},
                                             .sets = sets,
                                             .table = options.table,
                                             .mesh = options.mesh});
    if (const std::string method = prepared->variant(); !method.empty()) result.variant = method;
    verify(device, *prepared, sets, benchmark.name() + " of " + support::format_size(count) + " " + result.type);
    const auto peers = prepare_peer(options, device, *prepared, count, sets, result.peer_skipped);
    time(*runs_of(device, *prepared, sets), peers, options.measure, result);
    result.bytes_moved = prepared->bytes_moved();
    result.sets = sets;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported && error.code() != ErrorCode::out_of_memory) throw;
    result.skipped = error.what();
  }
  return result;
}

CopyRates measure_copy(const Device& device, const RunOptions& options) {
  const auto& limits = device.info().limits;
  const uint64_t wanted = uint64_t(is_cpu(device) ? 64 : 1024) << 20;
  RunOptions alone = options;
  alone.peer = nullptr;
  CopyRates rates;
  rates.bytes = std::min({wanted, limits.max_buffer_bytes, limits.memory_bytes / 4}) / 4096 * 4096;
  for (const Benchmark* benchmark : find_benchmarks("copy")) {
    const Result result = run(*benchmark, device, support::ScalarType::u32, rates.bytes / 4, alone);
    if (!result.skipped.empty()) continue;
    const double rate = result.bytes_per_second();
    (result.variant == "kernel" ? rates.kernel : rates.buffer) = rate;
  }
  return rates;
}

}  // namespace weft::bench
