# Stands for nlohmann_json's package, whose headers lie among those of the machine that builds.
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${HEADERS})
