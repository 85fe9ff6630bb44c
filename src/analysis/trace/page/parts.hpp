// SPDX-License-Identifier: Apache-2.0
// The text of the page around its data, which cmake makes of page.html, page.css and the scripts.
#pragma once

#include <span>
#include <string_view>

namespace warpfiber::trace {

struct PagePart {
  std::string_view before;
  bool is_data = false;  // the data of the page follow
};

std::span<const PagePart> page_parts();

}  // namespace warpfiber::trace
