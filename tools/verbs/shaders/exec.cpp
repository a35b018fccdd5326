#include "tools/verbs/shaders/exec.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const exec_footer =
    R"(SHADER is GLSL (.comp, .glsl; #include "weft/..." finds Weft's shader library), a SPIR-V binary (.spv) or SPIR-V
text (.spvasm). A .npy file, recognized by its name or first bytes, gives the type and shape of its numbers; any other
file is read as bytes. FILE may be - for standard input. BYTES may be 4096, 64K, 16M or 2^20. TYPE is u8, i8, u16, i16,
f16, u32, i32, f32, u64, i64 or f64. SET.BINDING[N] is buffer N of an array of buffers.

Examples:
  weft exec blur.comp --list
  weft exec double.comp --groups 64 --bind 0.0=in.npy --out 0.0=out.npy
  weft exec sum.spv --groups 1 --bind 0.0=in.npy --bind 0.1=zeros:4 --push u32:1000 --out 0.1=f32:-
  weft exec copy.comp --invocations 1000 --buffer from=in.npy --buffer to=zeros:4000 \
            --push ref:from,ref:to,u32:1000 --out to=out.npy
  weft exec sums.comp --groups 1 --bind 0.0[0]=a.npy --bind 0.0[1]=b.npy --bind 0.1=zeros:4 --out 0.1=u32:-
  weft exec tile.comp --groups 32,32 --spec 0=u32:16 --define RADIUS=3 --bind 0.0=zeros:4M --repeat 100)";

// A buffer on the device, with the type and shape of its numbers if known.
struct Held {
  Buffer<std::byte> buffer;
  std::optional<ScalarType> type;
  std::vector<uint64_t> shape;
};

class Execution {
 public:
  explicit Execution(const ExecOptions& options) : options_(options) {}

  void run() {
    const Spirv module = load_shader(options_.shader);
    reflection_ = reflect(module, options_.shader.entry);
    if (options_.list) {
      std::printf("%s", printable(describe(reflection_, options_.shader.file)).c_str());
      return;
    }
    if (!options_.groups.empty() && !options_.invocations.empty()) {
      throw Error(ErrorCode::invalid_argument,
                  "--groups and --invocations both set the size of the dispatch: give one of them");
    }
    if (options_.groups.empty() && options_.invocations.empty()) {
      throw Error(ErrorCode::invalid_argument,
                  "the size of the dispatch is missing: give --groups X[,Y[,Z]], or --invocations X[,Y[,Z]], which is "
                  "rounded up to whole workgroups");
    }
    parse();
    check_against_shader();
    execute(module);
  }

 private:
  // Finds all mistakes in the arguments before the device is opened.
  void parse() {
    for (const std::string& text : options_.buffers) {
      BufferArgument argument = parse_buffer(text);
      if (find_named(argument.name))
        throw Error(ErrorCode::invalid_argument, "--buffer " + argument.name + " is given twice");
      named_arguments_.push_back(std::move(argument));
    }
    for (const std::string& text : options_.binds) {
      BindArgument argument = parse_bind(text);
      if (find_bind(argument.slot))
        throw Error(ErrorCode::invalid_argument, "--bind " + to_string(argument.slot) + " is given twice");
      if (argument.source.kind == BufferSource::Kind::named) require_named(argument.source.name);
      bind_arguments_.push_back(std::move(argument));
    }
    for (const std::string& text : options_.outs) {
      const OutArgument argument = parse_out(text);
      if (const auto* name = std::get_if<std::string>(&argument.buffer)) require_named(*name);
      if (const auto* slot = std::get_if<Slot>(&argument.buffer); slot && !find_bind(*slot)) {
        throw Error(ErrorCode::invalid_argument, "--out " + to_string(*slot) + " has no buffer; give --bind " +
                                                     to_string(*slot) + "=zeros:BYTES too");
      }
      if (argument.path != "-") require_other_file(argument.path, options_.shader.file, "the shader to run");
      out_arguments_.push_back(argument);
    }
    spec_arguments_ = parse_specs(options_.shader);
    if (!options_.push.empty()) push_ = parse_push(options_.push);
    extent_ = options_.groups.empty() ? parse_extent(options_.invocations, "--invocations")
                                      : parse_extent(options_.groups, "--groups");
  }

  // The library finds the same mistakes; these messages name the command's options.
  void check_against_shader() const {
    for (const auto& binding : reflection_.bindings) {
      const bool is_buffer = binding.kind == Reflection::BindingKind::storage_buffer ||
                             binding.kind == Reflection::BindingKind::uniform_buffer;
      if (!binding.used || !is_buffer) continue;  // Device::kernel() says more about the others
      for (uint32_t element = 0; element < std::max(binding.count, 1u); ++element) {
        if (find_bind({binding.set, binding.binding, element})) continue;
        const std::string slot = slot_text(binding, element);
        throw mismatch("the shader's " + binding.name +
                       (binding.count > 1 ? " has no buffer " + std::to_string(element) : " has no buffer") +
                       "; give it with --bind " + slot + "=FILE or --bind " + slot + "=zeros:BYTES");
      }
    }
    try {
      for (const SpecArgument& argument : spec_arguments_) check_type(argument, reflection_);
    } catch (const Error& error) {
      throw mismatch(error.what());
    }
    if (reflection_.push_constant_bytes > 0 && options_.push.empty()) {
      throw mismatch("the shader expects " + std::to_string(reflection_.push_constant_bytes) +
                     " bytes of push constants; give them with --push " + push_example(reflection_));
    }
    try {
      push_constants([this](const std::string& name) {
        require_named(name);
        return uint64_t(0);
      });
    } catch (const Error& error) {
      throw mismatch(error.what());
    }
  }

  Error mismatch(const std::string& message) const {
    return {ErrorCode::invalid_argument, message, describe(reflection_, options_.shader.file)};
  }

  const BufferArgument* find_named(const std::string& name) const {
    const auto at =
        std::find_if(named_arguments_.begin(), named_arguments_.end(), [&](const auto& a) { return a.name == name; });
    return at == named_arguments_.end() ? nullptr : &*at;
  }
  const BindArgument* find_bind(const Slot& slot) const {
    const auto at =
        std::find_if(bind_arguments_.begin(), bind_arguments_.end(), [&](const auto& a) { return a.slot == slot; });
    return at == bind_arguments_.end() ? nullptr : &*at;
  }
  void require_named(const std::string& name) const {
    if (find_named(name)) return;
    std::vector<std::string> names;
    for (const auto& argument : named_arguments_) names.push_back(argument.name);
    const auto near = nearest(name, names);
    throw Error(ErrorCode::invalid_argument,
                "no buffer is named '" + name + "'" + (near ? "; did you mean '" + *near + "'?" : "") +
                    "; create it with --buffer " + name + "=FILE or --buffer " + name + "=zeros:BYTES");
  }

  void execute(const Spirv& module) {
    std::vector<ArrayFile> files;  // opened first, so that one that cannot be written is reported before the run
    for (const OutArgument& out : out_arguments_) {
      if (out.path != "-") files.emplace_back(out.path);
    }
    DeviceOptions device_options = DeviceOptions::from_environment();
    device_options.timeout = std::chrono::nanoseconds(int64_t(options_.timeout_seconds * 1e9));
    const Device device = open_device(options_.device, device_options);
    KernelOptions kernel_options;
    kernel_options.entry = options_.shader.entry;
    kernel_options.subgroup_size = options_.subgroup_size;
    if (options_.shader.no_contraction) kernel_options.contraction = Contraction::forbidden;
    for (const SpecArgument& argument : spec_arguments_) {
      kernel_options.specialization.push_back(value_of(argument));
    }
    const Kernel kernel = device.kernel(module, kernel_options);
    reflection_ = kernel.reflection();

    Stream stream = device.stream();
    for (const auto& argument : named_arguments_) named_.emplace(argument.name, make(device, stream, argument.source));
    for (const auto& argument : bind_arguments_) {
      if (argument.source.kind != BufferSource::Kind::named)
        bound_.emplace(argument.slot, make(device, stream, argument.source));
    }
    const Groups groups = workgroups();
    const RunTimes times = dispatch(stream, kernel, groups, arguments());
    report(device, kernel, groups, times);
    write(stream, files);
  }

  static Held make(const Device& device, Stream& stream, const BufferSource& source) {
    if (source.kind == BufferSource::Kind::zeros) {
      Held held{device.buffer<std::byte>(source.bytes), {}, {}};
      const uint64_t words = source.bytes / 4 * 4;  // fills write whole words
      stream.fill(held.buffer.part(0, words), std::byte{0});
      stream.upload(held.buffer.part(words, source.bytes - words),
                    std::span<const std::byte>(std::array<std::byte, 4>{}).first(source.bytes - words));
      return held;
    }
    const auto [has_type, array] = read_contents(input_path(source.name));
    Held held{device.buffer<std::byte>(array.data.size()), {}, {}};
    if (has_type) {
      held.type = array.type;
      held.shape = array.shape;
    }
    stream.upload(held.buffer, array.data);
    return held;
  }

  const Held& held(const Slot& slot) const {
    const BindArgument& argument = *find_bind(slot);
    return argument.source.kind == BufferSource::Kind::named ? named_.at(argument.source.name) : bound_.at(slot);
  }

  Groups workgroups() const {
    auto groups = extent_;
    for (size_t i = 0; i < 3 && options_.groups.empty(); ++i) {
      const uint64_t size = reflection_.workgroup_size[i];
      groups[i] = uint32_t((groups[i] + size - 1) / size);
    }
    return {groups[0], groups[1], groups[2]};
  }

  Arguments arguments() const {
    Arguments arguments;
    for (const auto& argument : bind_arguments_) {
      arguments.bind(argument.slot.set, argument.slot.binding, held(argument.slot).buffer, argument.slot.element);
    }
    if (!options_.push.empty()) {
      arguments.push(
          push_constants([this](const std::string& name) { return named_.at(name).buffer.pointer().address; }));
    }
    return arguments;
  }

  std::vector<std::byte> push_constants(const std::function<uint64_t(const std::string&)>& address) const {
    if (const auto* file = std::get_if<std::string>(&push_)) {
      return file->empty() ? std::vector<std::byte>() : read_bytes(*file);
    }
    return pack_push(std::get<std::vector<PushValue>>(push_), reflection_, address);
  }

  RunTimes dispatch(Stream& stream, const Kernel& kernel, Groups groups, const Arguments& arguments) const {
    return RunTimes(
        timed_runs(stream, options_.repeat, [&](Recorder& recorder) { recorder.dispatch(kernel, groups, arguments); }));
  }

  void report(const Device& device, const Kernel& kernel, Groups groups, const RunTimes& times) const {
    const auto& size = kernel.workgroup_size();
    note(
        options_.shader.file + " on " + describe(device) +
        format(": %u x %u x %u workgroups of %u x %u x %u, ", groups.x, groups.y, groups.z, size[0], size[1], size[2]) +
        times.text());
  }

  void write(Stream& stream, std::vector<ArrayFile>& files) {
    auto file = files.begin();
    for (const OutArgument& out : out_arguments_) {
      const auto* slot = std::get_if<Slot>(&out.buffer);
      const Held& from = slot ? held(*slot) : named_.at(std::get<std::string>(out.buffer));
      const std::vector<std::byte> data = stream.download(from.buffer);
      const ScalarType guess = data.size() % 4 == 0 ? ScalarType::u32 : ScalarType::u8;
      const ScalarType type = out.type.value_or(from.type.value_or(guess));
      if (data.size() % bytes(type) != 0) {
        throw Error(ErrorCode::invalid_argument,
                    "--out: " + format_count(data.size()) + " bytes are not a whole number of " + to_string(type));
      }
      std::vector<uint64_t> shape = from.shape;
      if (!from.type || type != *from.type) shape = {data.size() / bytes(type)};
      if (out.path == "-") {
        print_values(type, data);
      } else {
        write_array(*file++, type, shape, data);
      }
    }
    for (ArrayFile& done : files) done.file.commit();
  }

  const ExecOptions& options_;
  Reflection reflection_;
  std::vector<BufferArgument> named_arguments_;
  std::vector<BindArgument> bind_arguments_;
  std::vector<OutArgument> out_arguments_;
  std::vector<SpecArgument> spec_arguments_;
  PushArgument push_;
  std::array<uint32_t, 3> extent_{};  // as given: workgroups or invocations
  std::map<std::string, Held> named_;
  std::map<Slot, Held> bound_;
};

}  // namespace

void add_exec(CommandLine& command_line) {
  auto options = std::make_shared<ExecOptions>();
  Verb verb = command_line.add_verb("exec", "Run your own compute shader");
  add_shader_options(verb, options->shader);
  add_device_option(verb, options->device);
  verb.add_option("-g,--groups", options->groups, "Number of workgroups to run").type_name("X[,Y[,Z]]");
  verb.add_option("--invocations", options->invocations,
                  "Instead of --groups: number of invocations, rounded up to whole workgroups")
      .type_name("X[,Y[,Z]]");
  verb.add_repeated("-b,--bind", options->binds, "Bind a buffer: a file's contents, zeros or a named buffer")
      .type_name("SET.BINDING[[N]]=FILE|zeros:BYTES|ref:NAME");
  verb.add_repeated("--buffer", options->buffers, "Create a buffer for --push ref:NAME or --bind SET.BINDING=ref:NAME")
      .type_name("NAME=FILE|zeros:BYTES");
  verb.add_option(
          "-p,--push", options->push,
          "Push constants: a file that holds the whole block, or its values in order; ref:NAME is the address of "
          "a named buffer")
      .type_name("FILE|TYPE:VALUE,...");
  verb.add_repeated("-o,--out", options->outs,
                    "Write a buffer after the run. A .npy file has TYPE, else the type and shape of the buffer's "
                    "input, else u32. "
                    "FILE - prints the numbers")
      .type_name("SET.BINDING[[N]]|NAME=[TYPE:]FILE");
  verb.add_option("--repeat", options->repeat,
                  "Run N times on the same buffers, and report the median, fastest and slowest times; on some drivers "
                  "the first run includes compilation")
      .type_name("N")
      .range(1u, 1000000u)
      .capture_default();
  verb.add_option("--subgroup-size", options->subgroup_size, "Require subgroups of N lanes").type_name("N");
  verb.add_option("--timeout", options->timeout_seconds, "Give up after this many seconds")
      .type_name("SECONDS")
      .range(0.001, 1e6)
      .capture_default();
  verb.add_flag("-l,--list", options->list, "Show the shader's interface, and run nothing");
  verb.footer(exec_footer);
  verb.callback([options] { Execution(*options).run(); });
}

}  // namespace weft::tools
