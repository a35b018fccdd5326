#include <algorithm>
#include <cstdio>
#include <vector>

#include <weft/hash_table.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  const std::vector<uint32_t> words{7, 0, 7, 0xFFFFFFFF, 0, 7};
  const auto keys = device.buffer<uint32_t>(words.size());
  stream.upload(keys, words);

  // A map from each word to its count, with room for 100 words.
  const weft::Element word = weft::Element::of<uint32_t>();
  const weft::HashTable map(device, word, word, 100,
                            {.update = weft::HashUpdate::combine, .combine = weft::Operator::sum()});
  const weft::HashInsert count_words(map, {.value = "1u"});
  const weft::HashFind find(map);
  const weft::HashEntries list(map);

  const auto table = device.buffer<std::byte>(map.bytes());
  const auto counts = device.buffer<uint32_t>(words.size()), different = device.buffer<uint32_t>(100);
  const auto entries = device.buffer<uint64_t>(1);
  map.record_clear(stream, table);
  count_words.record(stream, {.table = table, .keys = keys, .count = keys.size()});
  find.record(stream, {.table = table, .keys = keys, .values = counts, .count = keys.size()});
  list.record(stream, {.table = table, .keys = different, .entries = entries});

  std::vector<uint32_t> each = stream.download(different.part(0, stream.download(entries)[0]));
  std::sort(each.begin(), each.end());  // They come in any order.
  std::printf("%zu different words; the first occurs %u times\n", each.size(), stream.download(counts)[0]);
  const bool right = each == std::vector<uint32_t>{0, 7, 0xFFFFFFFF};
  return right && stream.download(counts) == std::vector<uint32_t>{3, 2, 3, 1, 2, 3} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
