#include "tests/stand_ins/emulated_gpu/source.h"

#include <cstring>
#include <span>

#include "tests/stand_ins/emulated_gpu/headers.h"

namespace weft::test {
namespace {

// Code that only the vendors' compilers accept, and its replacement here.
struct Replacement {
  const char *from, *to;
};
constexpr Replacement both_replacements[] = {
    {"extern __shared__ uint4 weft_dynamic_shared[];",
     "static void*& weft_dynamic_shared = emulated::lane_state.dynamic_memory;"},
    {"#define WEFT_MAY_NOT_END()\n", "#define WEFT_MAY_NOT_END() asm volatile(\"\")\n"}};  // needed by g++
constexpr Replacement cuda_replacements[] = {
    {R"(asm("mov.u64 %0, 0;" : "=l"(zero));)", "zero = 0;"},
    {R"(asm volatile("griddepcontrol.wait;" ::: "memory"))", "++emulated::lane_state.awaits"},
    {R"(asm volatile("fence.acq_rel.sys;" ::: "memory");)", "__atomic_thread_fence(__ATOMIC_ACQ_REL);"},
    {R"(asm volatile("fence.acq_rel.gpu;" ::: "memory");)", "__atomic_thread_fence(__ATOMIC_ACQ_REL);"},
    {R"(asm volatile("fence.acq_rel.cta;" ::: "memory");)", "__atomic_thread_fence(__ATOMIC_ACQ_REL);"},
    {R"(asm volatile("ld." order space bits " %0, [%1];" : "=" letter(x) : "l"(static_cast<weft_byte*>(p)) : "memory");)",
     "x = *reinterpret_cast<volatile B*>(static_cast<weft_byte*>(p));"},
    {R"(asm volatile("st." order space bits " [%0], %1;" ::"l"(static_cast<weft_byte*>(p)), letter(x) : "memory");)",
     "*reinterpret_cast<volatile B*>(static_cast<weft_byte*>(p)) = x;"},
    {R"(asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "l"(p) : "memory");)",
     "x.x = p->x, x.y = p->y;"},
    {R"(asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(x.x), "r"(x.y) : "memory");)",
     "p->x = x.x, p->y = x.y;"},
    {R"(asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(p)
                 : "memory");)",
     "x.x = p->x, x.y = p->y, x.z = p->z, x.w = p->w;"},
    {R"(asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");)",
     "p->x = x.x, p->y = x.y, p->z = x.z, p->w = x.w;"},
    {"WEFT_OF_ORDER(WEFT_ATOM, operation, letter)", "x = function(reinterpret_cast<B*>(p.p), v);"},
    {"WEFT_OF_ORDER(WEFT_ATOM_CAS, operation, letter)", "x = atomicCAS(reinterpret_cast<B*>(p.p), expected, v);"}};
constexpr Replacement hip_replacements[] = {
    {"#include <hip/hip_runtime.h>", ""},
    {"__attribute__((ext_vector_type(2)))", "__attribute__((vector_size(8)))"},
    {"__attribute__((ext_vector_type(4)))", "__attribute__((vector_size(16)))"}};

// Any remaining assembly of another processor is an error in the host's compiler.
void replace(std::string& code, std::span<const Replacement> replacements) {
  for (const Replacement& one : replacements) {
    const size_t at = code.find(one.from);
    if (at != std::string::npos) code.replace(at, std::strlen(one.from), one.to);
  }
}

std::string header(std::string_view name) {
  for (const core::EmbeddedFile& file : emulation_headers()) {
    if (file.name == name) return std::string(file.text);
  }
  return "#error no " + std::string(name);
}

}  // namespace

std::string emulated_source(std::string code, TranslationTarget target, uint32_t subgroup_size,
                            uint32_t cuda_architecture) {
  replace(code, both_replacements);
  if (target == TranslationTarget::cuda) {
    replace(code, cuda_replacements);
  } else {
    replace(code, hip_replacements);
  }
  return "#define WEFT_EMULATED_WARP " + std::to_string(subgroup_size) + "u\n#define __CUDA_ARCH__ " +
         std::to_string(cuda_architecture) + "\n" + header("abi.h") + header("kernel.h") + code + "\n" +
         header("entry.h");
}

uint64_t emulation_version() {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const core::EmbeddedFile& file : emulation_headers()) {
    for (const char c : file.text) hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace weft::test
