#include <weft/histogram.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const histogram_footer =
    R"(Counts the numbers in each of N bins, and prints the counts or writes them as u64. Bins divide the range from A
to below B equally, or lie between the N + 1 ascending numbers of --edges. Numbers outside all bins are not counted.
Numbers are integers, or floats of up to 32 bits.

Examples:
  weft histogram photo.npy --bins 256 --range 0,256
  weft histogram heights.npy --bins 100 --range=-1,1 -o counts.npy --verify
  weft histogram ages.npy --edges limits.npy)";

struct HistogramOptions : PrimitiveOptions {
  std::string bins, range, edges;
};

constexpr uint32_t most_bins = 1 << 20;  // limit of plans

uint32_t bin_count(const HistogramOptions& options) {
  return uint32_t(parse_number(options.bins, "--bins", 1, most_bins));
}

/// Calls `function(std::type_identity<T>{})` with the C++ type of the samples.
template <typename Function>
decltype(auto) visit_samples(ScalarType type, Function&& function) {
  if (type != ScalarType::f64) return visit_number_type(type, std::forward<Function>(function));
  throw Error(ErrorCode::invalid_argument,
              "weft histogram takes integers and floats of up to 32 bits, not f64; convert the file first");
}

// A number to compare with others: integers as they are, floats as double.
template <typename T>
auto number(T x) {
  if constexpr (is_float_type<T>) {
    return double(x);
  } else {
    return x;
  }
}

template <typename T>
void check_edges(const HistogramOptions& options, std::span<const T> edges) {
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto edge = number(edges[i]);
    const bool is_nan = edge != edge;  // NOLINT(misc-redundant-expression): of integers too
    if (!is_nan && (i == 0 || number(edges[i - 1]) <= edge)) continue;
    fail_invalid(options.edges + ": edge " + std::to_string(i) +
                 (is_nan ? " is NaN" : " is less than the one before it") +
                 "; edges must be numbers in ascending order");
  }
}

Bins bins_between(const HistogramOptions& options, const Array& edges) {
  const uint64_t count = edges.count();
  if (count < 2 || count - 1 > most_bins) {
    fail_invalid(options.edges + " must hold 2 to " + format_count(most_bins + 1) + " edges, but holds " +
                 format_count(count));
  }
  visit_samples(edges.type, [&](auto t) { check_edges(options, edges.as<typename decltype(t)::type>()); });
  if (!options.bins.empty() && bin_count(options) + 1 != count) {
    fail_invalid("--bins " + options.bins + " needs " + format_count(bin_count(options) + 1) + " edges, but " +
                 options.edges + " holds " + format_count(count));
  }
  return Bins::edges(uint32_t(count - 1));
}

Bins even_bins(const HistogramOptions& options) {
  if (options.bins.empty()) fail_invalid("--range also needs --bins N, from 1 to " + std::to_string(most_bins));
  const std::vector<std::string> ends = split(options.range, ',');
  if (ends.size() != 2) fail_invalid("--range takes two numbers, A,B, not '" + options.range + "'");
  const auto number = [](const std::string& text) {
    return std::bit_cast<double>(parse_value(ScalarType::f64, text, "--range"));
  };
  const double lower = number(ends[0]), upper = number(ends[1]);
  return Bins::even(bin_count(options), lower, upper);
}

Bins bins_of(const HistogramOptions& options, const Array& edges) {
  if (options.edges.empty() && options.range.empty()) {
    fail_invalid("weft histogram needs bins: give --bins N --range A,B, or --edges FILE");
  }
  if (!options.edges.empty() && !options.range.empty()) {
    fail_invalid("--edges and --range both define the bins: give one of them");
  }
  return options.edges.empty() ? even_bins(options) : bins_between(options, edges);
}

__extension__ typedef __int128 Wide;

// The number's bin, by the rules of Bins; nothing if it is outside all bins.
template <typename T>
std::optional<size_t> even_bin(T x, const Bins& bins) {
  if constexpr (is_float_type<T>) {
    const auto lower = float(bins.lower), upper = float(bins.upper);
    if (!(float(x) >= lower && float(x) < upper)) return std::nullopt;
    const float scaled = (float(x) - lower) * float(bins.count / (bins.upper - bins.lower));
    return std::min(size_t(scaled), size_t(bins.count) - 1);
  } else {
    const auto lower = Wide(bins.lower), upper = Wide(bins.upper);
    if (x < lower || x >= upper) return std::nullopt;
    return size_t((x - lower) * bins.count / (upper - lower));
  }
}

template <typename T>
std::optional<size_t> bin_of(T x, const Bins& bins, std::span<const T> edges) {
  if (!bins.by_edges) return even_bin(x, bins);
  const auto above =
      std::upper_bound(edges.begin(), edges.end(), x, [](const T& a, const T& b) { return number(a) < number(b); });
  if (above == edges.begin() || above == edges.end() || number(x) != number(x)) return std::nullopt;
  return size_t(above - edges.begin()) - 1;
}

template <typename T>
std::optional<std::string> check(std::span<const T> numbers, const Bins& bins, std::span<const T> edges,
                                 const std::vector<uint64_t>& counts) {
  std::vector<uint64_t> wanted(bins.count);
  for (const T x : numbers) {
    if (const auto bin = bin_of(x, bins, edges)) ++wanted[*bin];
  }
  for (size_t bin = 0; bin < wanted.size(); ++bin) {
    if (counts[bin] == wanted[bin]) continue;
    return "bin " + std::to_string(bin) + ": got " + format_count(counts[bin]) + ", expected " +
           format_count(wanted[bin]);
  }
  return std::nullopt;
}

void run(const HistogramOptions& options) {
  const Array input = read_elements(options);
  visit_samples(input.type, [](auto) {});  // throws for types that have no histogram
  Array edges;
  if (!options.edges.empty()) {
    edges = read_beside(input, options.edges);
    if (edges.type != input.type)
      throw Error(ErrorCode::invalid_argument, options.edges + " holds " + to_string(edges.type) + ", but " +
                                                   options.input + " holds " + to_string(input.type) +
                                                   "; both must have the same type");
  }
  const Bins bins = bins_of(options, edges);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const Histogram plan(device, element_of(input.type), bins, input.count(), {.wide = true});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto edge_data = upload(stream, edges.data);
  const auto output = device.buffer<uint64_t>(bins.count);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data, .edges = edge_data, .weights = {}, .output = output, .count = input.count()});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output}, record);
  const std::vector<uint64_t> counts = stream.download(output);
  note(format_count(bins.count) + " bins of " + format_count(input.count()) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + times.text() + ", " + format_rate(double(input.data.size()) / times.median()));
  if (options.verify) {
    const auto compare = [&](auto t) {
      using T = typename decltype(t)::type;
      return check(input.as<T>(), bins, edges.as<T>(), counts);
    };
    require_verified(visit_samples(input.type, compare), "a serial histogram on the CPU");
  }
  const auto result = std::as_bytes(std::span(counts));
  write_or_print(file, ScalarType::u64, std::array<uint64_t, 1>{bins.count}, result);
}

}  // namespace

void add_histogram(CommandLine& command_line) {
  auto options = std::make_shared<HistogramOptions>();
  Verb verb = command_line.add_verb("histogram", "Count the numbers in each bin");
  add_primitive_options(verb, *options);
  verb.add_option("--bins", options->bins, "Number of bins, up to 2^20").type_name("N");
  verb.add_option("--range", options->range, "Divide the range from A to below B").type_name("A,B");
  verb.add_option("--edges", options->edges, "Instead of --range: the edges of the bins, of IN's type")
      .type_name("FILE");
  verb.footer(histogram_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
