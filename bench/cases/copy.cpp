#include <algorithm>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

class Copy : public Case {
 public:
  explicit Copy(const Problem& problem)
      : problem_(problem),
        bytes_(problem.count * support::bytes(problem.type)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, bytes_, problem.sets) {}

  uint64_t bytes_moved() const override { return 2 * bytes_; }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "copy", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return check_in_chunks<T>(stream, outputs_[set],
                                [&](uint64_t first, std::span<const T> got) -> std::optional<std::string> {
                                  for (size_t i = 0; i < got.size(); ++i) {
                                    if (got[i] != random_element<T>(problem_.seed, first + i))
                                      return "element " + std::to_string(first + i) + " was not copied";
                                  }
                                  return std::nullopt;
                                });
    });
  }

 protected:
  Problem problem_;
  uint64_t bytes_;
  Sets inputs_, outputs_;
};

class KernelCopy : public Copy {
 public:
  explicit KernelCopy(const Problem& problem) : Copy(problem), kernel_(problem.device.kernel(kernels::copy())) {
    if (bytes_ % 16 != 0 || bytes_ >= uint64_t(1) << 35) {
      throw Error(ErrorCode::unsupported, "the copy kernel takes a multiple of 16 bytes below 32 GiB");
    }
  }
  void record(Recorder& recorder, uint32_t set) const override {
    struct Block {
      uint64_t source, destination;
      uint32_t count;
      uint32_t unused = 0;
    };
    constexpr uint64_t tile = 256 * 8, row = 32768;
    const uint64_t vectors = bytes_ / 16;
    const uint64_t groups = (vectors + tile - 1) / tile;
    const Groups grid{uint32_t(std::min(groups, row)), uint32_t((groups + row - 1) / row)};
    const Block block{inputs_[set].address(), outputs_[set].address(), uint32_t(vectors)};
    Arguments arguments;
    arguments.push(std::as_bytes(std::span(&block, 1)).first(kernel_.reflection().push_constant_bytes));
    recorder.dispatch(kernel_, grid, arguments);
  }

 private:
  Kernel kernel_;
};

class BufferCopy : public Copy {
 public:
  using Copy::Copy;
  void record(Recorder& recorder, uint32_t set) const override { recorder.copy_region(inputs_[set], outputs_[set]); }
};

}  // namespace

std::span<const Benchmark> benchmarks_of_copy() {
  static constexpr Benchmark rows[] = {
      {"copy", "kernel", true, "a kernel that copies uvec4", input_and_output, prepare<KernelCopy>},
      {"copy", "buffer", true, "a buffer copy by the backend", input_and_output, prepare<BufferCopy>},
  };
  return rows;
}

}  // namespace weft::bench
