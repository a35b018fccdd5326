#include <vulkan/vulkan_core.h>

#include <string>
#include <vector>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hazards.h"

using namespace weft::test;

/// The rules of find_hazards(), on queues of two or three commands. Stages and accesses are plain bits to it, but for
/// the order of those of an indirect dispatch.

namespace {

constexpr uint64_t kernels = 1, copies = 2;                              // stages
constexpr uint64_t kernel_reads = 1, kernel_writes = 2, copy_reads = 4;  // accesses

QueueStep command(uint64_t number, std::vector<CommandAccess> accesses) {
  QueueStep step;
  step.name = "command";
  step.number = number;
  step.accesses = std::move(accesses);
  return step;
}
QueueStep writes(uint64_t number, uint64_t begin, uint64_t end) {
  return command(number, {{kernels, kernel_writes, true, {{begin, end}}}});
}
QueueStep reads(uint64_t number, uint64_t begin, uint64_t end) {
  return command(number, {{kernels, kernel_reads, false, {{begin, end}}}});
}
QueueStep copies_from(uint64_t number, uint64_t begin, uint64_t end) {
  return command(number, {{copies, copy_reads, false, {{begin, end}}}});
}
QueueStep barrier(uint64_t source, uint64_t source_accesses, uint64_t destination, uint64_t destination_accesses) {
  QueueStep step;
  step.kind = QueueStep::barrier;
  step.source_stages = source;
  step.source_accesses = source_accesses;
  step.destination_stages = destination;
  step.destination_accesses = destination_accesses;
  return step;
}
QueueStep completion(uint64_t number) {
  QueueStep step;
  step.kind = QueueStep::completion;
  step.number = number;
  return step;
}

const QueueStep full = barrier(kernels, kernel_writes, kernels, kernel_reads | kernel_writes);
const QueueStep waits_only = barrier(kernels, 0, kernels, 0);

size_t hazards(const std::vector<QueueStep>& steps) { return find_hazards(steps).size(); }

}  // namespace

TEST_CASE("harness: a hazard is an access without a barrier after one that conflicts with it") {
  CHECK_EQ(hazards({writes(1, 0, 8), reads(2, 4, 12)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), writes(2, 7, 12)}), 1);
  CHECK_EQ(hazards({reads(1, 0, 8), writes(2, 4, 5)}), 1);
  CHECK_EQ(hazards({reads(1, 0, 8), reads(2, 0, 8)}), 0);
  CHECK_EQ(hazards({writes(1, 0, 8), reads(2, 8, 12), writes(3, 12, 16)}), 0);
  CHECK_EQ(hazards({command(1, {{kernels, kernel_writes, true, {{0, 4}, {8, 12}}}}),
                    command(2, {{kernels, kernel_reads, false, {{4, 8}, {12, 16}}}})}),
           0);
  CHECK_EQ(hazards({full, writes(1, 0, 8), reads(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), full, reads(2, 0, 8), full, writes(3, 0, 8)}), 0);
}

TEST_CASE("harness: a barrier must wait for a read, and also name a write and what sees it") {
  CHECK_EQ(hazards({reads(1, 0, 8), waits_only, writes(2, 0, 8)}), 0);
  CHECK_EQ(hazards({writes(1, 0, 8), waits_only, reads(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(kernels, 0, kernels, kernel_reads), reads(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(kernels, kernel_writes, kernels, kernel_reads), writes(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(copies, kernel_writes, kernels, kernel_reads), reads(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), full, copies_from(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(kernels, kernel_writes, copies, copy_reads), copies_from(2, 0, 8)}), 0);
}

TEST_CASE("harness: barriers chain from stage to stage") {
  const QueueStep to_copies = barrier(kernels, kernel_writes, copies, copy_reads);
  CHECK_EQ(hazards({writes(1, 0, 8), to_copies, barrier(copies, 0, kernels, kernel_reads), reads(2, 0, 8)}), 0);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(copies, 0, kernels, kernel_reads), to_copies, reads(2, 0, 8)}), 1);
  CHECK_EQ(hazards({writes(1, 0, 8), barrier(kernels, 0, copies, 0),
                    barrier(copies, kernel_writes, kernels, kernel_reads), reads(2, 0, 8)}),
           1);
  CHECK_EQ(hazards({reads(1, 0, 8), to_copies, barrier(copies, 0, kernels, 0), writes(2, 0, 8)}), 0);
}

TEST_CASE("harness: who waits for a kernel also waits until its counts are read, and not the other way round") {
  constexpr uint64_t counts = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  const auto in = [](uint64_t number, uint64_t stage, bool writes) {
    return command(number, {{stage, 1, writes, {{0, 8}}}});
  };
  CHECK_EQ(hazards({in(1, counts, false), barrier(compute, 0, compute, 0), in(2, compute, true)}), 0);
  CHECK_EQ(hazards({in(1, compute, false), barrier(counts, 0, compute, 0), in(2, compute, true)}), 1);
  CHECK_EQ(hazards({in(1, counts, false), barrier(copies << 20, 0, compute, 0), in(2, compute, true)}), 1);
}

TEST_CASE("harness: a wait for commands orders them, and no later ones") {
  CHECK_EQ(hazards({writes(1, 0, 8), completion(1), reads(2, 0, 8)}), 0);
  CHECK_EQ(hazards({writes(1, 0, 8), writes(2, 8, 16), completion(1), reads(3, 0, 16)}), 1);
}

TEST_CASE("harness: a trace has the bytes that were read and those that were written") {
  AccessTrace trace;
  trace.add(4090, 10, true, false);
  trace.add(4098, 4, true, true);
  trace.add(100, 1, false, true);
  REQUIRE_EQ(trace.read().size(), 1);
  CHECK_EQ(trace.read()[0].begin, 4090);
  CHECK_EQ(trace.read()[0].end, 4102);
  REQUIRE_EQ(trace.written().size(), 2);
  CHECK_EQ(trace.written()[1].begin, 4098);
  CHECK_EQ(trace.written()[1].end, 4102);
}
