// A build with WEFT_COMPILERS=OFF shows packs and runs from them.
#include <weft/error.h>

#include "tools/pack/pack_maker.h"

namespace weft::tools {

void require_pack_maker() {
  throw Error(ErrorCode::unsupported,
              "This build of Weft has no compilers (WEFT_COMPILERS=OFF), so it cannot make a pack. A build with them "
              "can, also for other systems.");
}

MadePack make_pack(const PlanList&, const PackRequest&) {
  require_pack_maker();
  return {};
}

}  // namespace weft::tools
