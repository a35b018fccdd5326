// A flow of control is an invocation, on a fiber. Lanes exchange values through the runtime.
struct weft_context {
  weft_host_invocation* invocation;
  weft_byte* shared;  // A copy, which no store to memory may change: it stays in a register.
  explicit weft_context(weft_host_invocation* i) : invocation(i), shared(i->workgroup_memory) {}
};
typedef weft_host_mask weft_mask;

static inline weft_uvec3 weft_three(const uint32_t* x) { return weft_uvec3{{x[0], x[1], x[2]}}; }
static inline weft_uvec3 weft_local_id(const weft_context& c) { return weft_three(c.invocation->local_id); }
static inline uint32_t weft_local_index(const weft_context& c) { return c.invocation->local_index; }
static inline uint32_t weft_lane(const weft_context& c) { return c.invocation->lane; }
static inline uint32_t weft_subgroup_size(const weft_context& c) { return c.invocation->subgroup_size; }
static inline uint32_t weft_subgroup_count(const weft_context& c) { return c.invocation->subgroup_count; }
