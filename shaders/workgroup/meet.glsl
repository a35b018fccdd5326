// A barrier of the workgroup that also orders buffers.
//
// Gives:    void weft_workgroup_meet()   what the workgroup's invocations wrote to buffers and workgroup memory before,
//                                        all of them may read after it
// Macros:   none
//
// barrier() orders workgroup memory alone. Buffers need `nonprivate` members. All invocations of the workgroup call it
// together.
#ifndef WEFT_WORKGROUP_MEET
#define WEFT_WORKGROUP_MEET

#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require

void weft_workgroup_meet() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

#endif
