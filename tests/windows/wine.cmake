# Builds the programs of project/ for Windows, and runs them under Wine, on the host device and on lavapipe through
# Wine's Vulkan: the tests of core/src/platform/, a program that ships without compilers, then tests of core and of the
# primitives (tests.cmake), the command (command.cmake), and libweft.dll (dll.cmake). See CMakeLists.txt. Stops at the first step that fails.
cmake_minimum_required(VERSION 3.25)
set(folder ${CMAKE_CURRENT_LIST_DIR})
include(${folder}/../packaging/recorded_tests.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/include)
foreach(header IN ITEMS ${HEADERS})
  cmake_path(GET header FILENAME name)
  file(CREATE_LINK ${header} ${WORK}/include/${name} SYMBOLIC)
endforeach()

set(options -G ${GENERATOR} --toolchain ${folder}/mingw.cmake -DCMAKE_BUILD_TYPE=MinSizeRel
    -DCMAKE_C_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DWEFT_WARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS}
    -DWEFT_SOURCE=${WEFT_SOURCE} -DHEADERS=${WORK}/include -DWEFT_ZSTD_SOURCE=${ZSTD_SOURCE}
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
run("" ${CMAKE_COMMAND} -S ${folder}/project -B ${WORK}/build ${options})
run("" ${CMAKE_COMMAND} --build ${WORK}/build)
if(CLANG)
  run("" ${CMAKE_COMMAND} -DBUILD=${WORK}/build -DCLANG=${CLANG} -P ${folder}/parse.cmake)
endif()

function(needs_only_windows program)
  execute_process(COMMAND ${OBJDUMP} -p ${program} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "DLL Name: [^\n]+" needed "${headers}")
  list(TRANSFORM needed REPLACE "DLL Name: " "")
  foreach(library IN LISTS needed)
    if(NOT library MATCHES "^(KERNEL32|ADVAPI32|SHELL32|msvcrt)\\.dll$")
      message(FATAL_ERROR "${program} links ${library}; it needs only Windows' libraries: ${needed}")
    endif()
  endforeach()
endfunction()
needs_only_windows(${WORK}/build/shipped.exe)
needs_only_windows(${WORK}/build/platform_tests.exe)
run("" ${STRIP} -o ${WORK}/shipped.exe ${WORK}/build/shipped.exe)
file(SIZE ${WORK}/shipped.exe bytes)
message(STATUS "stripped: ${bytes} bytes")
if(bytes GREATER_EQUAL 3000000)
  message(FATAL_ERROR "The stripped program has ${bytes} bytes; it should have less than 3 MB")
endif()

set(wine ${folder}/under_wine.sh ${WORK}/wine)
run("" ${wine} ${WORK}/build/platform_tests.exe)
run("" ${wine} ${WORK}/build/output_tests.exe)

# The list and the pack come from this build; Weft's names of files are UTF-8 on Windows too.
set(list ${WORK}/plans.txt)
set(pack ${WORK}/größe.weftpack)
set(lavapipe_256 VK_DRIVER_FILES=${LAVAPIPE} VK_ICD_FILENAMES=${LAVAPIPE} LP_NATIVE_VECTOR_WIDTH=256
    MESA_SHADER_CACHE_DIR=${CACHES}/mesa-256)
run("WEFT_CACHE_DIR=${CACHES}/weft;WEFT_RECORD_PLANS=${list};${lavapipe_256}" ${RECORDER} vulkan:llvmpipe record)
run("WEFT_CACHE_DIR=${CACHES}/weft;${lavapipe_256}" ${WEFT} pack ${list} --device vulkan:llvmpipe -o ${pack})
run("${lavapipe_256};WEFT_PACKS=Z:${pack}" ${wine} ${WORK}/shipped.exe vulkan:llvmpipe)

# A pack that others can change is refused. (Wine makes access-control lists of the files' modes.)
file(COPY_FILE ${pack} ${WORK}/open.weftpack)
file(CHMOD ${WORK}/open.weftpack PERMISSIONS OWNER_READ OWNER_WRITE WORLD_READ WORLD_WRITE)
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${lavapipe_256} WEFT_PACKS=Z:${WORK}/open.weftpack
                        ${wine} ${WORK}/shipped.exe vulkan:llvmpipe
  RESULT_VARIABLE result ERROR_VARIABLE error COMMAND_ECHO STDOUT)
if(result EQUAL 0 OR NOT error MATCHES "it holds code that runs as this user, and every user can write it")
  message(FATAL_ERROR "A pack that every user can write should be refused, but: ${result}, ${error}")
endif()

# Pipelines were kept in the cache, which is where Windows has caches, and the second run takes them from there. It
# records its plans: those of the list, and one that no pack has.
file(GLOB entries ${WORK}/wine/prefix/drive_c/users/*/AppData/Local/weft/vulkan-*)
if(NOT entries)
  message(FATAL_ERROR "The cache in %LOCALAPPDATA% has no pipelines")
endif()
set(recorded ${WORK}/recorded/plans.txt)
file(MAKE_DIRECTORY ${WORK}/recorded)
run("${lavapipe_256};WEFT_PACKS=Z:${pack};WEFT_RECORD_PLANS=Z:${recorded}" ${wine} ${WORK}/shipped.exe vulkan:llvmpipe)
file(STRINGS ${list} missing)
file(STRINGS ${recorded} lines)
list(REMOVE_ITEM missing ${lines})
if(missing)
  message(FATAL_ERROR "The list of plans that was recorded under Wine lacks: ${missing}")
endif()

include(${folder}/tests.cmake)
include(${folder}/command.cmake)
include(${folder}/dll.cmake)
