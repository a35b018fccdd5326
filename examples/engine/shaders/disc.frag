// A disc that fades to nothing at its edge.
#version 460

layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 color;
layout(location = 0) out vec4 pixel;

void main() { pixel = vec4(color, 0.8 * max(0, 1 - dot(corner, corner))); }
