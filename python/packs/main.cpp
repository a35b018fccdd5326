// Makes a pack as `weft pack` does, without the rest of that command: packer pack LIST --profile=NAME... -o PACK
#include <cstdio>
#include <span>
#include <string_view>

#include <weft/error.h>

#include "support/output_file.h"
#include "tools/pack/pack_maker.h"

int main(int count, char** arguments) {
  using namespace weft;
  constexpr std::string_view profile = "--profile=";
  try {
    tools::PackRequest request;
    request.options.cache = DeviceOptions::from_environment().cache;  // a build that is repeated compiles nothing
    for (int i = 3; i < count; ++i) {
      const std::string_view argument = arguments[i];
      if (argument.starts_with(profile)) {
        request.profiles.push_back(tools::find_profile(std::string(argument.substr(profile.size()))));
      }
    }
    if (request.profiles.empty()) throw Error(ErrorCode::invalid_argument, "it takes a list, profiles and a pack");
    support::OutputFile file(arguments[count - 1]);
    const tools::MadePack pack = tools::make_pack(tools::PlanList::read(arguments[2]), request);
    for (const std::string& skipped : pack.skipped) std::fprintf(stderr, "left out: %s\n", skipped.c_str());
    file.write(std::span<const std::byte>(pack.bytes));
    file.commit();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "packer: %s\n", error.what());
    return 1;
  }
}
