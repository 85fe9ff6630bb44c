// SPDX-License-Identifier: Apache-2.0
#include "check/objects/outside_text.hpp"

#include <optional>

#include "base/text.hpp"

namespace warpfiber::check {
namespace {

std::int64_t first_byte(const Case& outside) {
  return static_cast<std::int64_t>(outside.place.offset);
}

/// The first byte of the access that is highest, from the object's beginning.
std::int64_t highest_byte(const Case& outside) {
  return first_byte(outside) + (static_cast<const char*>(outside.highest) - static_cast<const char*>(outside.address));
}

/// "one past its end", "12 before its beginning".
std::string distance(std::int64_t index, std::int64_t count) {
  const std::int64_t away = index < 0 ? -index : index - count + 1;
  return (away == 1 ? "one" : std::to_string(away)) + (index < 0 ? " before its beginning" : " past its end");
}

/// A number below zero that an unsigned index of 32 bits has made large.
std::string as_signed(std::int64_t index) {
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  constexpr std::int64_t kSmall = 1 << 20;
  if (index >= kTwoTo32 || index < kTwoTo32 - kSmall) return {};
  return " (" + std::to_string(index - kTwoTo32) + " as an unsigned number of 32 bits)";
}

/// The bytes of an element: of the declared type, else of the access. Nothing where the access is not to whole ones.
std::optional<std::int64_t> element_bytes(const Case& outside) {
  const Place& place = outside.place;
  std::uint64_t bytes = outside.size;
  if (!place.type.empty()) {
    const std::vector<std::uint64_t> dimensions = dimensions_of(place.type);
    if (dimensions.size() != 1) return std::nullopt;
    bytes = place.extent / dimensions.front();
  }
  if (bytes == 0 || place.extent % bytes != 0 || first_byte(outside) % static_cast<std::int64_t>(bytes) != 0)
    return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

OutsideText explain_dynamic(const Case& outside) {
  const std::string given = base::bytes_text(outside.place.extent);
  const std::string used = std::to_string(highest_byte(outside) + outside.size);
  return {"The launch gave " + (outside.place.extent == 0 ? "0 bytes" : given) +
              " of dynamic shared memory, and the kernel uses it up to byte " + used + ".",
          "launch with at least " + used + " bytes of dynamic shared memory: <<<grid, block, " + used + ">>>"};
}

OutsideText explain_bytes(const Case& outside, const std::string& object) {
  const auto extent = static_cast<std::int64_t>(outside.place.extent);
  const std::int64_t first = first_byte(outside);
  const std::string place =
      first < 0 ? base::counted(static_cast<std::uint64_t>(-first), "byte") + " before its beginning"
                : base::counted(static_cast<std::uint64_t>(first - extent + outside.size), "byte") + " past its end";
  return {object + " has " + base::counted(outside.place.extent, "byte") + "; the access is " +
              (first < 0 ? "" : "up to ") + place + ".",
          "check each index against its extent before the access"};
}

/// Of an array of arrays: "m has 4 x 5 elements; [4][0] is one past its end".
OutsideText explain_dimensions(const Case& outside, const std::string& object,
                               const std::vector<std::uint64_t>& dimensions) {
  const Place& place = outside.place;
  std::uint64_t count = 1;
  std::string sizes;
  for (const std::uint64_t dimension : dimensions) {
    count *= dimension;
    sizes += (sizes.empty() ? "" : " x ") + std::to_string(dimension);
  }
  const auto element = static_cast<std::int64_t>(place.extent / count);
  if (element == 0 || place.extent % count != 0) return explain_bytes(outside, object);
  const std::int64_t first = first_byte(outside);
  const std::int64_t index = first < 0 ? -((-first + element - 1) / element) : first / element;
  return {object + " has " + sizes + " elements; " + element_at(place.offset, place.extent, place.type) + " is " +
              distance(index, static_cast<std::int64_t>(count)) + ".",
          "check each index against its extent before the access"};
}

}  // namespace

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

OutsideText explain_outside_access(const Case& outside) {
  const Place& place = outside.place;
  if (place.dynamic && first_byte(outside) >= 0) return explain_dynamic(outside);
  if (place.extent == 0) {
    return {place.space == Space::global ? "No allocation is at or near this address."
                                         : "The block has no shared memory at this address.",
            "check the index against the extent before the access"};
  }
  const std::string object = place.name.empty() ? "The allocation" : place.name;
  const std::vector<std::uint64_t> dimensions = dimensions_of(place.type);
  if (dimensions.size() > 1) return explain_dimensions(outside, object, dimensions);
  const auto element = element_bytes(outside);
  if (!element.has_value()) return explain_bytes(outside, object);
  const std::int64_t count = static_cast<std::int64_t>(place.extent) / *element;
  const std::int64_t index = first_byte(outside) / *element;
  const std::int64_t highest = highest_byte(outside) / *element;
  OutsideText text;
  text.why = object + " has " + base::counted(static_cast<std::uint64_t>(count), "element") +
             (place.type.empty() ? " of " + base::counted(static_cast<std::uint64_t>(*element), "byte") : "") +
             "; index " + std::to_string(index) + as_signed(index) + " is " + distance(index, count) + ".";
  if (highest > index) text.why.insert(text.why.size() - 1, ", and indices go up to " + std::to_string(highest));
  text.fix = index < 0 || !as_signed(index).empty()
                 ? "check that the index is not negative before the access"
                 : "check that the index is less than " + std::to_string(count) + " before the access";
  return text;
}

}  // namespace warpfiber::check
