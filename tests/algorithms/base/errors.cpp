#include <functional>
#include <numeric>

#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/map.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/split.h>

#include "tests/algorithms/scan/scan_check.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Memory {
  explicit Memory(const Device& device, uint64_t temporary_bytes)
      : input(device.buffer<uint32_t>(100)),
        output(device.buffer<uint32_t>(100)),
        words(device.buffer<uint64_t>(4)),
        temporary(device.buffer<std::byte>(temporary_bytes + 256)) {}
  Region all_temporary(uint64_t bytes) const { return temporary.part(0, bytes).region(); }

  Buffer<uint32_t> input, output;
  Buffer<uint64_t> words;
  Buffer<std::byte> temporary;
};

template <typename View>
Region misaligned(const View& view, uint64_t by, uint64_t bytes) {
  return view.region().part(by, bytes);
}

}  // namespace

DEVICE_TEST("a count above the plan's maximum is an error that names both numbers") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const Memory m(device, 1 << 16);
  const Buffer<uint32_t> large = device.buffer<uint32_t>(200);
  const Reduce reduce(device, element, Operator::sum(), 100);
  const Scan scan(device, element, Operator::sum(), 100);
  const Compact compact(device, element, Selection::when("true"), 100);
  const Enqueue enqueue(device, element, Selection::when("true"), 100, EnqueueVariant::naive);
  for (const uint64_t count : {uint64_t(101), ~uint64_t(0)}) {
    const std::vector<std::string> words{"100", std::to_string(count)};
    check_invalid(words, [&] { reduce.record(stream, {large, m.output, count, m.temporary}); });
    check_invalid(words, [&] { scan.record(stream, {large, large, count, m.temporary}); });
    check_invalid(words, [&] { compact.record(stream, {large, {}, m.output, m.words, count, m.temporary}); });
    check_invalid(words, [&] { enqueue.record(stream, {large, m.output, {}, m.words, count}); });
  }
}

DEVICE_TEST("reduce names the region that is too small or misaligned") {
  Stream stream = device.stream();
  const Reduce plan(device, Element::of<uint32_t>(), Operator::sum(), 1 << 20);
  const Memory m(device, plan.temporary_bytes());
  const Region temporary = m.all_temporary(plan.temporary_bytes());
  plan.record(stream, {m.input, m.output, 100, temporary});
  check_invalid({"input"}, [&] { plan.record(stream, {m.input.part(0, 99), m.output, 100, temporary}); });
  check_invalid({"input"}, [&] { plan.record(stream, {Region(), m.output, 100, temporary}); });
  check_invalid({"input", "4"},
                [&] { plan.record(stream, {misaligned(m.input.view(), 2, 396), m.output, 10, temporary}); });
  check_invalid({"output"}, [&] { plan.record(stream, {m.input, m.output.part(0, 0), 100, temporary}); });
  check_invalid({"output"}, [&] { plan.record(stream, {m.input, misaligned(m.output.view(), 1, 8), 100, temporary}); });
  if (plan.temporary_bytes() > 0) {
    check_invalid({"temporary", std::to_string(plan.temporary_bytes())},
                  [&] { plan.record(stream, {m.input, m.output, 100, temporary.part(0, temporary.bytes - 16)}); });
  }
  stream.synchronize();
}

DEVICE_TEST("scan names the region that is too small or misaligned") {
  Stream stream = device.stream();
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 1 << 20, {.path = path});
    const Memory m(device, plan.temporary_bytes());
    const Region temporary = m.all_temporary(plan.temporary_bytes());
    check_invalid({"input"}, [&] { plan.record(stream, {m.input.part(0, 99), m.output, 100, temporary}); });
    check_invalid({"output"}, [&] { plan.record(stream, {m.input, m.output.part(0, 99), 100, temporary}); });
    check_invalid({"input"},
                  [&] { plan.record(stream, {misaligned(m.input.view(), 1, 80), m.output, 10, temporary}); });
    check_invalid({"output"},
                  [&] { plan.record(stream, {m.input, misaligned(m.output.view(), 3, 80), 10, temporary}); });
    check_invalid({"overlap"}, [&] { plan.record(stream, {m.input.part(0, 50), m.input.part(1, 50), 50, temporary}); });
    check_invalid({"temporary", std::to_string(plan.temporary_bytes())},
                  [&] { plan.record(stream, {m.input, m.output, 100, temporary.part(0, temporary.bytes - 16)}); });
    check_invalid({"temporary"}, [&] { plan.record(stream, {m.input, m.output, 100, Region()}); });
    check_invalid({"count"}, [&] {
      plan.record(stream, {m.input, m.output, View<const uint64_t>(m.words.part(0, 0)), temporary});
    });
  }
}

DEVICE_TEST("compact names the region that is too small, missing or misaligned") {
  Stream stream = device.stream();
  const Compact plan(device, Element::of<uint32_t>(), Selection::when("x > 3u"), 1 << 20);
  const Compact flagged(device, Element::of<uint32_t>(), Selection::flagged(), 1 << 20);
  const Memory m(device, std::max(plan.temporary_bytes(), flagged.temporary_bytes()));
  const Region temporary = m.temporary;
  check_invalid({"input"}, [&] { plan.record(stream, {m.input.part(0, 9), {}, m.output, m.words, 10, temporary}); });
  check_invalid({"output"}, [&] { plan.record(stream, {m.input, {}, m.output.part(0, 9), m.words, 10, temporary}); });
  check_invalid({"selected"}, [&] { plan.record(stream, {m.input, {}, m.output, m.words.part(0, 0), 10, temporary}); });
  check_invalid({"selected"},
                [&] { plan.record(stream, {m.input, {}, m.output, misaligned(m.words.view(), 4, 8), 10, temporary}); });
  check_invalid({"overlap"},
                [&] { plan.record(stream, {m.input.part(0, 50), {}, m.input.part(49, 50), m.words, 50, temporary}); });
  check_invalid({"flags"}, [&] { plan.record(stream, {m.input, m.input, m.output, m.words, 10, temporary}); });
  check_invalid({"flags"}, [&] { flagged.record(stream, {m.input, {}, m.output, m.words, 10, temporary}); });
  check_invalid({"flags"},
                [&] { flagged.record(stream, {m.input, m.input.part(0, 9), m.output, m.words, 10, temporary}); });
  check_invalid({"temporary"}, [&] { plan.record(stream, {m.input, {}, m.output, m.words, 10, Region()}); });
  check_invalid({"flags", "8 or 32", "16"},
                [&] { Compact(device, Element::of<uint32_t>(), Selection::flagged(16), 10); });
}

DEVICE_TEST("selection by 8-bit flags needs 8-bit members in buffers") {
  if (device.info().features.storage8) unsupported("has 8-bit members in buffers");
  const Element element = Element::of<uint32_t>();
  const std::vector<std::string> words{"8-bit flags", "8-bit members", "32 bits"};
  check_error(ErrorCode::unsupported, words, [&] { Compact(device, element, Selection::flagged(8), 10); });
  check_error(ErrorCode::unsupported, words, [&] { Partition(device, element, Selection::flagged(8), 10); });
}

DEVICE_TEST("enqueue names the region that is too small or missing") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const Enqueue plan(device, element, Selection::when("x > 3u"), 100, EnqueueVariant::multi_item);
  const Enqueue both(device, element, Selection::when("x > 3u"), 100, EnqueueVariant::complement);
  const Memory m(device, 16);
  const Buffer<uint32_t> others = device.buffer<uint32_t>(100);
  check_invalid({"input"}, [&] { plan.record(stream, {m.input.part(0, 9), m.output, {}, m.words, 10}); });
  check_invalid({"output"}, [&] { plan.record(stream, {m.input, m.output.part(0, 9), {}, m.words, 10}); });
  check_invalid({"queued"}, [&] { plan.record(stream, {m.input, m.output, {}, Region(), 10}); });
  check_invalid({"others"}, [&] { both.record(stream, {m.input, m.output, {}, m.words, 10}); });
  check_invalid({"others"}, [&] { both.record(stream, {m.input, m.output, others.part(0, 9), m.words, 10}); });
  check_invalid({"queued"}, [&] { both.record(stream, {m.input, m.output, others, m.words.part(0, 1), 10}); });
  check_invalid({"flags"}, [&] { Enqueue(device, element, Selection::flagged(), 100, EnqueueVariant::naive); });
  check_invalid({"runs"}, [&] { Enqueue(device, element, Selection::first_of_runs(), 100, EnqueueVariant::naive); });
}

DEVICE_TEST("an output that overlaps the count in device memory is an error") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const Compact compact(device, element, Selection::when("x > 3u"), 100);
  const Enqueue enqueue(device, element, Selection::when("x > 3u"), 100, EnqueueVariant::naive);
  const Split split(device, element, Sides::overlapping("x > 3u", "x < 9u"), 100);
  const RunLengthEncode encode(device, element, 100);
  const Memory m(device, compact.temporary_bytes() + split.temporary_bytes() + encode.temporary_bytes());
  const View<const uint64_t> count(m.words.part(1, 1));
  const Buffer<uint32_t> more = device.buffer<uint32_t>(100);
  check_invalid({"count", "selected"},
                [&] { compact.record(stream, {m.input, {}, m.output, m.words.part(1, 1), count, m.temporary}); });
  check_invalid({"count", "queued"},
                [&] { enqueue.record(stream, {m.input, m.output, {}, m.words.part(1, 1), count}); });
  check_invalid({"count", "counts"},
                [&] { split.record(stream, {m.input, m.output, more, {}, m.words.part(0, 2), count, m.temporary}); });
  check_invalid({"count", "runs"},
                [&] { encode.record(stream, {m.input, m.output, more, m.words.part(1, 1), count, m.temporary}); });
}

DEVICE_TEST("plans are refused among independent commands") {
  Stream stream = device.stream();
  const Reduce plan(device, Element::of<uint32_t>(), Operator::sum(), 100);
  const Memory m(device, plan.temporary_bytes());
  const auto scope = stream.independent();
  check_invalid({"independent"}, [&] { plan.record(stream, {.input = m.input, .output = m.output, .count = 10}); });
}

DEVICE_TEST("line comments in operators and predicates end with their line") {
  Stream stream = device.stream();
  const Memory m(device, 0);
  std::vector<uint32_t> data(100);
  std::iota(data.begin(), data.begin() + 5, 1u);
  stream.upload(m.input, data);
  const Selection inside = Selection::when("x > 1u  // above, /* and\n && x < 4u  /* below // it */ || x == 5u");
  CHECK_EQ(compact(stream, Element::of<uint32_t>(), inside, m.input.part(0, 5), {}, m.output.part(0, 5)), 3);
  check_same(stream.download(m.output.part(0, 3)), {2, 3, 5});
}

DEVICE_TEST("operators and predicates that do not compile are errors with the compiler's messages") {
  const Element element = Element::of<uint32_t>();
  const auto check = [](const std::string& word, const std::function<void()>& call) {
    const Error error = check_error(ErrorCode::compile_failed, {}, call);
    INFO(error.log());
    CHECK(error.log().find(word) != std::string::npos);
  };
  const Operator wrong = Operator::custom("wrong", "a + no_such_name", "0u");
  check("no_such_name", [&] { Reduce(device, element, wrong, 100); });
  check("no_such_name", [&] { Scan(device, element, wrong, 100); });
  check("no_such_name", [&] { Compact(device, element, Selection::when("x > no_such_name"), 100); });
  check("no_such_name",
        [&] { Enqueue(device, element, Selection::when("no_such_name"), 100, EnqueueVariant::subgroup); });
  check("", [&] { Compact(device, element, Selection::when("x >"), 100); });
  check("",
        [&] { Scan(device, Element::structure({{"uint", "a"}}), Operator::custom("o", "a.nothing", "T(0u)"), 100); });
}

DEVICE_TEST("a negative count is shown as such") {
  const Buffer<uint32_t> numbers = device.buffer<uint32_t>(10);
  Stream stream = device.stream();
  const Map plan(device, Element::of<uint32_t>(), Transform::of(Element::of<uint32_t>(), "x"), 10);
  check_error(ErrorCode::invalid_argument, {"18446744073709551615 (-1 without its sign)"},
              [&] { plan.record(stream, {numbers, numbers, uint64_t(-1)}); });
}

DEVICE_TEST("an expression of another language is an error that says what GLSL has instead") {
  const std::string no_doubles = "take floats and no doubles";
  for (const auto& [text, hint] :
       {std::pair<std::string, std::string>("x >", "does not compile: syntax error, it ends too early"),
        {"x > 1 and x < 3", "unexpected a name. GLSL has no 'and'; write &&."},
        {"x > 1 or x < 3", "write ||."},
        {"not (x > 1)", "write !."},
        {"x ** 2 > 3", "unexpected '*'. GLSL has no '**'; write pow(x, y)"},
        {"x < INFINITY", "write uintBitsToFloat(0x7F800000u)"},
        {"std::min(x, 1.0) > 0", "GLSL has no 'std'"},
        {"exp(double(x)) > 1", no_doubles}}) {
    if (hint == no_doubles && !device.info().features.float64) continue;
    check_error(ErrorCode::compile_failed, {"the selection \"" + text + "\"", hint},
                [&] { Compact(device, Element::of<float>(), Selection::when(text), 100); });
  }
}

// Otherwise they could end one of Weft's functions, or swallow the code after it.
DEVICE_TEST("operators, predicates and the like must be one expression") {
  const Element element = Element::of<uint32_t>();
  const std::string injected = "true; } void injected() { ";
  for (const auto& [text, word] : {std::pair<std::string, std::string>(injected, "';'"),
                                   {"a) + (b", "')'"},
                                   {"(a", "')' is missing"},
                                   {"a[0", "']' is missing"},
                                   {"a /* b", "comment"},
                                   {"a, b", "','"},
                                   {"a \\", "'\\'"},
                                   {"a } {", "'}'"},
                                   {"a\n#define b", "'#'"}}) {
    INFO(text);
    const Operator op = Operator::custom("o", text, "0u");
    check_error(ErrorCode::compile_failed, {"Reduce", "combine", word}, [&] { Reduce(device, element, op, 100); });
  }
  const auto refused = [&](const std::string& what, const std::function<void()>& call) {
    check_error(ErrorCode::compile_failed, {what, injected, "';'"}, call);
  };
  refused("combine", [&] { Scan(device, element, Operator::custom("o", injected, "0u"), 100); });
  refused("identity", [&] { Scan(device, element, Operator::custom("o", "a + b", injected), 100); });
  refused("selection", [&] { Compact(device, element, Selection::when(injected), 100); });
  refused("selection", [&] { Partition(device, element, Selection::when(injected), 100); });
  refused("selection", [&] { Enqueue(device, element, Selection::when(injected), 100, EnqueueVariant::subgroup); });
  refused("comparison", [&] { MergeSort(device, element, Comparison::by(injected), 100); });
  refused("comparison", [&] { Merge(device, element, Comparison::by(injected), 100); });
  refused("transform",
          [&] { Reduce(device, element, Operator::sum(), 100, {.transform = Transform::of(element, injected)}); });
  refused("transform",
          [&] { Scan(device, element, Operator::sum(), 100, {.transform = Transform::of(element, injected)}); });
  // Brackets, commas within them, and comments, whatever these hold.
  const Operator fine = Operator::custom("o", "min(a /* ; } */, (uvec2(b, a))[0]) // ; {", "~0u");
  CHECK_GT(Reduce(device, element, fine, 100).temporary_bytes() + 1, 0);
}

DEVICE_TEST("an element type that the device lacks is unsupported") {
  const DeviceFeatures& features = device.info().features;
  bool tested = false;
  for (const auto& [element, has] :
       {std::pair(Element::of<uint64_t>(), features.int64), std::pair(Element::of<int64_t>(), features.int64),
        std::pair(Element::of<double>(), features.float64), std::pair(Element::of<uint8_t>(), features.int8),
        std::pair(Element::of<int16_t>(), features.int16), std::pair(Element::of<Half>(), features.float16)}) {
    if (has) continue;
    tested = true;
    check_error(ErrorCode::unsupported, {}, [&e = element, &device] { Reduce(device, e, Operator::sum(), 10); });
    check_error(ErrorCode::unsupported, {}, [&e = element, &device] { Scan(device, e, Operator::sum(), 10); });
    check_error(ErrorCode::unsupported, {}, [&e = element, &device] { Compact(device, e, Selection::flagged(), 10); });
  }
  if (!tested) unsupported("has every element type");
}

DEVICE_TEST("memory of another device is an error") {
  const Device other = open_device(selector_of(device));
  Stream stream = device.stream();
  const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 100);
  const Memory own(device, plan.temporary_bytes()), foreign(other, plan.temporary_bytes());
  check_invalid({"device"}, [&] { plan.record(stream, {foreign.input, own.output, 10, own.temporary}); });
  check_invalid({"device"}, [&] { plan.record(stream, {own.input, foreign.output, 10, own.temporary}); });
  check_invalid({"device"}, [&] { plan.record(stream, {own.input, own.output, 10, foreign.temporary}); });
  check_invalid({"device"}, [&] { plan.record(stream, {own.input, own.output, Count(foreign.words), own.temporary}); });
}

TEST_CASE("elements describe themselves and refuse invalid types") {
  CHECK_EQ(Element::of<uint32_t>().name(), "uint");
  CHECK_EQ(Element::of<int64_t>().bytes(), 8);
  CHECK_EQ(Element::of<double>().align(), 8);
  CHECK_EQ(Element::scalar("float").words(), 1);
  CHECK_EQ(Element::of<int8_t>().name(), "int8_t");
  CHECK_EQ(Element::of<uint16_t>().name(), "uint16_t");
  CHECK_EQ(Element::of<uint8_t>().align(), 1);
  CHECK_EQ(Element::of<Half>().bytes(), 2);
  CHECK_EQ(Element::of<Half>().words(), 1);
  const Element element = Element::structure({{"float", "lo"}, {"uvec3", "at"}, {"int", "n"}});
  CHECK_EQ(element.bytes(), 20);
  CHECK_EQ(element.align(), 4);
  CHECK(element.is_struct());
  CHECK_EQ(element.fields().size(), 3);
  check_invalid({"half"}, [] { Element::scalar("half"); });
  check_invalid({"vec5"}, [] { Element::structure({{"vec5", "a"}}); });
  check_invalid({"mat2", "u8vec"}, [] { Element::structure({{"mat2", "a"}}); });
  check_invalid({}, [] { Element::structure({}); });
  check_invalid({"1a"}, [] { Element::structure({{"float", "1a"}}); });
  check_invalid({"a b"}, [] { Element::structure({{"float", "a b"}}); });
  check_invalid({}, [] { Element::structure({{"float", "a"}, {"float", "a"}}); });
  check_invalid({"float"}, [] { Element::structure({{"float", "float"}}); });
  check_invalid({"length"}, [] { Element::structure({{"float", "length"}}); });
}

DEVICE_TEST("a sort of keys alone refuses values") {
  Stream stream = device.stream();
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(100), values = device.buffer<uint32_t>(100);
  for (const uint64_t max_count : {100, 100000}) {
    const Sort plan(device, Element::of<uint32_t>(), max_count);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
    const auto record = [&](const Region& in, const Region& out) {
      plan.record(stream, {keys, in, keys, out, 100, temporary});
    };
    check_error(ErrorCode::invalid_argument, {"'values'", "leave it empty"}, [&] { record(values, {}); });
    check_error(ErrorCode::invalid_argument, {"'values_out'", "leave it empty"}, [&] { record({}, values); });
  }
}
