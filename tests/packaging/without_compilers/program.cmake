# add_shipped_program(<target>)
# The program, with the Weft that is at hand: the one with compilers records its plans, the one without runs them.
set(folder ${CMAKE_CURRENT_LIST_DIR})
# Links a program with tests/support/recorded_glsl.cpp between it and compile_glsl().
set(record_glsl LINKER:--wrap=_ZN4weft12compile_glslERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS_11GlslOptionsE)
function(add_shipped_program target)
  add_executable(${target} ${folder}/main.cpp ${folder}/tasks.cpp)
  target_link_libraries(${target} PRIVATE weft::weft)
  weft_add_kernels(${target} NAMESPACE shipped::kernels HEADER shipped_kernels.h KERNELS ${folder}/saxpy.comp)
endfunction()
