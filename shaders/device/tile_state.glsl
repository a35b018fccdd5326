// Values that tiles publish to one another in device memory, word by word. Used by weft/device/look_back.glsl.
//
// Gives:    WeftTileState, the statuses weft_tile_empty (zero), weft_tile_aggregate and weft_tile_prefix
//           with WEFT_INT64_ATOMICS:  weft_write_packet(), weft_read_packet()
//           without:                  weft_write_word(), weft_write_status(), weft_read_status(), weft_read_word()
//           int weft_last_lane(bool)  the highest lane in which it is true, or -1
// Macros:   WEFT_INT64_ATOMICS   define it if the device has 64-bit atomics on buffers
//
// With 64-bit atomics each word shares a packet with its status: a reader that sees the status sees the word, so
// no accesses need ordering. Without them the status is written after the words (release) and read before them
// (acquire).
#ifndef WEFT_DEVICE_TILE_STATE
#define WEFT_DEVICE_TILE_STATE

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require

const uint weft_tile_empty = 0u;      // Nothing is known yet.
const uint weft_tile_aggregate = 1u;  // The value is the tile's own total.
const uint weft_tile_prefix = 2u;     // The value is the total of all tiles up to the end of this one.

#ifdef WEFT_INT64_ATOMICS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftTileState { uint64_t packet[]; };

void weft_write_packet(WeftTileState state, uint index, uint status, uint word) {
  atomicStore(state.packet[index], packUint2x32(uvec2(word, status)), gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelaxed);
}

// The word in x, its status in y.
uvec2 weft_read_packet(WeftTileState state, uint index) {
  return unpackUint2x32(
      atomicLoad(state.packet[index], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
}

#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTileState { uint word[]; };

void weft_write_word(WeftTileState state, uint index, uint word) {
  atomicStore(state.word[index], word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}
void weft_write_status(WeftTileState state, uint index, uint status) {
  atomicStore(state.word[index], status, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}
uint weft_read_status(WeftTileState state, uint index) {
  return atomicLoad(state.word[index], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsAcquire | gl_SemanticsMakeVisible);
}
uint weft_read_word(WeftTileState state, uint index) {
  return atomicLoad(state.word[index], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}
#endif

int weft_last_lane(bool wanted) {
  uvec4 ballot = subgroupBallot(wanted);
  return ballot == uvec4(0u) ? -1 : int(subgroupBallotFindMSB(ballot));
}

#endif
