#include <span>

#include "c/src/regions.h"

using namespace weft::c;

weft_result weft_copy(weft_recorder* recorder, weft_region source, weft_region destination) {
  return guarded(__func__, [&] {
    checked(recorder, "recorder")
        .recorder->copy_region(region_of(source, "source"), region_of(destination, "destination"));
  });
}

weft_result weft_fill(weft_recorder* recorder, weft_region region, uint32_t word) {
  return guarded(__func__, [&] {
    checked(recorder, "recorder")
        .recorder->fill_region(region_of(region, "region"), std::as_bytes(std::span(&word, 1)));
  });
}

weft_result weft_create_timestamp(weft_recorder* recorder, weft_timestamp** timestamp) {
  return create(__func__, timestamp, [&] {
    return std::unique_ptr<weft_timestamp>(
        new weft_timestamp{.timestamp = checked(recorder, "recorder").recorder->timestamp()});
  });
}

weft_result weft_destroy_timestamp(weft_timestamp* timestamp) { return destroy(__func__, timestamp); }

weft_result weft_get_seconds(const weft_timestamp* start, const weft_timestamp* end, double* seconds) {
  return guarded(__func__, [&] {
    *given(seconds, "seconds") = checked(end, "end").timestamp.seconds_since(checked(start, "start").timestamp);
  });
}

weft_result weft_begin_independent(weft_recorder* recorder) {
  return guarded(__func__, [&] {
    weft_recorder& to = checked(recorder, "recorder");
    if (to.independent) refuse("the scope is already open; scopes do not nest.");
    to.independent.emplace(*to.recorder);
  });
}

weft_result weft_end_independent(weft_recorder* recorder) {
  return guarded(__func__, [&] {
    weft_recorder& to = checked(recorder, "recorder");
    if (!to.independent) refuse("no scope is open; weft_begin_independent() opens one.");
    to.independent.reset();
  });
}
