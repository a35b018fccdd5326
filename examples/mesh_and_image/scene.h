#pragma once

#include "answers.h"
#include "canvas.h"

/// Draws the mesh in its bounding box into a square: the surface shaded, the vertices above the plane as coloured dots
/// on it, and the plane's outline. Box, plane and dots come from `answers`.
void draw_scene(Canvas& canvas, Spot corner, float size, const Mesh& mesh, const Answers& answers);
