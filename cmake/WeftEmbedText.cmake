# Turns text files into a C++ source with a table of their names and contents. FILES are names relative to FOLDER;
# PREFIX is put before each name.
set(entries "")
foreach(name IN LISTS FILES)
  file(READ ${FOLDER}/${name} text)
  # Raw string literals may be at most 64 KiB long, and no shader comes near.
  string(APPEND entries "    {\"${PREFIX}${name}\", R\"__glsl__(${text})__glsl__\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"core/src/shader_library.h\"

#include <vector>

namespace weft::core {

std::span<const EmbeddedFile> shader_library() {
  static const std::vector<EmbeddedFile> files = {
${entries}  };
  return files;
}

}  // namespace weft::core
")
