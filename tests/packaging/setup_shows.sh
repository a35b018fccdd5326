#!/usr/bin/env bash
# setup_shows.sh SETUP FOLDER: runs scripts/setup.sh beside an apt-get of this test, which goes on only when SETUP has
# shown what it printed. So lines that a pipe holds back until apt ends fail the test. Also fails if SETUP takes a
# supported system for an untested one. (Debian 12 is left out: its Mesa needs the machine's own sources.)
set -euo pipefail
setup=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/bin"
export PATH=$folder/bin:$PATH SHOWN=$folder/shown WEFT_OS_RELEASE=$folder/os-release
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/dpkg-query"         # nothing is installed
printf '#!/bin/sh\nexec "$@"\n' >"$folder/bin/sudo"
cat >"$folder/bin/apt-get" <<'APT'
#!/usr/bin/env bash
set -euo pipefail
shown() {
  for ((i = 0; i < 100; ++i)); do if grep -qxF "setup: $1" "$SHOWN"; then return; fi; sleep 0.1; done
  echo "not shown within 10 seconds: '$1'" >&2
  exit 1
}
for argument; do if [[ $argument == update ]]; then exit; fi; done
shown "reading apt's package lists"
echo "1 upgraded, 11 newly installed, 0 to remove and 3 not upgraded."
echo "Need to get 120 MB/150 MB of archives."
shown "downloading 120 MB/150 MB of archives."
for i in {1..11}; do echo "Get:$i https://packages.invalid/ suite/main amd64 package$i amd64 1.0 [10 kB]"; done
shown "10 of 12 packages downloaded"
for i in {1..10}; do echo "Unpacking package$i (1.0) ..."; done
shown "10 of 12 packages unpacked"
for i in 11 12; do echo "Unpacking package$i (1.0) ..."; done
shown "12 of 12 packages unpacked"
APT
chmod +x "$folder"/bin/*
for system in "debian 13" "ubuntu 24.04"; do
  printf 'ID=%s\nVERSION_ID=%s\n' $system >"$WEFT_OS_RELEASE"
  "$setup" >"$SHOWN"
  grep -qx "setup: done" "$SHOWN"
  if grep "untested system" "$SHOWN"; then exit 1; fi
done
