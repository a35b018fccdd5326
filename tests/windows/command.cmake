# The command for Windows, under Wine. A part of wine.cmake, after tests.cmake.
set(slim_command ${wine} ${WORK}/build/weft/tools/weft.exe)
needs_only_windows(${WORK}/build/weft/tools/weft.exe)
set(drive Z:)
set(packs_for_host --profile ${architecture})
set(work ${WORK}/command)
include(${folder}/../packaging/slim_command.cmake)

# What Windows would have to start or load.
slim_weft("" bench --from ${work}/host.json --plot ${work}/refused.svg)
expect_error(2 "--plot: gnuplot cannot be started")
slim_weft("" bench sort --peer cub)
expect_error(2 "--peer cub: there is no ")

# Ctrl-C removes what was not finished.
file(MAKE_DIRECTORY ${work}/ended)
execute_process(COMMAND ${wine} ${WORK}/build/output_tests.exe ${work}/ended/output
  OUTPUT_VARIABLE output ERROR_VARIABLE error)  # Wine's exit status is 0
file(GLOB left ${work}/ended/*)
if(error OR left)
  message(FATAL_ERROR "Ctrl-C should end a program and leave no file, but: ${error}, ${left}")
endif()
file(GLOB left ${work}/weft-* ${work}/refused*)
if(left)
  message(FATAL_ERROR "Temporary files are left: ${left}")
endif()
