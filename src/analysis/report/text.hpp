// SPDX-License-Identifier: Apache-2.0
//
// A finding as text for a terminal: what happened, where everybody is, why, and what to do, on one screen. Columns are
// aligned, coordinates are CUDA's, source lines are quoted where they can be read.
// Renders what the finding says and nothing else; reads no clock and no environment.
#pragma once

#include <cstddef>
#include <string>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

struct TextStyle {
  bool colour = false;      // ANSI escapes
  std::size_t width = 128;  // columns, at least 60; only commands and source lines run over
  std::size_t lines = 24;   // of a screen; further parties are folded into one line
};

/// The text, ending in a newline.
std::string render_text(const record::Finding& finding, SourceText& sources, const TextStyle& style = {});

}  // namespace warpfiber::report
