#include <algorithm>
#include <cstdio>
#include <vector>

#include <weft/sort.h>
#include <weft/weft.h>

#include "weft_calls.h"

#ifdef __cpp_exceptions
#error "compiled with exceptions"
#endif

int main() {
  const std::string wrong = error_of([] { weft::open_device("nothing"); });
  std::printf("%s\n", wrong.c_str());
  bool right = wrong.find("'nothing'") != std::string::npos;

  const std::string none = error_of([&] {
    const weft::Device device = weft::open_device();
    weft::Stream stream = device.stream();
    std::vector<uint32_t> words(1001);
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = i * 2654435761u;
    const auto buffer = device.buffer<uint32_t>(words.size());
    stream.upload(buffer, words);
    weft::sort(stream, buffer);
    std::sort(words.begin(), words.end());
    right = right && stream.download(buffer) == words && buffer.part(1, 1000).as<uint64_t>().size() == 500;
    const std::string odd = error_of([&] { buffer.view().as<uint64_t>(); });
    right = right && odd.find("4004 bytes") != std::string::npos;
  });
  std::printf("%s%s\n", none.c_str(), right && none.empty() ? "right" : "WRONG");
  return right && none.empty() ? 0 : 1;
}
