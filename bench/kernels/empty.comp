// Does nothing: what is left of a launch.
#version 460
layout(local_size_x = 32) in;

void main() {}
