/* Sorts keys and values on any device, through the installed C interface. */
#include <stdio.h>
#include <stdlib.h>

#include <weft/weft_c.h>

enum { count = 5000 };

static void check(weft_result result) {
  if (result == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", weft_result_name(result), weft_error_message());
  exit(1);
}

static weft_buffer* buffer_of(const weft_device* device, uint64_t bytes) {
  weft_buffer* buffer = NULL;
  check(weft_create_buffer(device, bytes, &buffer));
  return buffer;
}

int main(void) {
  static uint32_t keys[count], values[count];
  for (uint32_t i = 0; i < count; ++i) {
    keys[i] = i * 2654435761u % 1000u;
    values[i] = i;
  }
  weft_device* device = NULL;
  weft_stream* stream = NULL;
  weft_recorder* recorder = NULL;
  weft_plan* sort = NULL;
  uint64_t bytes = 0;
  check(weft_open_device(NULL, NULL, &device));
  check(weft_create_stream(device, &stream));
  check(weft_get_stream_recorder(stream, &recorder));
  check(weft_create_plan(device, "Sort key=uint value=uint max_count=5000 descending=true", &sort));
  check(weft_get_temporary_bytes(sort, &bytes));
  weft_buffer *on_device = buffer_of(device, 2 * sizeof(keys)), *temporary = buffer_of(device, bytes);
  const weft_region all_keys = {on_device, 0, sizeof(keys)}, all_values = {on_device, sizeof(keys), sizeof(values)};
  check(weft_upload(stream, all_keys, keys, sizeof(keys)));
  check(weft_upload(stream, all_values, values, sizeof(values)));
  const weft_sort_arguments arguments = {.size = sizeof(arguments),
                                         .keys = all_keys,
                                         .values = all_values,
                                         .keys_out = all_keys,
                                         .values_out = all_values,
                                         .count = {.value = count},
                                         .temporary = {temporary, 0, WEFT_REST}};
  check(weft_record_sort(recorder, sort, &arguments));
  check(weft_download(stream, all_keys, keys, sizeof(keys)));
  check(weft_download(stream, all_values, values, sizeof(values)));

  uint32_t wrong = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const int in_order = i == 0 || keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]);
    wrong += !in_order || keys[i] != values[i] * 2654435761u % 1000u;
  }
  weft_device_info info = {.size = sizeof(info)};
  check(weft_get_device_info(device, &info));
  printf("Weft %s sorted %d keys on %s: %u are wrong\n", weft_version(), (int)count, info.name, (unsigned)wrong);

  check(weft_destroy_buffer(temporary));
  check(weft_destroy_buffer(on_device));
  check(weft_destroy_plan(sort));
  check(weft_destroy_stream(stream));
  check(weft_destroy_device(device));
  return wrong == 0 ? 0 : 1;
}
