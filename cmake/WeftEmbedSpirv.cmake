# Turns a SPIR-V file into a C++ source that returns it as a weft::Spirv. Run by weft_add_kernels().
file(READ ${MODULE} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR rest "${digits} % 8")
if(NOT bytes MATCHES "^03022307" OR NOT rest EQUAL 0)
  message(FATAL_ERROR "${MODULE} is not a SPIR-V module in little-endian order")
endif()
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${bytes}")
string(REGEX REPLACE "((0x........,)(0x........,)?(0x........,)?(0x........,)?(0x........,)?(0x........,)?(0x........,)?)" "    \\1\n" words "${words}")
file(WRITE ${OUTPUT} "#include <weft/spirv.h>

namespace ${NAMESPACE} {

weft::Spirv ${NAME}() {
  static const uint32_t words[] = {
${words}  };
  return {{std::begin(words), std::end(words)}, \"${NAME}\"};
}

}  // namespace ${NAMESPACE}
")
