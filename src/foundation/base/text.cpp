// SPDX-License-Identifier: Apache-2.0
// The spellings declared in text.hpp.
#include "base/text.hpp"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

namespace warpfiber::base {
namespace {

std::string lane_range(unsigned first, unsigned last) {
  if (first == last) return fmt::format("{}", first);
  return fmt::format("{}-{}", first, last);
}

/// The size of the colour at the beginning of the text, as Paint writes it; 0 where there is none.
std::size_t colour_size(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string thousands(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", thousands(number), noun, number == 1 ? "" : "s");
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKi = 1024;
  if (bytes != 0 && bytes % (kKi * kKi * kKi) == 0) return thousands(bytes / (kKi * kKi * kKi)) + " GiB";
  if (bytes != 0 && bytes % (kKi * kKi) == 0) return thousands(bytes / (kKi * kKi)) + " MiB";
  if (bytes != 0 && bytes % kKi == 0) return thousands(bytes / kKi) + " KiB";
  return counted(bytes, "byte");
}

std::string triple_text(const Triple& t) {
  return fmt::format("({},{},{})", t.x, t.y, t.z);
}

std::string range_text(const Triple& first, const Triple& last) {
  if (first == last) return triple_text(first);
  return fmt::format("{} … {}", triple_text(first), triple_text(last));
}

std::string lanes_text(LaneMask mask) {
  if (mask == 0) return "no lane";
  std::string text = lane_mask::count(mask) == 1 ? "lane " : "lanes ";
  const char* separator = "";
  while (mask != 0) {
    const unsigned first = lane_mask::lowest(mask);
    const unsigned length = static_cast<unsigned>(std::countr_one(mask >> first));
    text += separator + lane_range(first, first + length - 1);
    mask &= ~(lane_mask::full(length) << first);
    separator = ", ";
  }
  return text;
}

std::string mask_text(LaneMask mask, unsigned size) {
  return fmt::format("0x{:0{}x}", mask, (size + 3) / 4);
}

std::string without_controls(std::string_view line, bool colour) {
  std::string safe;
  while (!line.empty()) {
    const auto byte = static_cast<unsigned char>(line[0]);
    const std::size_t size = std::max<std::size_t>(colour ? colour_size(line) : 0, 1);
    const bool controls = size == 1 && (byte < ' ' || byte == 0x7f) && byte != '\t' && byte != '\n';
    safe += controls ? fmt::format("\\x{:02x}", byte) : line.substr(0, size);
    line.remove_prefix(size);
  }
  return safe;
}

std::string address_text(const void* address) {
  return fmt::format("0x{:x}", reinterpret_cast<std::uintptr_t>(address));
}

std::string general(double number, int digits) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number, std::chars_format::general, digits);
  return error == std::errc() ? std::string(text, end) : std::string();
}

std::optional<std::uint64_t> parse_number(std::string_view text, int radix) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, radix);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::string> demangled(const char* name) {
  const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                          &std::free);
  return plain != nullptr ? std::optional<std::string>(plain.get()) : std::nullopt;
}

}  // namespace warpfiber::base
