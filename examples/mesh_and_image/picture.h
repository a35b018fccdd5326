#pragma once

#include <string>

#include "answers.h"

/// Draws the job's answers as one picture and writes it as PNG. The caption names `device`.
void write_picture(const std::string& file, const std::string& device, const Mesh& mesh, const Image& image,
                   const Answers& answers);
