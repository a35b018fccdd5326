// Does nothing, to measure the cost of a launch.
#version 460
layout(local_size_x = 32) in;

void main() {}
