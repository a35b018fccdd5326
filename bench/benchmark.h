#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/stream.h>

#include "bench/random_data.h"
#include "tools/support/scalar_type.h"

namespace weft::bench {

/// What a case is prepared for.
struct Problem {
  Device device;
  tools::ScalarType type = tools::ScalarType::u32;
  uint64_t count = 0;
  RandomSource seed;
  uint32_t sets = 1;  ///< Arrays to rotate among, so that the caches do not hold the next run's input.
};

/// What a peer library is asked for to do the same work (bench/peer/interface.h), with the arrays of set 0.
struct PeerWork {
  struct Array {
    std::string type;  ///< Of an element: "u32".
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

  /// Bytes that one run must read and write at least, if each element crosses the memory bus once each way it has to.
  virtual uint64_t bytes_moved() const = 0;
  /// How it is done where there is a choice, e.g. "look-back".
  virtual std::string variant() const { return {}; }
  /// One run on the given set: what is timed, clears included.
  virtual void record(Recorder& recorder, uint32_t set) const = 0;
  /// Spoils the outputs of all sets, so that verify() cannot see an older run's.
  virtual void poison(Stream& stream) const = 0;
  /// The same for a peer; nothing where the rows of peers have no such work.
  virtual std::optional<PeerWork> peer_work() const { return std::nullopt; }
  /// What is wrong with a set's output after a run, or nothing. May take long.
  virtual std::optional<std::string> verify(Stream& stream, uint32_t set) const = 0;
};

/// A line of the table of benchmarks. A new primitive is one file in cases/ and its lines in benchmarks.cpp.
struct Benchmark {
  const char* family;   ///< What the user asks for: "scan" runs all of the family that run by default,
  const char* variant;  ///< "scan:look-back" runs this one. Empty for a family's only or plain member.
  bool by_default;
  const char* summary;
  uint64_t (*set_bytes)(uint32_t element_bytes, uint64_t count);  ///< Device memory for one set.
  std::unique_ptr<Case> (*prepare)(const Problem& problem);

  bool takes_samples = false;  ///< Elements of 8 and 16 bits too.

  std::string name() const { return *variant ? std::string(family) + ":" + variant : family; }
};

std::span<const Benchmark> benchmarks();

/// The benchmarks of that name. Throws invalid_argument with the nearest name, or all, when there are none.
std::vector<const Benchmark*> find_benchmarks(const std::string& name);

}  // namespace weft::bench
