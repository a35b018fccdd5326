#include <weft/pack.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <span>

#include <weft/error.h>

#include "core/src/platform/utf8.h"
#include "support/output_file.h"
#include "support/text.h"
#include "tools/pack/pack_maker.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const pack_footer =
    R"(LIST has a plan on each line, such as `Sort key=uint max_count=1000000`. WEFT_RECORD_PLANS=LIST in a program's
environment writes one. A pack serves every count up to max_count.

--profile is for a kind of device, which need not be there: nvidia, amd, amd-64 and intel make SPIR-V for Vulkan;
sm_80, sm_90 and others make cubins, and compute_80 PTX for it and all later GPUs (both need NVRTC); gfx90a, gfx1100 and
others make code objects (they need hipRTC). --device makes what a device of this machine takes, machine code too where
the backend has it.

Examples:
  weft pack plans.txt --profile nvidia --profile amd -o plans.weftpack
  weft pack plans.txt --profile sm_80 --profile sm_90 --profile compute_80 -o cuda.weftpack
  weft pack plans.txt --device host -o plans.weftpack
  weft pack --show plans.weftpack)";

struct PackOptions {
  std::string list, output, shown, tuning;
  std::vector<std::string> profiles, devices;
};

// A C header with the bytes, as engines copy headers.
std::string header_of(std::span<const std::byte> bytes, const std::string& file) {
  std::string name = core::utf8_text(core::utf8_path(file).stem());
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  std::string text =
      "/* Made by weft pack: a pack for weft::Pack::in_memory(). */\n#pragma once\n\nstatic const unsigned char " +
      name + "[" + std::to_string(bytes.size()) + "] = {";
  constexpr size_t in_a_line = 30;
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += (i % in_a_line == 0 ? "\n  " : "") + std::to_string(unsigned(bytes[i])) + ",";
  }
  return text + "\n};\n";
}

void make(const PackOptions& options) {
  require_pack_maker();
  if (options.list.empty()) throw Error(ErrorCode::invalid_argument, "weft pack needs a list of plans, or --show PACK");
  if (options.output.empty()) throw Error(ErrorCode::invalid_argument, "weft pack needs -o FILE for the pack");
  if (options.profiles.empty() && options.devices.empty()) {
    throw Error(ErrorCode::invalid_argument, "weft pack needs the devices that it serves: --profile or --device");
  }
  PackRequest request;
  request.options = DeviceOptions::from_environment();
  request.options.packs = {};
  // A program's users have no tuning file of the machine that makes the pack.
  request.options.tuning = options.tuning.empty() ? Tuning() : Tuning::read(core::utf8_path(options.tuning));
  request.options.recorder = nullptr;
  for (const std::string& name : options.profiles) request.profiles.push_back(find_profile(name));
  request.devices = options.devices;
  const PlanList list = PlanList::read(options.list);
  OutputFile file(options.output);
  const MadePack pack = make_pack(list, request);
  for (const std::string& skipped : pack.skipped) std::fprintf(stderr, "weft: left out: %s\n", skipped.c_str());
  const bool as_header = options.output.ends_with(".h");
  const std::string header = as_header ? header_of(pack.bytes, options.output) : std::string();
  file.write(as_header ? std::as_bytes(std::span(header)) : std::span<const std::byte>(pack.bytes));
  file.commit();
  std::printf("%s: %s, %zu plans, %zu kernels\n", options.output.c_str(), format_bytes(pack.bytes.size()).c_str(),
              list.plans.size(), list.kernels.size());
}

}  // namespace

void add_pack(CommandLine& command_line) {
  const auto options = std::make_shared<PackOptions>();
  const Verb verb = command_line.add_verb("pack", "Compile plans and kernels ahead of time");
  verb.add_option("LIST", options->list, "The list of plans and kernels");
  verb.add_option("-o,--output", options->output, "The pack, or NAME.h: a C header with its bytes").type_name("FILE");
  verb.add_repeated("--profile", options->profiles, "A kind of device: a name, an architecture, or a file NAME.json")
      .type_name("NAME");
  verb.add_repeated("--device", options->devices, "A device of this machine").type_name("SELECTOR");
  verb.add_option("--tuning", options->tuning, "The tuning file that the program's devices will have")
      .type_name("FILE");
  verb.add_option("--show", options->shown, "Print what a pack holds").type_name("PACK");
  verb.footer(pack_footer);
  verb.callback([options] {
    if (options->shown.empty()) return make(*options);
    std::fputs(Pack::open(core::utf8_path(options->shown)).description().c_str(), stdout);
  });
}

}  // namespace weft::tools
