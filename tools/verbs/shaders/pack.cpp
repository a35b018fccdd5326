#include <weft/pack.h>

#include <cstdio>
#include <memory>
#include <span>

#include <weft/error.h>

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

--profile makes SPIR-V for a kind of device, which need not be there. --device makes what a device of this machine
takes, machine code too where the backend has it.

Examples:
  weft pack plans.txt --profile nvidia --profile amd -o plans.weftpack
  weft pack plans.txt --device host -o plans.weftpack
  weft pack --show plans.weftpack)";

struct PackOptions {
  std::string list, output, shown;
  std::vector<std::string> profiles, devices;
};

void make(const PackOptions& options) {
  if (options.list.empty()) throw Error(ErrorCode::invalid_argument, "weft pack needs a list of plans, or --show PACK");
  if (options.output.empty()) throw Error(ErrorCode::invalid_argument, "weft pack needs -o FILE for the pack");
  if (options.profiles.empty() && options.devices.empty()) {
    throw Error(ErrorCode::invalid_argument, "weft pack needs the devices that it serves: --profile or --device");
  }
  PackRequest request;
  request.options = DeviceOptions::from_environment();
  request.options.packs = {};
  request.options.recorder = nullptr;
  for (const std::string& name : options.profiles) request.profiles.push_back(find_profile(name));
  request.devices = options.devices;
  const PlanList list = PlanList::read(options.list);
  OutputFile file(options.output);
  const MadePack pack = make_pack(list, request);
  for (const std::string& skipped : pack.skipped) std::fprintf(stderr, "weft: left out for %s\n", skipped.c_str());
  file.write(pack.bytes);
  file.commit();
  std::printf("%s: %s, %zu plans, %zu kernels\n", options.output.c_str(), format_bytes(pack.bytes.size()).c_str(),
              list.plans.size(), list.kernels.size());
}

}  // namespace

void add_pack(CommandLine& command_line) {
  const auto options = std::make_shared<PackOptions>();
  const Verb verb = command_line.add_verb("pack", "Compile plans and kernels ahead of time");
  verb.add_option("LIST", options->list, "The list of plans and kernels");
  verb.add_option("-o,--output", options->output, "The pack").type_name("FILE");
  verb.add_repeated("--profile", options->profiles, "A kind of device: a name, or a file NAME.json").type_name("NAME");
  verb.add_repeated("--device", options->devices, "A device of this machine").type_name("SELECTOR");
  verb.add_option("--show", options->shown, "Print what a pack holds").type_name("PACK");
  verb.footer(pack_footer);
  verb.callback([options] {
    if (options->shown.empty()) return make(*options);
    std::fputs(Pack::open(options->shown).description().c_str(), stdout);
  });
}

}  // namespace weft::tools
