#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/reductions.h>
#include <weft/stream.h>
#include <weft/tuning.h>

#include "bench/random_data.h"
#include "support/scalar_type.h"

namespace weft::bench {

/// How the cases of hash tables fill and search them.
struct TableUse {
  double load = 0.5;          ///< Number of different keys / capacity.
  double matching = 1;        ///< The part of the queries that are keys of the table.
  uint32_t multiplicity = 1;  ///< How often each key is inserted.
};

/// The input that a case is prepared for.
struct Problem {
  Device device;
  support::ScalarType type = support::ScalarType::u32;
  uint64_t count = 0;
  RandomSource seed;
  uint32_t sets = 1;  ///< Copies of the arrays to rotate among, so that caches do not hold the next run's input.
  std::optional<Tuning> tuning{};  ///< Of the case's plans, in place of the device's.
  TableUse table{};
  std::span<const Box<3>> mesh{};  ///< Boxes of a mesh (boxes_of_mesh()), `count` of them; empty: random boxes.
};

/// Describes the same work to a peer library (bench/peer/interface.h), with the arrays of set 0.
struct PeerWork {
  struct Array {
    std::string type;  ///< Element type, e.g. "u32".
    Region region;
  };
  std::string row;
  std::vector<Array> inputs, outputs;
  uint64_t bins = 0;
  double limit = 0, lower = 0, upper = 0;
};

/// One primitive at one size and type, with its data on the device.
class Case {
 public:
  virtual ~Case() = default;

  /// Least number of bytes that a run must read and write: each element crosses the memory bus once in each direction
  /// needed.
  virtual uint64_t bytes_moved() const = 0;
  /// The method, if the benchmark's variant does not say it, e.g. "look-back".
  virtual std::string variant() const { return {}; }
  /// Records one run on the given set, including clears: the work that is timed.
  virtual void record(Recorder& recorder, uint32_t set) const = 0;
  /// Overwrites the outputs of all sets, so that verify() cannot see an older run's.
  virtual void poison(Stream& stream) const = 0;
  /// The same work for a peer; nothing if peers have no such row.
  virtual std::optional<PeerWork> peer_work() const { return std::nullopt; }
  /// Says what is wrong with a set's output after a run, or returns nothing. May take long.
  virtual std::optional<std::string> verify(Stream& stream, uint32_t set) const = 0;
};

/// What a benchmark takes beside elements of 32 and 64 bits.
enum class Takes : uint8_t {
  nothing,
  samples,    ///< Elements of 8 and 16 bits.
  table_use,  ///< TableUse.
  mesh,       ///< A mesh.
};

/// A row of the table of benchmarks. Each file of cases/ exports some: cases/scan.cpp defines benchmarks_of_scan().
struct Benchmark {
  const char* family;   ///< "scan" runs the members of the family that run by default, or all if none does;
  const char* variant;  ///< "scan:look-back" runs this one. Empty for a family's only or plain member.
  bool by_default;
  const char* summary;
  uint64_t (*set_bytes)(uint32_t element_bytes, uint64_t count);  ///< Device memory for one set.
  std::unique_ptr<Case> (*prepare)(const Problem& problem);

  Takes takes = Takes::nothing;

  std::string name() const { return *variant ? std::string(family) + ":" + variant : family; }
};

/// Prepares a case of class C, whose constructor takes the problem and `arguments`: Benchmark::prepare.
template <class C, auto... arguments>
std::unique_ptr<Case> prepare(const Problem& problem) {
  return std::make_unique<C>(problem, arguments...);
}

/// All benchmarks, in the order of lists.
std::span<const Benchmark> benchmarks();

/// Returns the benchmarks of that name. If there is none, throws invalid_argument with the nearest name, or all names.
std::vector<const Benchmark*> find_benchmarks(const std::string& name);

}  // namespace weft::bench
