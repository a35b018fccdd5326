#pragma once

#include "answers.h"
#include "canvas.h"

/// Draws the mesh in its bounding box into a square: the shaded surface, the vertices above the plane as coloured dots,
/// and the plane's outline. Box, plane and dots come from `answers`.
void draw_scene(Canvas& canvas, Spot corner, float size, const Mesh& mesh, const Answers& answers);

/// The colour of vertices above the plane: `t` is 0 at the plane and 1 at the top of the box.
Color height_color(float t);
