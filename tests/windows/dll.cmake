# The ZIP that cpack makes of libweft.dll, and programs on it: examples/c, and the program that ships without compilers.
# A part of wine.cmake.
set(build ${WORK}/dll)
set(ENV{CCACHE_BASEDIR} ${build})
run("" ${CMAKE_COMMAND} -S ${WEFT_SOURCE} -B ${build} ${options} -DBUILD_SHARED_LIBS=ON -DWEFT_COMPILERS=OFF
    -DWEFT_BACKENDS=vulkan -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_EXAMPLES=OFF
    -DWEFT_XXHASH_INCLUDE_DIR=${WORK}/include -DVulkan_INCLUDE_DIR=${WORK}/include -DVulkan_LIBRARY=not-linked
    -Dzstd_DIR=${folder}/zstd -DCMAKE_SHARED_LINKER_FLAGS=-static)
run("" ${CMAKE_COMMAND} --build ${build})
run("" ${CMAKE_CPACK_COMMAND} --config ${build}/CPackConfig.cmake -B ${build}/packages)
file(GLOB zip ${build}/packages/weft-*-windows-x86_64.zip)
file(ARCHIVE_EXTRACT INPUT ${zip} DESTINATION ${WORK}/zip)
file(GLOB root ${WORK}/zip/weft-*)
set(dll ${root}/bin/libweft.dll)
needs_only_windows(${dll})

# It exports the interface alone: every function of C, and names in weft::.
execute_process(COMMAND ${OBJDUMP} -p ${dll} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ".*Ordinal/Name Pointer. Table[^\n]*\n" "" table "${headers}")
string(REGEX REPLACE "\n\n.*" "" table "${table}")
string(REGEX MATCHALL "\t.[ 0-9]+. [A-Za-z_][^\n]*" exported "${table}")
list(TRANSFORM exported REPLACE "^\t.[ 0-9]+. " "")
list(LENGTH exported count)
set(foreign ${exported})
list(FILTER foreign EXCLUDE REGEX "^(weft_[a-z0-9_]+|_Z(N|NK|TI|TIN|TS|TSN|TV|TVN)(K?4weft|4weft).*)$")
if(foreign OR count LESS 300)
  message(FATAL_ERROR "libweft.dll exports ${count} names, among them: ${foreign}")
endif()
file(GLOB headers ${root}/include/weft/*_c.h)
foreach(header IN LISTS headers)
  if(header MATCHES "cuda_c|hip_c")
    continue()  # backends that it lacks
  endif()
  file(STRINGS ${header} lines REGEX "^(weft_result|const char\\*) weft_")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "(weft_[a-z0-9_]+)\\(" name "${line}")
    if(NOT CMAKE_MATCH_1 IN_LIST exported)
      message(FATAL_ERROR "libweft.dll does not export ${CMAKE_MATCH_1} of ${header}")
    endif()
  endforeach()
endforeach()

# A program in C, and the pack of its plans: for lavapipe, and as it would ship.
file(STRINGS ${WEFT_SOURCE}/examples/c/sort_and_scan.c calls REGEX "weft_create_plan\\(device, \"")
list(TRANSFORM calls REPLACE ".*weft_create_plan.device, \"([^\"]+)\".*" "\\1" OUTPUT_VARIABLE plans)
list(JOIN plans "\n" plans)
file(WRITE ${WORK}/c_plans.txt "${plans}\n")
run("WEFT_CACHE_DIR=${CACHES}/weft;${lavapipe_256}" ${WEFT} pack ${WORK}/c_plans.txt --device vulkan:llvmpipe
    -o ${WORK}/c.weftpack)
run("WEFT_CACHE_DIR=${CACHES}/weft;${lavapipe_256}" ${WEFT} pack ${WORK}/c_plans.txt --profile nvidia --profile amd
    --profile intel -o ${WORK}/shipped.weftpack)
file(MAKE_DIRECTORY ${WORK}/c)
file(COPY ${dll} DESTINATION ${WORK}/c)
run("" ${C_COMPILER} -std=c11 -Wall -Wextra -Werror -I${root}/include ${WEFT_SOURCE}/examples/c/sort_and_scan.c
    -L${root}/lib -lweft -o ${WORK}/c/sort_and_scan.exe)
run("${lavapipe_256};WEFT_PACKS=Z:${WORK}/c.weftpack" ${wine} ${WORK}/c/sort_and_scan.exe vulkan:llvmpipe)
file(SIZE ${dll} dll_bytes)
file(SIZE ${WORK}/shipped.weftpack pack_bytes)
math(EXPR bytes "${dll_bytes} + ${pack_bytes}")
message(STATUS "libweft.dll: ${dll_bytes} bytes, ${count} names; with the pack of sort and scan ${bytes} bytes")
if(bytes GREATER_EQUAL 3000000)
  message(FATAL_ERROR "libweft.dll and the pack of sort and scan have ${bytes} bytes; they should have less than 3 MB")
endif()

# A program in C++, which also catches the library's exceptions.
run("" ${CMAKE_COMMAND} -S ${folder}/project -B ${WORK}/on_dll ${options} -Dweft_DIR=${root}/lib/cmake/weft)
run("" ${CMAKE_COMMAND} --build ${WORK}/on_dll)
file(COPY ${dll} DESTINATION ${WORK}/on_dll)
run("${lavapipe_256};WEFT_PACKS=Z:${pack}" ${wine} ${WORK}/on_dll/shipped.exe vulkan:llvmpipe)
