// Hash maps on one thread of the CPU, for `weft bench --peer maps`: std::unordered_map and, if it was found,
// tsl::hopscotch_map (open addressing). Runs are timed by the host's clock.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef WEFT_HAS_HOPSCOTCH_MAP
#include <tsl/hopscotch_map.h>
#endif

#include "bench/peer/interface.h"

namespace {

std::string message;

struct Outputs {
  std::vector<uint32_t> values;
  uint64_t number = 0;
};

/// One kind of map with the data of a problem.
class Work {
 public:
  virtual ~Work() = default;
  virtual void run(Outputs& outputs) = 0;
};

template <typename T>
std::vector<T> copy_of(const weft_peer_array& array) {
  std::vector<T> elements(array.bytes / sizeof(T));
  std::memcpy(elements.data(), array.data, array.bytes);
  return elements;
}

template <typename Map>
Map filled(const std::vector<typename Map::key_type>& keys, const std::vector<uint32_t>& values, size_t room) {
  Map map;
  map.reserve(room);
  for (size_t i = 0; i < keys.size(); ++i) map.emplace(keys[i], values[i]);
  return map;
}

template <typename Map>
class Insert : public Work {
 public:
  explicit Insert(const weft_peer_problem& problem)
      : keys_(copy_of<Key>(problem.inputs[0])), values_(copy_of<uint32_t>(problem.inputs[1])) {
    different_ = filled<Map>(keys_, values_, keys_.size()).size();
  }
  void run(Outputs& outputs) override { outputs.number = filled<Map>(keys_, values_, different_).size(); }

 private:
  using Key = typename Map::key_type;
  std::vector<Key> keys_;
  std::vector<uint32_t> values_;
  size_t different_;
};

template <typename Map>
class Find : public Work {
 public:
  explicit Find(const weft_peer_problem& problem) : queries_(copy_of<Key>(problem.inputs[2])) {
    const auto keys = copy_of<Key>(problem.inputs[0]);
    map_ = filled<Map>(keys, copy_of<uint32_t>(problem.inputs[1]), keys.size());
  }
  void run(Outputs& outputs) override {
    outputs.number = 0;
    for (size_t i = 0; i < queries_.size(); ++i) {
      const auto entry = map_.find(queries_[i]);
      if (entry == map_.end()) continue;
      outputs.values[i] = entry->second;
      ++outputs.number;
    }
  }

 private:
  using Key = typename Map::key_type;
  std::vector<Key> queries_;
  Map map_;
};

struct Form {
  const char* name;
  std::unique_ptr<Work> work;
};

template <template <typename> class Kind, typename Key>
std::vector<Form> forms_of(const weft_peer_problem& problem) {
  std::vector<Form> forms;
  forms.push_back({"std::unordered_map", std::make_unique<Kind<std::unordered_map<Key, uint32_t>>>(problem)});
#ifdef WEFT_HAS_HOPSCOTCH_MAP
  forms.push_back({"tsl::hopscotch_map", std::make_unique<Kind<tsl::hopscotch_map<Key, uint32_t>>>(problem)});
#endif
  return forms;
}

template <template <typename> class Kind>
std::vector<Form> forms_of(const weft_peer_problem& problem) {
  return problem.inputs[0].type == std::string("u64") ? forms_of<Kind, uint64_t>(problem)
                                                      : forms_of<Kind, uint32_t>(problem);
}

}  // namespace

struct weft_peer_case {
  std::vector<Form> forms;
  uint32_t number_output;  // Index of the output that is a number.
  Outputs outputs;
  std::deque<std::vector<double>> seconds;
};

extern "C" {

uint32_t weft_peer_interface(void) { return weft_peer_interface_version; }
const char* weft_peer_name(void) { return "maps on one thread of the CPU"; }
const char* weft_peer_message(void) { return message.c_str(); }

weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  const std::string row = problem->row;
  if (row != "hash_insert" && row != "hash_find") {
    message = "maps have only hash_insert and hash_find";
    return weft_peer_unsupported;
  }
  *prepared = new weft_peer_case{
      row == "hash_insert" ? forms_of<Insert>(*problem) : forms_of<Find>(*problem), problem->output_count - 1, {}, {}};
  (*prepared)->outputs.values.resize(problem->count);
  return weft_peer_done;
}

uint32_t weft_peer_forms(const weft_peer_case* prepared) { return uint32_t(prepared->forms.size()); }
const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form) { return prepared->forms[form].name; }

weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  std::ranges::fill(prepared->outputs.values, 0xA5A5A5A5);
  prepared->outputs.number = ~uint64_t(0);
  return weft_peer_done;
}

weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs) {
  std::vector<double>& seconds = prepared->seconds.emplace_back();
  for (uint32_t run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    prepared->forms[form].work->run(prepared->outputs);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return weft_peer_done;
}

weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  std::ranges::copy(prepared->seconds.front(), seconds);
  prepared->seconds.pop_front();
  return weft_peer_done;
}

weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t, void* data) {
  const Outputs& outputs = prepared->outputs;
  if (output < prepared->number_output) {
    std::memcpy(data, outputs.values.data(), outputs.values.size() * sizeof(uint32_t));
  } else {
    std::memcpy(data, &outputs.number, sizeof outputs.number);
  }
  return weft_peer_done;
}

void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
