#include <sstream>

#include "tests/translate/compile.h"

namespace weft::test {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Returns the word after a line's "=", or its first word.
std::string opcode_of(const std::string& line) {
  std::istringstream words(line);
  std::string first, equals, third;
  words >> first >> equals >> third;
  return equals == "=" ? third : first;
}

bool is_one_of(const std::string& opcode, std::initializer_list<std::string_view> beginnings) {
  for (const std::string_view beginning : beginnings) {
    if (opcode.starts_with(beginning)) return true;
  }
  return false;
}

// Sorts the text of a kernel, line by line, into the sections of a module.
class Assembler {
 public:
  Assembler(uint32_t minor, const std::string& text, uint32_t workgroup)
      : minor_(minor), text_(text), workgroup_(workgroup) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find_first_not_of(" \t"));
      if (!line.empty() && line[0] != ';') route(line);
    }
  }

  std::string module() const {
    return capabilities_ + imports_ + memory_model() + "OpEntryPoint GLCompute %main \"main\" %global_id %local_index" +
           (minor_ >= 4 ? " %given %result" + interface_ : inputs_) + "\n" + modes() + strings_ + names_ + processed_ +
           annotations() + types() + globals_ + main() + functions_;
  }

 private:
  void route(const std::string& line) {
    const std::string opcode = opcode_of(line);
    if (!in_function_ && opcode == "OpFunction") in_function_ = true;
    if (in_function_) {
      functions_ += line + "\n";
      in_function_ = opcode != "OpFunctionEnd";
    } else if (is_one_of(opcode, {"OpCapability", "OpExtension"})) {
      (opcode == "OpCapability" ? capabilities_ : imports_) += line + "\n";
    } else if (opcode == "OpExtInstImport") {
      imports_ += line + "\n";
    } else if (is_one_of(opcode, {"OpString", "OpSource"})) {
      strings_ += line + "\n";
    } else if (is_one_of(opcode, {"OpName", "OpMemberName"})) {
      names_ += line + "\n";
    } else if (opcode == "OpModuleProcessed") {
      processed_ += line + "\n";
    } else if (opcode == "OpMemoryModel") {
      memory_model_ = line + "\n";
    } else if (is_one_of(opcode, {"OpExecutionMode"})) {
      modes_ += line + "\n";
    } else if (is_one_of(opcode, {"OpDecorat", "OpMember", "OpGroupDecorate", "OpGroupMember"})) {
      annotations_ += line + "\n";
    } else if (is_one_of(opcode, {"OpType", "OpConstant", "OpSpecConstant"})) {
      globals_ += line + "\n";
    } else if (opcode == "OpVariable") {
      variable(line);
    } else {
      body(line, opcode);
    }
  }

  void variable(const std::string& line) {
    if (has(line, " Function")) {
      locals_ += line + "\n";
      return;
    }
    globals_ += line + "\n";
    const std::string name = " " + line.substr(0, line.find(' '));
    interface_ += name;
    if (has(line, " Input")) inputs_ += name;
  }

  // Stores a result, or keeps the instruction as it is.
  void body(const std::string& line, const std::string& opcode) {
    last_ = opcode;
    std::istringstream words(line);
    std::string what, value;
    words >> what >> value;
    const std::string n = "%put_" + std::to_string(results_);
    if (what == "put") {
      store(value);
    } else if (what == "puti" || what == "putf") {
      body_ += n + " = OpBitcast %uint " + value + "\n";
      store(n);
    } else if (what == "putb") {
      body_ += n + " = OpSelect %uint " + value + " %c1 %c0\n";
      store(n);
    } else if (what == "put2" || what == "put4" || what == "put64") {
      if (what == "put64") body_ += n + " = OpBitcast %v2uint " + value + "\n";
      for (int k = 0; k < (what == "put4" ? 4 : 2); ++k) {
        const std::string part = n + "_part_" + std::to_string(k);
        body_ += part + " = OpCompositeExtract %uint " + (what == "put64" ? n : value) + " " + std::to_string(k) + "\n";
        store(part);
      }
    } else {
      body_ += line + "\n";
    }
  }

  void store(const std::string& value) {
    const std::string k = std::to_string(results_++);
    body_ += "%at_" + k + " = OpIAdd %uint %base %c" + k + "\n%to_" + k +
             " = OpAccessChain %ptr_uint_buffer %result %c0 %at_" + k + "\nOpStore %to_" + k + " " + value + "\n";
  }

  std::string memory_model() const { return memory_model_.empty() ? "OpMemoryModel Logical GLSL450\n" : memory_model_; }

  std::string modes() const {
    const bool has_size = has(modes_, "LocalSize");
    return (has_size ? "" : "OpExecutionMode %main LocalSize " + std::to_string(workgroup_) + " 1 1\n") + modes_;
  }

  std::string annotations() const {
    std::string text = minor_ >= 3 ? "OpDecorate %words Block\n" : "OpDecorate %words BufferBlock\n";
    text += R"(OpDecorate %words_array ArrayStride 4
OpMemberDecorate %words 0 Offset 0
OpDecorate %given DescriptorSet 0
OpDecorate %given Binding 0
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 1
OpDecorate %global_id BuiltIn GlobalInvocationId
OpDecorate %local_index BuiltIn LocalInvocationIndex
)";
    return text + annotations_;
  }

  std::string types() const {
    const std::string storage = minor_ >= 3 ? "StorageBuffer" : "Uniform";
    std::string text =
        "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n"
        "%float = OpTypeFloat 32\n%main_type = OpTypeFunction %void\n%yes = OpConstantTrue %bool\n"
        "%no = OpConstantFalse %bool\n";
    for (const char* scalar : {"uint", "int", "float", "bool"}) {
      for (int n = 2; n <= 4; ++n) {
        const std::string count = std::to_string(n);
        text += "%v" + count + scalar + " = OpTypeVector %" + scalar + " " + count + "\n";
      }
    }
    const auto constants = [&](const char* prefix, const char* type, int count, const char* suffix) {
      for (int k = 0; k < count; ++k) {
        const std::string n = std::to_string(k);
        text += std::string(prefix) + n + " = OpConstant " + type + " " + n + suffix + "\n";
      }
    };
    constants("%c", "%uint", 65, "");
    constants("%i", "%int", 32, "");
    constants("%f", "%float", 9, ".0");
    return text +
           "%scale = OpConstant %float 9.5367431640625e-07\n%words_array = OpTypeRuntimeArray %uint\n"
           "%words = OpTypeStruct %words_array\n%ptr_words = OpTypePointer " +
           storage +
           " %words\n"
           "%ptr_uint_buffer = OpTypePointer " +
           storage +
           " %uint\n%ptr_uint_function = OpTypePointer Function %uint\n"
           "%ptr_uint_workgroup = OpTypePointer Workgroup %uint\n%ptr_input_three = OpTypePointer Input %v3uint\n"
           "%ptr_input_uint = OpTypePointer Input %uint\n%given = OpVariable %ptr_words " +
           storage +
           "\n"
           "%result = OpVariable %ptr_words " +
           storage +
           "\n%global_id = OpVariable %ptr_input_three Input\n"
           "%local_index = OpVariable %ptr_input_uint Input\n";
  }

  std::string main() const {
    std::string text =
        "%main = OpFunction %void None %main_type\n%entry = OpLabel\n" + locals_ +
        "%global_id_value = OpLoad %v3uint %global_id\n%id = OpCompositeExtract %uint %global_id_value 0\n"
        "%local = OpLoad %uint %local_index\n%base = OpIMul %uint %id %c32\n%first = OpIMul %uint %id %c16\n";
    for (int k = 0; k < 16; ++k) {
      const std::string n = std::to_string(k);
      if (!uses("%u" + n) && !uses("%s" + n) && !uses("%r" + n)) continue;
      text += "%given_at_" + n + " = OpIAdd %uint %first %c" + n + "\n%given_" + n +
              " = OpAccessChain %ptr_uint_buffer %given %c0 %given_at_" + n + "\n%u" + n + " = OpLoad %uint %given_" +
              n + "\n";
      if (uses("%s" + n) || uses("%r" + n)) text += "%s" + n + " = OpBitcast %int %u" + n + "\n";
      if (uses("%r" + n)) {
        text += "%shifted_" + n + " = OpShiftRightArithmetic %int %s" + n + " %c8\n%whole_" + n +
                " = OpConvertSToF %float %shifted_" + n + "\n%r" + n + " = OpFMul %float %whole_" + n + " %scale\n";
      }
    }
    const bool ends = last_ == "OpReturn" || last_ == "OpUnreachable";
    return text + body_ + (ends ? "" : "OpReturn\n") + "OpFunctionEnd\n";
  }

  // Finds whole words: %s1 is not in %s12.
  bool uses(const std::string& name) const {
    for (size_t at = text_.find(name); at != std::string::npos; at = text_.find(name, at + 1)) {
      const size_t end = at + name.size();
      if (end == text_.size() || (!std::isalnum(static_cast<unsigned char>(text_[end])) && text_[end] != '_'))
        return true;
    }
    return false;
  }

  uint32_t minor_;
  const std::string& text_;
  uint32_t workgroup_;
  bool in_function_ = false;
  size_t results_ = 0;
  std::string capabilities_ = "OpCapability Shader\n", imports_, memory_model_, modes_, strings_, names_, processed_,
              annotations_, globals_, locals_, body_, functions_, interface_, inputs_, last_;
};

}  // namespace

Spirv assemble_kernel(uint32_t minor, const std::string& text, const std::string& name, uint32_t workgroup) {
  Spirv module = assemble_spirv(Assembler(minor, text, workgroup).module(), name);
  module.words.at(1) = 0x00010000 | minor << 8;
  return module;
}

}  // namespace weft::test
