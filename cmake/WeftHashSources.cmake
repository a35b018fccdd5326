# Writes OUTPUT, a C++ source that defines FUNCTION, declared in HEADER: it returns a hash of the names and contents of
# FILES, which are relative to FOLDER. The same sources have the same hash wherever and whenever they are built.
set(contents "")
foreach(name IN LISTS FILES)
  file(SHA256 ${FOLDER}/${name} hash)
  string(APPEND contents "${name} ${hash}\n")
endforeach()
string(SHA256 version "${contents}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

const char* weft::${FUNCTION}() { return \"${version}\"; }
")
