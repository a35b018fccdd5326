// A peer library for the tests of `weft bench --peer`. It scans u32 in three forms and reduces them in one, on the CPU.
// FAKE_PEER_INTERFACE sets another version of the interface. In the environment, FAKE_PEER=wrong makes its results
// wrong, FAKE_PEER=broken its runs fail, and FAKE_PEER=idle its last form write nothing.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "bench/peer/interface.h"

#ifndef FAKE_PEER_INTERFACE
#define FAKE_PEER_INTERFACE weft_peer_interface_version
#endif

namespace {

const char* message = "";

bool asked_to_be(const char* what) {
  const char* asked = std::getenv("FAKE_PEER");
  return asked && asked == std::string(what);
}

}  // namespace

struct weft_peer_case {
  struct Form {
    const char* name;
    double seconds;
  };
  struct Batch {
    uint32_t form, runs;
  };
  std::string row;
  std::vector<Form> forms;
  std::vector<uint32_t> input, output;
  std::deque<Batch> batches;
};

extern "C" {

uint32_t weft_peer_interface() { return FAKE_PEER_INTERFACE; }
const char* weft_peer_name() { return "fake 1.0"; }
const char* weft_peer_message() { return message; }

weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  const std::string row = problem->row;
  if ((row != "scan" && row != "reduce") || problem->inputs[0].type != std::string("u32")) {
    message = "it has only scan and reduce of u32";
    return weft_peer_unsupported;
  }
  const uint64_t words = problem->inputs[0].bytes / 4;
  if (problem->input_count != 1 || problem->output_count != 1 || words != problem->count || !*problem->device) {
    message = "the problem does not match the interface";
    return weft_peer_failed;
  }
  *prepared = new weft_peer_case{row, {{"slow", 0.75}, {"quick", 0.5}, {"slower", 1}}, {}, {}, {}};
  if (row == "reduce") (*prepared)->forms = {{"", 0.5}};
  (*prepared)->input.resize(words);
  std::memcpy((*prepared)->input.data(), problem->inputs[0].data, problem->inputs[0].bytes);
  (*prepared)->output.resize(problem->outputs[0].bytes / 4);
  return weft_peer_done;
}

uint32_t weft_peer_forms(const weft_peer_case* prepared) { return uint32_t(prepared->forms.size()); }
const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form) { return prepared->forms[form].name; }

weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  std::ranges::fill(prepared->output, 0xa5a5a5a5u);
  return weft_peer_done;
}

weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs) {
  prepared->batches.push_back({form, runs});
  return weft_peer_done;
}

weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  if (asked_to_be("broken")) {
    message = "asked to be broken";
    return weft_peer_failed;
  }
  const weft_peer_case::Batch batch = prepared->batches.front();
  prepared->batches.pop_front();
  for (uint32_t i = 0; i < batch.runs; ++i) seconds[i] = prepared->forms[batch.form].seconds;
  if (asked_to_be("idle") && batch.form + 1 == prepared->forms.size()) return weft_peer_done;
  const auto& in = prepared->input;
  auto& out = prepared->output;
  if (prepared->row == "scan") {
    std::exclusive_scan(in.begin(), in.end(), out.begin(), 0u);
  } else {
    out[0] = std::accumulate(in.begin(), in.end(), 0u);
  }
  if (asked_to_be("wrong")) out.back() += 1;
  return weft_peer_done;
}

weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t, uint32_t, void* data) {
  std::memcpy(data, prepared->output.data(), prepared->output.size() * 4);
  return weft_peer_done;
}

void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
