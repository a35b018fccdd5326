// A corner of a triangle, moved and coloured by its position.
#version 460

layout(location = 0) in vec2 corner;
layout(push_constant) uniform Push { vec2 shift; };
layout(location = 0) out vec2 at;

void main() {
  at = corner * 0.5 + 0.5;
  gl_Position = vec4(corner + shift, 0, 1);
}
