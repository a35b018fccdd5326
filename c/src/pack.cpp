#include <span>

#include "c/src/objects.h"

using namespace weft::c;

namespace {

std::unique_ptr<weft_pack> with_description(const weft::Pack& pack) {
  return std::unique_ptr<weft_pack>(new weft_pack{.pack = pack, .description = pack.description()});
}

}  // namespace

weft_result weft_open_pack(const char* path, weft_pack** pack) {
  return create(__func__, pack, [&] { return with_description(weft::Pack::open(given(path, "path"))); });
}

weft_result weft_open_pack_in_memory(const void* bytes, size_t size, const char* name, weft_pack** pack) {
  return create(__func__, pack, [&] {
    const std::span all(static_cast<const std::byte*>(given(bytes, "bytes", size)), size);
    return with_description(weft::Pack::in_memory(all, text_or(name, "a pack in memory")));
  });
}

weft_result weft_get_pack_description(const weft_pack* pack, const char** description) {
  return guarded(__func__, [&] { *given(description, "description") = checked(pack, "pack").description.c_str(); });
}

weft_result weft_destroy_pack(weft_pack* pack) { return destroy(__func__, pack); }
