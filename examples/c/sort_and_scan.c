/* Sorts numbers, and computes the running sums of the sorted ones. */
#include <stdio.h>
#include <stdlib.h>

#include <weft/weft_c.h>

enum { count = 100000 };

static weft_result check(weft_result result) {
  if (result == WEFT_OK) return result;
  fprintf(stderr, "%s\n%s", weft_error_message(), weft_error_log());
  exit(1);
}

int main(int argc, char** argv) {
  weft_device* device = NULL;
  check(weft_open_device(argc > 1 ? argv[1] : "", NULL, &device));
  weft_stream* stream = NULL;
  weft_recorder* recorder = NULL;
  check(weft_create_stream(device, &stream));
  check(weft_get_stream_recorder(stream, &recorder));

  /* At load time: plans, which compile their kernels, and memory. */
  weft_plan *sort = NULL, *scan = NULL;
  check(weft_create_plan(device, "Sort key=uint max_count=100000", &sort));
  check(weft_create_plan(device, "Scan element=uint op=sum kind=inclusive max_count=100000", &scan));
  uint64_t sort_bytes = 0, scan_bytes = 0;
  check(weft_get_temporary_bytes(sort, &sort_bytes));
  check(weft_get_temporary_bytes(scan, &scan_bytes));
  weft_buffer *numbers = NULL, *sums = NULL, *temporary = NULL;
  check(weft_create_buffer(device, count * sizeof(uint32_t), &numbers));
  check(weft_create_buffer(device, count * sizeof(uint32_t), &sums));
  check(weft_create_buffer(device, sort_bytes > scan_bytes ? sort_bytes : scan_bytes, &temporary));

  static uint32_t data[count];
  for (uint32_t i = 0; i < count; ++i) data[i] = (i * 40503u) % 1000u;
  const weft_region all = {numbers, 0, WEFT_REST}, sums_of_all = {sums, 0, WEFT_REST};
  check(weft_upload(stream, all, data, sizeof(data)));

  /* Each frame: record, submit. */
  const weft_sort_arguments sorted = {.size = sizeof(sorted),
                                      .keys = all,
                                      .keys_out = all,
                                      .count = {.value = count},
                                      .temporary = {temporary, 0, WEFT_REST}};
  check(weft_record_sort(recorder, sort, &sorted));
  const weft_scan_arguments scanned = {.size = sizeof(scanned),
                                       .input = all,
                                       .output = sums_of_all,
                                       .count = {.value = count},
                                       .temporary = {temporary, 0, WEFT_REST}};
  check(weft_record_scan(recorder, scan, &scanned));
  check(weft_submit(stream));

  static uint32_t keys[count], running[count];
  check(weft_download(stream, all, keys, sizeof(keys)));
  check(weft_download(stream, sums_of_all, running, sizeof(running)));
  uint32_t wrong = 0, sum = 0, expected = 0;
  for (uint32_t i = 0; i < count; ++i) {
    sum += keys[i];
    expected += data[i];
    wrong += (i > 0 && keys[i - 1] > keys[i]) || running[i] != sum;
  }
  weft_device_info info = {.size = sizeof(info)};
  check(weft_get_device_info(device, &info));
  printf("%s: %u numbers from %u to %u, their sum is %u\n", info.name, (unsigned)count, (unsigned)keys[0],
         (unsigned)keys[count - 1], (unsigned)sum);

  weft_destroy_buffer(temporary);
  weft_destroy_buffer(sums);
  weft_destroy_buffer(numbers);
  weft_destroy_plan(scan);
  weft_destroy_plan(sort);
  weft_destroy_stream(stream);
  weft_destroy_device(device);
  return wrong == 0 && sum == expected ? 0 : 1;
}
