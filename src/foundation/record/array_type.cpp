// SPDX-License-Identifier: Apache-2.0
//
// Reading the dimensions of a type's text.
#include "record/array_type.hpp"

#include "base/text.hpp"

namespace warpfiber::record {

std::vector<std::uint64_t> dimensions_of(const std::string& type) {
  std::vector<std::uint64_t> dimensions;
  for (std::size_t at = type.find('['); at != std::string::npos; at = type.find('[', at + 1)) {
    const auto dimension = base::parse_number(type.substr(at + 1, type.find(']', at) - at - 1));
    if (!dimension.has_value() || *dimension == 0) return {};
    dimensions.push_back(*dimension);
  }
  return dimensions;
}

std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type) {
  const std::vector<std::uint64_t> dimensions = dimensions_of(type);
  std::uint64_t elements = 1;
  for (const std::uint64_t dimension : dimensions) elements *= dimension;
  if (dimensions.empty() || extent < elements || extent % elements != 0) return {};
  const auto floor = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  std::int64_t index = floor(static_cast<std::int64_t>(offset), static_cast<std::int64_t>(extent / elements));
  std::string text;
  for (std::size_t i = dimensions.size(); i-- > 1;) {
    const auto dimension = static_cast<std::int64_t>(dimensions[i]);
    text.insert(0, "[" + std::to_string(index - floor(index, dimension) * dimension) + "]");
    index = floor(index, dimension);
  }
  return "[" + std::to_string(index) + "]" + text;
}

}  // namespace warpfiber::record
