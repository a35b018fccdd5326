#!/usr/bin/env bash
# Expected: WavePrefixSum() of HLSL adds the values of the lanes before this one, without its own, and
#   WavePrefixProduct() multiplies them. In SPIR-V that is the group operation ExclusiveScan.
# Package: glslang-tools 12.0.0-2 (Debian 12).
# Seen: glslangValidator writes InclusiveScan for WavePrefixSum() and WavePrefixProduct(), without a warning, so each
#   lane's result has its own value in it.
# Fails if this behaviour changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download glslang-tools=12.0.0-2
dpkg -x glslang-tools_*.deb package
cat >sums.hlsl <<'HLSL'
RWStructuredBuffer<uint> data : register(u0);
[numthreads(32, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  data[id.x] = WavePrefixSum(data[id.x]) + WavePrefixProduct(data[id.x]);
}
HLSL
package/usr/bin/glslangValidator -D -V -S comp -e main --target-env vulkan1.1 -H sums.hlsl -o sums.spv >text
grep -E 'GroupNonUniform(IAdd|IMul)' text
[[ $(grep -cE 'GroupNonUniform(IAdd|IMul) .*InclusiveScan' text) == 2 ]] && ! grep -q ExclusiveScan text ||
  { echo "the behaviour has changed"; exit 1; }
echo "as described: the prefix sum and the prefix product include the lane itself"
