// Embree on all cores of the CPU, for `weft bench --peer embree`: hierarchies over boxes by its two builders, and the
// first box that each ray hits. Runs are timed by the host's clock.
#include <embree3/rtcore.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/peer/interface.h"

namespace {

constexpr uint32_t leaf = 0x80000000, none = 0xffffffff;  // weft::tree

struct Box {
  float low[3], high[3];
};
struct Node {  // weft::BvhNode
  uint32_t children[2], parent, end;
  Box boxes[2];
};
struct Ray {
  float origin[3], t_min, direction[3], t_max;
};
struct Hit {
  uint32_t primitive;
  float distance;
};

std::string message;

template <typename T>
std::vector<T> copy_of(const weft_peer_array& array) {
  std::vector<T> elements(array.bytes / sizeof(T));
  std::memcpy(elements.data(), array.data, array.bytes);
  return elements;
}

RTCDevice device() {
  static const RTCDevice opened = rtcNewDevice(nullptr);
  return opened;
}

/// The work of one form, and its outputs.
class Work {
 public:
  explicit Work(const char* form) : form_(form) {}
  virtual ~Work() = default;
  const char* form() const { return form_; }
  virtual void poison() = 0;
  /// What comes before the timed part of a run.
  virtual void prepare() {}
  virtual void run() = 0;
  virtual void read(uint32_t output, void* data) = 0;

 private:
  const char* form_;
};

/// A tree as Embree's builders make it.
struct Subtree {
  Subtree* children[2];
  uint32_t primitive;  // Of a leaf, which has no children.
};

Box united(const Box& a, const Box& b) {
  Box both;
  for (int axis = 0; axis < 3; ++axis) {
    both.low[axis] = std::min(a.low[axis], b.low[axis]);
    both.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return both;
}

/// A hierarchy in the layout of weft/lbvh.h.
class Hierarchy {
 public:
  Hierarchy(const std::vector<Box>& boxes, const Subtree& root) : boxes_(boxes), nodes(boxes.size() - 1) {
    bounds = root.children[0] ? add_node(root, 0, none).box : add_leaf(root, none).box;
    if (!root.children[0]) return;
    for (uint32_t i = 0; i < nodes.size(); ++i) set_parents(i);
  }

 private:
  struct Added {
    uint32_t first, last;
    Box box;
  };

  Added add_leaf(const Subtree& subtree, uint32_t parent) {
    const auto rank = uint32_t(indices.size());
    indices.push_back(subtree.primitive);
    leaf_parents.push_back(parent);
    return {rank, rank, boxes_[subtree.primitive]};
  }

  // A first child has the index of its last leaf, which is known once it has been added.
  Added add_node(const Subtree& subtree, uint32_t side, uint32_t parent) {
    Node node{{none, none}, parent, 0, {}};
    Added added[2];
    for (uint32_t k = 0; k < 2; ++k) {
      const Subtree& child = *subtree.children[k];
      const bool is_leaf = !child.children[0];
      added[k] = is_leaf ? add_leaf(child, none) : add_node(child, k, 0);
      const uint32_t index = k == 0 ? added[k].last : added[k].first;
      node.children[k] = is_leaf ? leaf + index : index;
      node.boxes[k] = added[k].box;
    }
    const bool is_root = parent == none, at_last = side == 0 && !is_root;
    node.end = at_last ? added[0].first : added[1].last;
    nodes[at_last ? added[1].last : added[0].first] = node;
    return {added[0].first, added[1].last, united(added[0].box, added[1].box)};
  }

  void set_parents(uint32_t i) {
    for (const uint32_t child : nodes[i].children) {
      (child >= leaf ? leaf_parents[child - leaf] : nodes[child].parent) = i;
    }
  }

  const std::vector<Box>& boxes_;

 public:
  std::vector<Node> nodes;
  std::vector<uint32_t> indices, leaf_parents;
  Box bounds;
};

class Build : public Work {
 public:
  Build(const char* form, RTCBuildQuality quality, const weft_peer_problem& problem)
      : Work(form), quality_(quality), boxes_(copy_of<Box>(problem.inputs[0])), bvh_(rtcNewBVH(device())) {}
  ~Build() override { rtcReleaseBVH(bvh_); }

  void poison() override { root_ = nullptr; }

  void prepare() override {
    // Splits of primitives, for the highest quality, would take more room; none are asked for.
    primitives_.clear();
    for (uint32_t i = 0; i < boxes_.size(); ++i) {
      const auto& [low, high] = boxes_[i];
      primitives_.push_back({low[0], low[1], low[2], 0, high[0], high[1], high[2], i});
    }
  }

  void run() override {
    RTCBuildArguments arguments = rtcDefaultBuildArguments();
    arguments.buildQuality = quality_;
    arguments.maxDepth = 64;
    arguments.maxLeafSize = 1;
    arguments.bvh = bvh_;
    arguments.primitives = primitives_.data();
    arguments.primitiveCount = arguments.primitiveArrayCapacity = primitives_.size();
    arguments.createNode = [](RTCThreadLocalAllocator allocator, unsigned, void*) {
      return rtcThreadLocalAlloc(allocator, sizeof(Subtree), alignof(Subtree));
    };
    arguments.setNodeChildren = [](void* node, void** children, unsigned, void*) {
      for (int k = 0; k < 2; ++k) static_cast<Subtree*>(node)->children[k] = static_cast<Subtree*>(children[k]);
    };
    arguments.setNodeBounds = [](void*, const RTCBounds**, unsigned, void*) {};
    arguments.createLeaf = [](RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives, size_t,
                              void*) -> void* {
      void* const memory = rtcThreadLocalAlloc(allocator, sizeof(Subtree), alignof(Subtree));
      return new (memory) Subtree{{nullptr, nullptr}, primitives->primID};
    };
    root_ = static_cast<Subtree*>(rtcBuildBVH(&arguments));
  }

  void read(uint32_t output, void* data) override {
    const Hierarchy built(boxes_, *root_);
    const auto copy = [&](const auto& values) { std::memcpy(data, values.data(), values.size() * sizeof(values[0])); };
    if (output == 0) copy(built.nodes);
    if (output == 1) copy(built.indices);
    if (output == 2) copy(built.leaf_parents);
    if (output == 3) std::memcpy(data, &built.bounds, sizeof built.bounds);
  }

 private:
  RTCBuildQuality quality_;
  std::vector<Box> boxes_;
  std::vector<RTCBuildPrimitive> primitives_;
  RTCBVH bvh_;
  Subtree* root_ = nullptr;
};

class Rays : public Work {
 public:
  Rays(const char* form, const weft_peer_problem& problem)
      : Work(form),
        boxes_(copy_of<Box>(problem.inputs[0])),
        rays_(copy_of<Ray>(problem.inputs[1])),
        hits_(rays_.size()),
        scene_(rtcNewScene(device())) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, unsigned(boxes_.size()));
    rtcSetGeometryUserData(geometry, boxes_.data());
    rtcSetGeometryBoundsFunction(geometry, bound, nullptr);
    rtcSetGeometryIntersectFunction(geometry, intersect);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  ~Rays() override { rtcReleaseScene(scene_); }

  void poison() override { std::ranges::fill(hits_, Hit{0xa5a5a5a5, -1}); }

  void run() override {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, rays_.size(), 256), [&](const tbb::blocked_range<size_t>& some) {
      for (size_t i = some.begin(); i < some.end(); ++i) hits_[i] = hit_of(rays_[i]);
    });
  }

  void read(uint32_t, void* data) override { std::memcpy(data, hits_.data(), hits_.size() * sizeof(Hit)); }

 private:
  static void bound(const RTCBoundsFunctionArguments* arguments) {
    const auto& [low, high] = static_cast<const Box*>(arguments->geometryUserPtr)[arguments->primID];
    *arguments->bounds_o = {low[0], low[1], low[2], 0, high[0], high[1], high[2], 0};
  }

  static void intersect(const RTCIntersectFunctionNArguments* arguments) {
    if (!arguments->valid[0]) return;
    const Box& box = static_cast<const Box*>(arguments->geometryUserPtr)[arguments->primID];
    auto& [ray, hit] = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
    const float origin[] = {ray.org_x, ray.org_y, ray.org_z}, direction[] = {ray.dir_x, ray.dir_y, ray.dir_z};
    float enters = ray.tnear, leaves = ray.tfar;
    for (int axis = 0; axis < 3; ++axis) {
      const float a = (box.low[axis] - origin[axis]) / direction[axis],
                  b = (box.high[axis] - origin[axis]) / direction[axis];
      enters = std::max(enters, std::min(a, b));
      leaves = std::min(leaves, std::max(a, b));
    }
    if (enters > leaves) return;
    ray.tfar = enters;
    hit.primID = arguments->primID;
    hit.geomID = arguments->geomID;
  }

  Hit hit_of(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = {ray.origin[0],    ray.origin[1],    ray.origin[2],    ray.t_min,
                 ray.direction[0], ray.direction[1], ray.direction[2], 0,
                 ray.t_max,        0xffffffff};
    query.hit.geomID = query.hit.primID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {none, std::numeric_limits<float>::infinity()};
    return {query.hit.primID, query.ray.tfar};
  }

  std::vector<Box> boxes_;
  std::vector<Ray> rays_;
  std::vector<Hit> hits_;
  RTCScene scene_;
};

}  // namespace

struct weft_peer_case {
  std::vector<std::unique_ptr<Work>> forms;
  Work* last;  // Whose outputs are read.
  std::deque<std::vector<double>> seconds;
};

extern "C" {

uint32_t weft_peer_interface(void) { return weft_peer_interface_version; }
const char* weft_peer_name(void) { return "Embree " RTC_VERSION_STRING " on the CPU"; }
const char* weft_peer_message(void) { return message.c_str(); }

weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared) {
  const std::string row = problem->row;
  auto made = std::make_unique<weft_peer_case>();
  if (row == "bvh_build") {
    made->forms.push_back(std::make_unique<Build>("Morton", RTC_BUILD_QUALITY_LOW, *problem));
    made->forms.push_back(std::make_unique<Build>("binned SAH", RTC_BUILD_QUALITY_MEDIUM, *problem));
  } else if (row == "bvh_rays") {
    made->forms.push_back(std::make_unique<Rays>("", *problem));
  } else {
    message = "Embree has only bvh_build and bvh_rays";
    return weft_peer_unsupported;
  }
  if (rtcGetDeviceError(device()) != RTC_ERROR_NONE) {
    message = "Embree has reported an error";
    return weft_peer_failed;
  }
  *prepared = made.release();
  return weft_peer_done;
}

uint32_t weft_peer_forms(const weft_peer_case* prepared) { return uint32_t(prepared->forms.size()); }
const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form) { return prepared->forms[form]->form(); }

weft_peer_status weft_peer_poison(weft_peer_case* prepared) {
  for (const auto& work : prepared->forms) work->poison();
  return weft_peer_done;
}

weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs) {
  Work& work = *(prepared->last = prepared->forms[form].get());
  std::vector<double>& seconds = prepared->seconds.emplace_back();
  for (uint32_t run = 0; run < runs; ++run) {
    work.prepare();
    const auto start = std::chrono::steady_clock::now();
    work.run();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  if (rtcGetDeviceError(device()) == RTC_ERROR_NONE) return weft_peer_done;
  message = "Embree has reported an error";
  return weft_peer_failed;
}

weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds) {
  std::ranges::copy(prepared->seconds.front(), seconds);
  prepared->seconds.pop_front();
  return weft_peer_done;
}

weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t, void* data) {
  prepared->last->read(output, data);
  return weft_peer_done;
}

void weft_peer_release(weft_peer_case* prepared) { delete prepared; }
}
