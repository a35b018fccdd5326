#!/usr/bin/env bash
# exports.sh LIBRARY SOURCES OBJECTS: checks what a shared library of Weft exports: all of the C++ and the C interface
# of the headers in SOURCES, nothing of the libraries that it links, and all of it with the symbol version. OBJECTS is
# the folder of its object files.
set -euo pipefail
library=$1 sources=$2 objects=$3
failed=0
# Prints what standard input has, as wrong; nothing is right.
none() {
  local lines
  lines=$(head -n 20)
  if [[ -z $lines ]]; then return; fi
  printf '%s:\n%s\n' "$1" "$lines" >&2
  failed=1
}

# Lines of "TYPE NAME", demangled.
exported=$(nm -D --defined-only --with-symbol-versions "$library" | awk '{ print $(NF - 1), $NF }' | c++filt)
none "without the version WEFT_0" < <(grep -v '@@WEFT_0$' <<<"$exported" | grep -v '^A WEFT_0$')
names=$(sed 's/@@WEFT_0$//' <<<"$exported")
none "no part of the interface" < <(grep -v '^A WEFT_0' <<<"$names" |
  grep -vE '^[A-Za-z] (weft_[a-z0-9_]+$|weft::|(typeinfo|typeinfo name|vtable) for weft::)')
none "internal functions" < <(grep -E '^[A-Za-z] (weft::(core|c|bench|test)::|weft::backend::[a-z])' <<<"$names")

# Functions of C.
declared=$(sed -nE 's/^(weft_result|const char\*) (weft_[a-z0-9_]+)\(.*/\2/p' "$sources"/c/include/weft/*.h | sort -u)
none "functions of C that are not exported" < <(comm -23 <(printf '%s\n' "$declared") <(sed 's/^. //' <<<"$names" | sort -u))

# Functions that the objects define, and that are members of a class or functions of these names in a public header.
public=$(awk '
  FNR == 1 { depth = 0 }
  /^namespace .* \{$/ { spaces[++depth] = $2; next }
  /^}(  \/\/ namespace.*)?$/ { --depth; next }
  /^(class|struct) .*\{$/ { name = $2 == "WEFT_API" ? $3 : $2 }
  /^[A-Za-z[].*\(/ && !/^(static_assert|inline|template|concept|using)/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *&]/, "", name) }
  name != "" { for (i = 1; i <= depth; ++i) printf "%s::", spaces[i]; print name; name = "" }
' "$sources"/{core,algorithms}/include/weft/*.h "$sources"/core/include/weft/interop/*.h | sort -u | paste -sd '|')
defined=$(find "$objects" -name '*.o' -exec nm --defined-only {} + | awk 'NF == 3 && $2 == "T" { print $3 }' |
  c++filt | grep -E "^($public)(\\(|::)" | sort -u)
none "functions of the headers that are not exported" < <(comm -23 <(printf '%s\n' "$defined") \
  <(sed 's/^. //' <<<"$names" | sort -u))

printf '%d names are exported; the headers have %d functions of C and %d of C++\n' "$(wc -l <<<"$names")" \
  "$(wc -l <<<"$declared")" "$(wc -l <<<"$defined")"
exit "$failed"
