#pragma once

#include <string>
#include <vector>

namespace weft::cuda {

/// File names of NVRTC, in the folders of libraries and toolkits.
inline std::vector<std::string> nvrtc_names() {
  std::vector<std::string> names;
  for (const char* folder : {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"}) {
    for (const char* version : {"13", "12"}) names.push_back(std::string(folder) + "libnvrtc.so." + version);
  }
  return names;
}

}  // namespace weft::cuda
