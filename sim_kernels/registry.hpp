// SPDX-License-Identifier: Apache-2.0
// Every exhibit of the gallery in the order in which it is shown, with the setting it is shown in and the block sizes
// it can be run with; and the defects with their corrected twins. Tests sweep the same tables.
#pragma once

#include "exhibit.hpp"

#include <span>
#include <string_view>

namespace gallery {

struct Exhibit {
  const char* room;  // the folder its kernel is in
  const char* name;
  Record (*run)(const Setting& setting);
  Setting usual;  // without the data folder
  std::span<const unsigned> blocks;
};

/// A wrong program and its twin. `header` is the wrong kernel's, from this folder; its first line states the verdict.
struct Defect {
  const char* name;
  const char* header;
  const char* lesson;  // what is wrong, in a line
  Record (*wrong)(const Setting& setting);
  Record (*corrected)(const Setting& setting);
  Setting usual;
};

std::span<const Exhibit> exhibits();

/// Programs that assume lock step: right as long as all lanes of a warp happen to run together.
std::span<const Defect> lockstep_defects();

/// Programs that hang; the gallery shows the first three.
std::span<const Defect> hangs();

/// The exhibit of that name, null if there is none.
const Exhibit* find_exhibit(std::string_view name);

}  // namespace gallery
