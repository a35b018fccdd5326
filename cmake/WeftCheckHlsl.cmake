# Warns of what glslang compiles wrongly in HLSL. No operation of HLSL is an inclusive scan or a floored remainder, so
# each one in the module is such a mistake. Run by weft_add_kernels().
cmake_minimum_required(VERSION 3.25)
file(READ ${MODULE} bytes HEX)
string(LENGTH "${bytes}" end)
set(scans 349 350 351 352)  # OpGroupNonUniformIAdd, FAdd, IMul, FMul
set(remainders 139 141)     # OpSMod, OpFMod
set(wrong "")

# The word at an offset into the hexadecimal digits.
function(read_word result offset)
  string(SUBSTRING "${bytes}" ${offset} 8 word)
  string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1" word ${word})
  set(${result} ${word} PARENT_SCOPE)
endfunction()

set(at 40)  # behind the header
while(at LESS end)
  read_word(word ${at})
  math(EXPR opcode "${word} & 0xffff")
  math(EXPR length "${word} >> 16")
  if(length EQUAL 0)
    break()
  endif()
  if(opcode IN_LIST scans)
    math(EXPR operand "${at} + 32")
    read_word(operation ${operand})
    if(operation EQUAL 1)  # InclusiveScan
      list(APPEND wrong "WavePrefixSum() and WavePrefixProduct() include the lane itself")
    endif()
  elseif(opcode IN_LIST remainders)
    list(APPEND wrong "the sign of % and fmod() is that of the divisor")
  endif()
  math(EXPR at "${at} + 8 * ${length}")
endwhile()

list(REMOVE_DUPLICATES wrong)
list(JOIN wrong ", and " wrong)
if(wrong)
  message(WARNING "${SOURCE}: compiled by glslangValidator, ${wrong}, unlike HLSL. Install dxc or slangc, or name one "
                  "in WEFT_HLSL_COMPILER.")
endif()
