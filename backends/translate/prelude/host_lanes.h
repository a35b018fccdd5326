// A flow of control is a subgroup of WEFT_LANES lanes. Statements of single lanes are in loops over the active ones, of
// which compilers make vector instructions.
struct weft_context {
  weft_host_invocation* invocation;  // lane 0
  uint32_t lane;
  weft_byte* shared;  // A copy, which no store to memory may change: it stays in a register.
};
template <class Privates>
struct weft_lane_context : weft_context {
  Privates* privates;
  weft_lane_context(weft_host_invocation* i, Privates* all) : weft_context{i, 0, i->workgroup_memory}, privates(all) {}
  weft_lane_context(const weft_lane_context& group, uint32_t lane)
      : weft_context{group.invocation, lane, group.shared}, privates(group.privates + lane) {}
};

constexpr uint32_t weft_invocations = WEFT_WORKGROUP_SIZE_X * WEFT_WORKGROUP_SIZE_Y * WEFT_WORKGROUP_SIZE_Z;
WEFT_FN uint32_t weft_lane(const weft_context& c) { return c.lane; }
WEFT_FN uint32_t weft_local_index(const weft_context& c) { return c.invocation->local_index + c.lane; }
WEFT_FN uint32_t weft_subgroup_size(const weft_context&) { return WEFT_LANES; }
WEFT_FN uint32_t weft_subgroup_count(const weft_context&) { return (weft_invocations - 1) / WEFT_LANES + 1; }
WEFT_FN weft_uvec3 weft_three(const uint32_t* x) { return weft_uvec3{{x[0], x[1], x[2]}}; }
WEFT_FN weft_uvec3 weft_local_id(const weft_context& c) {
  const uint32_t index = weft_local_index(c);
  if (WEFT_WORKGROUP_SIZE_Y == 1 && WEFT_WORKGROUP_SIZE_Z == 1) return weft_uvec3{{index, 0, 0}};
  const uint32_t row = index / WEFT_WORKGROUP_SIZE_X;
  return weft_uvec3{{index % WEFT_WORKGROUP_SIZE_X, row % WEFT_WORKGROUP_SIZE_Y, row / WEFT_WORKGROUP_SIZE_Y}};
}

// Lanes of a subgroup, lane 0 in the lowest bit.
struct weft_mask {
  uint32_t bits[(WEFT_LANES + 31) / 32];
};
constexpr uint32_t weft_mask_words = (WEFT_LANES + 31) / 32;
// WEFT_ALL_LANES: no lanes part, and every subgroup is full.
WEFT_FN bool weft_is_active(const weft_mask& mask, uint32_t lane) {
  return WEFT_ALL_LANES || (mask.bits[lane / 32] >> (lane % 32)) & 1u;
}
WEFT_FN weft_mask weft_without(weft_mask a, const weft_mask& b) {
  for (uint32_t w = 0; w < weft_mask_words; ++w) a.bits[w] &= ~b.bits[w];
  return a;
}
WEFT_FN bool weft_any(const weft_mask& mask) {
  uint32_t any = 0;
  for (uint32_t w = 0; w < weft_mask_words; ++w) any |= mask.bits[w];
  return any != 0;
}
WEFT_FN void weft_vote(weft_mask& mask, uint32_t lane, bool yes) {
  mask.bits[lane / 32] |= uint32_t(yes) << (lane % 32);
}
WEFT_FN weft_mask weft_in_both(weft_mask a, const weft_mask& b) {
  for (uint32_t w = 0; w < weft_mask_words; ++w) a.bits[w] &= b.bits[w];
  return a;
}
WEFT_FN weft_mask weft_first_lanes(uint32_t count) {
  weft_mask mask;
  for (uint32_t w = 0; w < weft_mask_words; ++w) {
    mask.bits[w] = count >= 32 * (w + 1) ? ~0u : count <= 32 * w ? 0u : (1u << (count - 32 * w)) - 1u;
  }
  return mask;
}
// The existing lanes: the last subgroup of a workgroup may have fewer.
WEFT_FN uint32_t weft_existing_lanes(const weft_context& c) {
  if (weft_invocations % WEFT_LANES == 0) return WEFT_LANES;
  const uint32_t left = weft_invocations - c.invocation->local_index;
  return left < WEFT_LANES ? left : WEFT_LANES;
}
WEFT_FN bool weft_is_full(const weft_context& c) { return weft_existing_lanes(c) == WEFT_LANES; }
WEFT_FN weft_mask weft_all_lanes(const weft_context& c) { return weft_first_lanes(weft_existing_lanes(c)); }

WEFT_FN uint32_t weft_first_lane(const weft_mask& mask) {
  uint32_t first = 0;
  for (uint32_t w = weft_mask_words; w-- > 0;) {
    if (mask.bits[w]) first = 32 * w + uint32_t(__builtin_ctz(mask.bits[w]));
  }
  return first;
}
WEFT_FN void weft_remove_first(weft_mask& mask) {
  for (uint32_t w = 0; w < weft_mask_words; ++w) {
    if (!mask.bits[w]) continue;
    mask.bits[w] &= mask.bits[w] - 1u;
    return;
  }
}

// A statement that the lanes of `mask` run one after the other, with the subgroup's context `group`. A test of each
// lane's bit would be a branch in each copy of an unrolled loop: four times the code, and of the time to compile it.
#if WEFT_ALL_LANES
#define WEFT_EACH_LANE                               \
  for (uint32_t lane = 0; lane < WEFT_LANES; ++lane) \
    if (kernel::weft_self self(group, lane); true)
#else
#define WEFT_EACH_LANE                                                                \
  for (weft_mask weft_left = mask; weft_any(weft_left); weft_remove_first(weft_left)) \
    if (const uint32_t lane = weft_first_lane(weft_left); true)                       \
      if (kernel::weft_self self(group, lane); true)
#endif

#define WEFT_EACH_EXISTING_LANE                                      \
  for (uint32_t lane = 0; lane < weft_existing_lanes(group); ++lane) \
    if (kernel::weft_self self(group, lane); true)

// A value of each lane.
template <class T>
struct weft_lanes {
  T v[WEFT_LANES];
  weft_lanes() = default;
  weft_lanes(const T& x) {
    for (T& one : v) one = x;
  }
  T& operator[](uint32_t lane) { return v[lane]; }
  const T& operator[](uint32_t lane) const { return v[lane]; }
};

// The lanes of `mask` with a true value. A product moves the lowest bits of eight bytes into one byte.
WEFT_FN weft_mask weft_ballot_mask(const weft_mask& mask, const weft_lanes<bool>& votes) {
  weft_mask result = {};
#ifdef __SSE2__
  if (WEFT_LANES % 16 == 0) {
    typedef char bytes __attribute__((vector_size(16)));
    for (uint32_t l = 0; l < WEFT_LANES; l += 16) {
      bytes sixteen;
      memcpy(&sixteen, votes.v + l, 16);
      result.bits[l / 32] |= uint32_t(__builtin_ia32_pmovmskb128(-sixteen)) << (l % 32);  // the bytes' highest bits
    }
    return weft_in_both(result, mask);
  }
#endif
  if (WEFT_LANES % 8 == 0) {
    for (uint32_t l = 0; l < WEFT_LANES; l += 8) {
      uint64_t bytes;
      memcpy(&bytes, votes.v + l, 8);
      const uint64_t bits = ((bytes & 0x0101010101010101ull) * 0x0102040810204080ull) >> 56;
      result.bits[l / 32] |= uint32_t(bits) << (l % 32);
    }
  } else {
    for (uint32_t l = 0; l < WEFT_LANES; ++l) weft_vote(result, l, weft_is_active(mask, l) && votes.v[l]);
  }
  return weft_in_both(result, mask);
}

// Whether a condition is the same in all lanes.
WEFT_FN bool weft_agree(const weft_lanes<bool>& votes) {
  bool differ = false;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) differ |= votes.v[l] != votes.v[0];
  return !differ;
}

// Values for the lanes of `mask` alone.
template <class T>
WEFT_FN void weft_assign(weft_lanes<T>& to, const weft_mask& mask, const weft_lanes<T>& from) {
  for (uint32_t l = 0; l < WEFT_LANES; ++l) to.v[l] = weft_is_active(mask, l) ? from.v[l] : to.v[l];
}
template <class T>
WEFT_FN void weft_assign(weft_lanes<T>& to, const weft_mask& mask, T value) {
  for (uint32_t l = 0; l < WEFT_LANES; ++l) to.v[l] = weft_is_active(mask, l) ? value : to.v[l];
}

// Lanes that leave constructs. `exit_to` holds their destination, or 0.
WEFT_FN void weft_leave(weft_lanes<uint32_t>& exit_to, const weft_mask& mask, uint32_t target) {
  weft_assign(exit_to, mask, target);
}
// The lanes of `entry` that are here: that did not leave, or for here.
WEFT_FN weft_mask weft_arrive(const weft_mask& entry, weft_lanes<uint32_t>& exit_to, uint32_t here) {
  weft_mask mask = {};
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    if (!weft_is_active(entry, l)) continue;
    if (exit_to.v[l] == here) exit_to.v[l] = 0;
    weft_vote(mask, l, exit_to.v[l] == 0);
  }
  return mask;
}
// The lanes of `entry` that take a case of a switch.
WEFT_FN weft_mask weft_chosen(const weft_mask& entry, const weft_lanes<uint32_t>& cases, uint32_t number) {
  weft_mask mask = {};
  for (uint32_t l = 0; l < WEFT_LANES; ++l) weft_vote(mask, l, weft_is_active(entry, l) && cases.v[l] == number);
  return mask;
}
