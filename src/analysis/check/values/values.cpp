// SPDX-License-Identifier: Apache-2.0
// Values are printed by the type that debug information gives, or by the likeliest one.
#include "check/values/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "base/text.hpp"

namespace warpfiber::check {
namespace {

constexpr unsigned kAround = sizeof(std::uint64_t);

template <class T>
std::string number(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    return base::general(static_cast<double>(value));
  } else {
    return std::to_string(value);
  }
}

using record::NumberForm;

struct Type {
  std::string_view name;
  unsigned bytes;
  NumberForm encoding;
  std::string (*text)(const char* from);
};

constexpr Type kTypes[] = {
    {"int", 4, NumberForm::signed_integer, number<std::int32_t>},
    {"unsigned int", 4, NumberForm::unsigned_integer, number<std::uint32_t>},
    {"float", 4, NumberForm::floating_point, number<float>},
    {"double", 8, NumberForm::floating_point, number<double>},
    {"long", 8, NumberForm::signed_integer, number<std::int64_t>},
    {"unsigned long", 8, NumberForm::unsigned_integer, number<std::uint64_t>},
    {"long long", 8, NumberForm::signed_integer, number<std::int64_t>},
    {"unsigned long long", 8, NumberForm::unsigned_integer, number<std::uint64_t>},
    {"short", 2, NumberForm::signed_integer, number<std::int16_t>},
    {"unsigned short", 2, NumberForm::unsigned_integer, number<std::uint16_t>},
    {"char", 1, NumberForm::signed_integer, number<std::int8_t>},
    {"signed char", 1, NumberForm::signed_integer, number<std::int8_t>},
    {"unsigned char", 1, NumberForm::unsigned_integer, number<std::uint8_t>},
    {"bool", 1, NumberForm::unsigned_integer, number<std::uint8_t>},
};

/// "volatile float [16]" is made of "float".
std::string_view element_of(std::string_view type) {
  for (const std::string_view qualifier : {"const ", "volatile "}) {
    if (type.starts_with(qualifier)) type.remove_prefix(qualifier.size());
  }
  type = type.substr(0, type.find('['));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

const Type* type_of(std::string_view type, unsigned bytes) {
  const std::string_view element = type.empty() ? bytes == 4 ? "int" : bytes == 8 ? "long long" : "" : element_of(type);
  const auto* const found = std::ranges::find(kTypes, element, &Type::name);
  return found == std::end(kTypes) ? nullptr : found;
}

/// Whether a number of a type that is not known is hardly an integer: as a floating-point number it is neither tiny nor
/// huge, as an integer it is about a billion.
template <class T, class Bits>
bool looks_like_float(const char* from) {
  T value;
  Bits bits;
  std::memcpy(&value, from, sizeof value);
  std::memcpy(&bits, from, sizeof bits);
  const double size = std::fabs(static_cast<double>(value));
  return bits != 0 && size > 1e-6 && size < 1e9;
}

/// The number, and its bits where its type is guessed.
std::string guessed_text(const char* from, unsigned bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  char text[24];
  std::snprintf(text, sizeof text, " (0x%llx)", static_cast<unsigned long long>(bits));
  return (bytes == 4 ? number<float>(from) : number<double>(from)) + text;
}

}  // namespace

// Aligned words lie in one page, so there is memory all around, though it may be another variable's.
__attribute__((no_sanitize_address)) std::uint64_t bytes_around(const void* address) {
  std::uint64_t around = 0;
  const auto* at = static_cast<const char*>(address);
  __builtin_memcpy(&around, at - reinterpret_cast<std::uintptr_t>(at) % kAround, sizeof around);
  return around;
}

std::string value_text(const void* address, unsigned bytes, const std::string& type, std::uint64_t around) {
  const Type* known = type_of(type, bytes);
  if (known == nullptr) return {};
  const auto offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % kAround);
  char memory[kAround];
  std::memcpy(memory, &around, sizeof memory);
  const char* const at = memory + (offset - offset % known->bytes);
  const bool is_float = type.empty() && (known->bytes == 4 ? looks_like_float<float, std::uint32_t>(at)
                                                           : looks_like_float<double, std::uint64_t>(at));
  return is_float ? guessed_text(at, known->bytes) : known->text(at);
}

std::string value_text(const void* address, const record::TypeLayout& number, std::uint64_t around) {
  const auto offset = reinterpret_cast<std::uintptr_t>(address) % kAround;
  const auto* const known = std::ranges::find_if(
      kTypes, [&number](const Type& type) { return type.encoding == number.encoding && type.bytes == number.bytes; });
  if (known == std::end(kTypes) || offset + known->bytes > kAround) return {};
  char memory[kAround];
  std::memcpy(memory, &around, sizeof memory);
  return known->text(memory + offset);
}

}  // namespace warpfiber::check
