// Implements the peer interface for libraries of the CPU, which give their rows. Runs are timed by the host's clock.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>

#include "bench/peer/cpp/rows.h"
#include "bench/peer/status.h"

namespace weft::peer {
namespace {

Row row_for(const weft_peer_problem& problem) {
  if (Row row = find_row(problem); !row.empty()) return row;
  std::string types;
  for (uint32_t i = 0; i < problem.input_count; ++i) types += std::string(i ? " and " : "") + problem.inputs[i].type;
  throw Unsupported(std::string("no ") + problem.row + " of " + types);
}

// An array for each set.
struct Sets {
  uint64_t bytes;
  std::vector<std::vector<std::byte>> arrays;

  Sets(const weft_peer_array& array, uint32_t sets) : bytes(array.bytes), arrays(sets) {
    for (auto& copy : arrays) {
      copy.resize(bytes);
      if (array.data) std::memcpy(copy.data(), array.data, bytes);
    }
  }
};

}  // namespace
}  // namespace weft::peer

using namespace weft::peer;

struct weft_peer_case {
  explicit weft_peer_case(const weft_peer_problem& problem) : forms(row_for(problem)), sets(problem.sets) {
    for (uint32_t i = 0; i < problem.input_count; ++i) inputs.emplace_back(problem.inputs[i], sets);
    for (uint32_t i = 0; i < problem.output_count; ++i) outputs.emplace_back(problem.outputs[i], sets);
  }

  void run(uint32_t form, uint32_t runs) {
    std::vector<double>& times = seconds.emplace_back();
    for (uint32_t i = 0; i < runs; ++i, next = (next + 1) % sets) {
      const Arrays set = arrays(next);
      const auto start = std::chrono::steady_clock::now();
      forms[form].run(set);
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }

  Arrays arrays(uint32_t set) {
    Arrays all;
    for (Sets& input : inputs) all.inputs.push_back(input.arrays[set].data());
    for (Sets& output : outputs) all.outputs.push_back(output.arrays[set].data());
    return all;
  }

  Row forms;
  uint32_t sets, next = 0;
  std::vector<Sets> inputs, outputs;
  std::deque<std::vector<double>> seconds;
};

extern "C" {

uint32_t weft_peer_interface(void) { return weft_peer_interface_version; }
const char* weft_peer_name(void) {
  static const std::string name = library_name();
  return name.c_str();
}
const char* weft_peer_message(void) { return message.c_str(); }

weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  return status_of([&] { *prepared = new weft_peer_case(*problem); });
}
uint32_t weft_peer_forms(const weft_peer_case* prepared) { return uint32_t(prepared->forms.size()); }
const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form) { return prepared->forms[form].name; }

weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  for (Sets& output : prepared->outputs) {
    for (auto& array : output.arrays) std::ranges::fill(array, std::byte(0xa5));
  }
  prepared->next = 0;
  return weft_peer_done;
}
weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs) {
  return status_of([&] { prepared->run(form, runs); });
}
weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  std::ranges::copy(prepared->seconds.front(), seconds);
  prepared->seconds.pop_front();
  return weft_peer_done;
}
weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t set, void* data) {
  const Sets& sets = prepared->outputs[output];
  std::memcpy(data, sets.arrays[set].data(), sets.bytes);
  return weft_peer_done;
}
void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
