#include <algorithm>
#include <utility>

#include "tests/c/model.h"

/// What a model records and reads.
namespace weft::test {
namespace {

/// The push constants of the kernel.
struct Affine {
  uint32_t count, factor, sum;
};

}  // namespace

// A stream that was destroyed has waited for its work.
void Model::order(Buffer& buffer, Stream& stream) {
  const auto last = std::ranges::find(streams_, buffer.stream, &Stream::number);
  if (last != streams_.end() && last->number != stream.number) {
    if (below(2) == 0) {
      insist([&] { return weft_synchronize(last->handle, WEFT_DEVICE_TIMEOUT); });
    } else {
      weft_event* event = nullptr;
      insist([&] { return weft_create_event(last->handle, &event); });
      insist([&] { return weft_wait_on_device(stream.handle, event); });
      destroy(Event{event});
    }
  }
  buffer.stream = stream.number;
}

Model::Part Model::a_part(Stream& stream, Buffer& buffer) {
  order(buffer, stream);
  const size_t first = below(buffer.words.size() + 1);
  return {&buffer, first, below(buffer.words.size() - first + 1)};
}

Model::Part Model::a_part(Stream& stream) { return a_part(stream, a_buffer()); }

void Model::compare(Stream& stream, const Part& part) {
  std::vector<uint32_t> found(part.count);
  if (!call([&] { return weft_download(stream.handle, part.region(), found.data(), 4 * part.count); })) return;
  size_t wrong = 0;
  for (size_t i = 0; i < part.count; ++i) {
    const Word& expected = part.buffer->words[part.first + i];
    if (expected && *expected != found[i]) ++wrong;
  }
  CHECK_EQ(wrong, 0);
}

void Model::download() {
  Stream& stream = a_stream();
  compare(stream, a_part(stream));
}

void Model::upload() {
  Stream& stream = a_stream();
  const Part part = a_part(stream);
  std::vector<uint32_t> data(part.count);
  std::ranges::generate(data, [&] { return uint32_t(random_()); });
  if (call([&] { return weft_upload(stream.handle, part.region(), data.data(), 4 * data.size()); })) {
    std::ranges::copy(data, part.buffer->words.begin() + std::ptrdiff_t(part.first));
  }
}

void Model::copy() {
  Stream& stream = a_stream();
  Part from = a_part(stream), to = a_part(stream);
  from.count = to.count = std::min(from.count, to.count);
  const auto copied = [&] { return weft_copy(stream.recorder, from.region(), to.region()); };
  const size_t apart = std::max(from.first, to.first) - std::min(from.first, to.first);
  if (from.buffer == to.buffer && from.count > apart) return expect_refusal(copied);
  if (!call(copied)) return;
  const auto first = from.buffer->words.begin() + std::ptrdiff_t(from.first);
  const std::vector<Word> words(first, first + std::ptrdiff_t(from.count));
  std::ranges::copy(words, to.buffer->words.begin() + std::ptrdiff_t(to.first));
}

void Model::fill() {
  Stream& stream = a_stream();
  const Part part = a_part(stream);
  const auto word = uint32_t(random_());
  if (!call([&] { return weft_fill(stream.recorder, part.region(), word); })) return;
  std::fill_n(part.buffer->words.begin() + std::ptrdiff_t(part.first), part.count, word);
}

void Model::sort() {
  Stream& stream = a_stream();
  Buffer &keys = a_buffer(), &sorted = a_buffer();
  order(keys, stream);
  order(sorted, stream);
  const size_t count = std::min(keys.words.size(), sorted.words.size());
  weft_sort_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.keys = Part{&keys, 0, count}.region();
  arguments.keys_out = Part{&sorted, 0, count}.region();
  arguments.count.value = count;
  arguments.temporary = {stream.temporary, 0, WEFT_REST};
  const bool recorded = call([&] { return weft_record_sort(stream.recorder, on_.sort, &arguments); });
  std::vector<Word> words(keys.words.begin(), keys.words.begin() + std::ptrdiff_t(count));
  std::ranges::sort(words);
  // Without memory, a part of the plan may have been recorded.
  if (!recorded || (count > 0 && !words[0])) words.assign(count, std::nullopt);
  std::ranges::copy(words, sorted.words.begin());
}

void Model::dispatch() {
  Stream& stream = a_stream();
  Buffer& buffer = a_buffer();
  if (buffer.words.empty()) return;
  order(buffer, stream);
  const Affine affine{uint32_t(below(buffer.words.size() + 1)), uint32_t(random_()), uint32_t(random_())};
  weft_binding binding{};
  binding.region = {buffer.handle, 0, WEFT_REST};
  weft_dispatch_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.push_constants = &affine;
  arguments.push_constant_bytes = sizeof(affine);
  arguments.bindings = &binding;
  arguments.binding_count = 1;
  if (!call([&] { return weft_dispatch(stream.recorder, on_.kernel, (affine.count + 63) / 64, 1, 1, &arguments); })) {
    return;
  }
  for (size_t i = 0; i < affine.count; ++i) {
    Word& word = buffer.words[i];
    if (word) word = *word * affine.factor + affine.sum;
  }
}

void Model::independent() {
  Stream& stream = a_stream();
  const auto begin = [&] { return weft_begin_independent(stream.recorder); };
  const auto end = [&] { return weft_end_independent(stream.recorder); };
  insist(begin);
  expect_refusal(begin);
  for (Buffer& buffer : buffers_) {
    const Part part = a_part(stream, buffer);
    const auto word = uint32_t(random_());
    if (!call([&] { return weft_fill(stream.recorder, part.region(), word); })) continue;
    std::fill_n(buffer.words.begin() + std::ptrdiff_t(part.first), part.count, word);
  }
  weft_sort_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.temporary = {stream.temporary, 0, WEFT_REST};
  expect_refusal([&] { return weft_record_sort(stream.recorder, on_.sort, &arguments); });
  insist(end);
  expect_refusal(end);
}

}  // namespace weft::test
