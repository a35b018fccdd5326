#version 460

layout(binding = 0) uniform Tint { vec4 tint; };
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main() { color = vec4(at, 1, 1) * tint; }
