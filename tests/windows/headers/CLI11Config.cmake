# Stands for CLI11's package, whose headers lie among those of the machine that builds.
add_library(CLI11::CLI11 INTERFACE IMPORTED)
target_include_directories(CLI11::CLI11 SYSTEM INTERFACE ${HEADERS})
