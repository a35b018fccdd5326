# Turns text files into a C++ source with a table of their names and contents. FILES are names relative to FOLDER;
# PREFIX is prepended to each name. FUNCTION, declared in HEADER, returns the table.
if(NOT DEFINED FUNCTION)
  set(HEADER core/src/glsl/shader_library.h)
  set(FUNCTION core::shader_library)
endif()
set(entries "")
foreach(name IN LISTS FILES)
  file(READ ${FOLDER}/${name} text)
  # Raw string literals may be at most 64 KiB long; all shaders are far smaller.
  string(APPEND entries "    {\"${PREFIX}${name}\", R\"__glsl__(${text})__glsl__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

#include <vector>

namespace weft {

std::span<const core::EmbeddedFile> ${FUNCTION}() {
  static const std::vector<core::EmbeddedFile> files = {
${entries}  };
  return files;
}

}  // namespace weft
")
