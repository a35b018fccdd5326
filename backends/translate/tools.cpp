#include <spirv-tools/libspirv.hpp>

#include "backends/translate/code_cache.h"

std::string weft::translate::tools() { return spvSoftwareVersionString(); }
