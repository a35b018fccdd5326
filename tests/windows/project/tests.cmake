# Programs of tests/ for Windows, whose GLSL was compiled by those of a build with compilers
# (support/recorded_glsl.cpp). Left out is what starts programs, wraps Linux's drivers or compiles.
set(tests ${WEFT_SOURCE}/tests)
add_library(windows_test_support STATIC)
foreach(name IN ITEMS devices files guarded main poison random recording_device sample recorded_glsl vulkan_host/hazards)
  target_sources(windows_test_support PRIVATE ${tests}/support/${name}.cpp)
endforeach()
target_link_libraries(windows_test_support PUBLIC weft_static)
target_include_directories(windows_test_support PUBLIC ${WEFT_SOURCE})
target_include_directories(windows_test_support SYSTEM PUBLIC ${HEADERS})
target_compile_options(windows_test_support PUBLIC -O0)
weft_compile_options(windows_test_support)

file(GLOB conformance ${tests}/conformance/*.cpp)
list(FILTER conformance EXCLUDE REGEX
  "/(bindings|cache|capabilities|endless_kernel|foreign_spirv|forks|kernels|options|several_devices|specialization).cpp")
file(GLOB conformance_kernels ${tests}/conformance/kernels/*.comp)
add_executable(conformance ${conformance})
weft_add_kernels(conformance NAMESPACE weft::test::kernels HEADER conformance_kernels.h KERNELS ${conformance_kernels})

file(GLOB algorithms ${tests}/algorithms/reference/*.cpp ${tests}/algorithms/base/sizes.cpp
  ${tests}/algorithms/base/tuned.cpp)
foreach(family IN ITEMS reduce runs scan select sort)
  file(GLOB sources ${tests}/algorithms/${family}/*.cpp)
  list(APPEND algorithms ${sources})
endforeach()
add_executable(algorithms ${algorithms})

foreach(program IN ITEMS conformance algorithms)
  target_link_libraries(${program} PRIVATE windows_test_support)
  target_link_options(${program} PRIVATE ${record_glsl})
  weft_compile_options(${program})
endforeach()
