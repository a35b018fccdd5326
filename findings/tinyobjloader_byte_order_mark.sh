#!/usr/bin/env bash
# Expected: a Wavefront .obj file that starts with a UTF-8 byte order mark, as Windows editors write it, has the same
#   mesh as without: the mark is no part of the text. Or else the reader reports the line that it does not know.
# Package: tinyobjloader 2.0.0rc13 (PyPI), the newest in November 2026.
# Seen: the mark makes the first line an unknown one, which is skipped without a warning. If that line is a vertex, the
#   indices of all faces are off by one, and ParseFromFile() still returns True.
# Fails if this behaviour changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check tinyobjloader==2.0.0rc13
mesh='v 0 0 0\nv 1 0 0\nv 1 1 0\nv 7 7 7\nf 1 2 3\n'
printf "$mesh" >"$folder/plain.obj"
printf "\xef\xbb\xbf$mesh" >"$folder/marked.obj"
"$folder/venv/bin/python" - "$folder" <<'PY'
import sys, tinyobjloader

def corners(name):
    reader = tinyobjloader.ObjReader()
    parsed = reader.ParseFromFile(f"{sys.argv[1]}/{name}.obj")
    vertices = reader.GetAttrib().vertices
    indices = [i.vertex_index for i in reader.GetShapes()[0].mesh.indices]
    triangle = [tuple(vertices[3 * i : 3 * i + 3]) for i in indices]
    print(f"{name}: parsed {parsed}, warning {reader.Warning()!r}, {len(vertices) // 3} vertices, triangle {triangle}")
    return parsed, reader.Warning(), triangle

plain, marked = corners("plain"), corners("marked")
assert plain == (True, "", [(0, 0, 0), (1, 0, 0), (1, 1, 0)])
assert marked == (True, "", [(1, 0, 0), (1, 1, 0), (7, 7, 7)]), "the behaviour has changed"
PY
echo "as described: the first vertex is lost, and no warning says so"
