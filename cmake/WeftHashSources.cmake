# Writes OUTPUT, a C++ source that defines translate::version(): a hash of the names and contents of FILES, which are
# relative to FOLDER. The same sources have the same version wherever and whenever they are built.
set(contents "")
foreach(name IN LISTS FILES)
  file(SHA256 ${FOLDER}/${name} hash)
  string(APPEND contents "${name} ${hash}\n")
endforeach()
string(SHA256 version "${contents}")
file(WRITE ${OUTPUT} "#include \"backends/translate/code_cache.h\"

const char* weft::translate::version() { return \"${version}\"; }
")
