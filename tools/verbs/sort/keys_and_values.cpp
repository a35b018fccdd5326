#include "tools/verbs/sort/keys_and_values.h"

#include "support/compare.h"
#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

std::optional<Array> read_values(const SortingOptions& options, const Array& keys) {
  if (options.values.empty() != options.values_output.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "--values and --values-out go together: the values to move, and the file to write them to");
  }
  if (options.values.empty()) return std::nullopt;
  Array values = read_beside(keys, options.values);
  if (values.count() == keys.count()) return values;
  throw Error(ErrorCode::invalid_argument, options.values + " holds " + format_count(values.count()) + " values, but " +
                                               options.input + " holds " + format_count(keys.count()) +
                                               " keys; each key needs one value");
}

}  // namespace

void add_sorting_options(Verb& verb, SortingOptions& options) {
  add_primitive_options(verb, options);
  verb.add_option("--values", options.values,
                  "A file with one value for each key, moved along with it (raw: of IN's type)")
      .type_name("FILE");
  add_array_option(verb, "--values-out", options.values_output, "Write the moved values here");
  verb.add_flag("--descending", options.descending, "Sort from the largest number to the smallest");
}

SortingFiles::SortingFiles(const SortingOptions& options)
    : keys(read_elements(options)),
      values(read_values(options, keys)),
      output(open_output(options, options.output)),
      values_output(open_output(options, options.values_output)) {}

std::optional<Element> SortingFiles::value_element() const {
  return values ? std::optional(element_of(values->type)) : std::nullopt;
}

SortingMemory::SortingMemory(Stream& stream, const SortingFiles& files)
    : keys(upload(stream, files.keys.data)),
      values(upload(stream, files.values ? std::span(files.values->data) : std::span<const std::byte>())),
      keys_out(stream.device().buffer<std::byte>(keys.size())),
      values_out(stream.device().buffer<std::byte>(values.size())) {}

void run_sort(Stream& stream, const SortingOptions& options, SortingFiles& files, const SortingMemory& memory,
              const std::string& described, const std::function<void(Recorder&)>& record,
              const std::function<std::vector<uint64_t>()>& expected) {
  const Array& keys = files.keys;
  const std::optional<Array>& values = files.values;
  const RunTimes times = timed_run(stream, options.repeat, {memory.keys_out, memory.values_out}, record);
  const std::vector<std::byte> sorted = stream.download(memory.keys_out), moved = stream.download(memory.values_out);
  note("sorted " + format_count(keys.count()) + " " + to_string(keys.type) + described + " on " +
       describe(stream.device()) + ": " + times.text());
  if (options.verify) {
    const std::vector<uint64_t> indices = expected();
    auto wrong = first_difference(keys.type, sorted, gather(keys, indices), "key");
    if (!wrong && values) wrong = first_difference(values->type, moved, gather(*values, indices), "value");
    require_verified(wrong, "a stable sort on the CPU");
  }
  const Array& like = values ? *values : keys;
  write_results({{files.output, keys.type, keys.shape, sorted}, {files.values_output, like.type, like.shape, moved}});
  if (!files.output) print_values(keys.type, sorted);
}

}  // namespace weft::tools
