#!/usr/bin/env bash
# under_wine.sh FOLDER PROGRAM [ARGUMENTS]: runs a Windows program. Wine's files are in FOLDER, made on first use. Its
# Vulkan needs a display, and a server of Wine keeps the one that it was started with, so each call has its own of both.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
mkfifo "$folder/display.$$"
Xvfb -displayfd 3 -screen 0 64x64x24 -nolisten tcp 3>"$folder/display.$$" >"$folder/xvfb.log" 2>&1 &
display=$!
end() {
  wineserver -k || true  # the one of this prefix
  kill "$display" || true
  rm -f "$folder/display.$$"
}
trap end EXIT
read -r number <"$folder/display.$$"
export DISPLAY=:$number
if [[ ! -d $WINEPREFIX/drive_c/windows ]]; then wineboot -i >"$folder/wineboot.log" 2>&1; fi
wine "$@"
