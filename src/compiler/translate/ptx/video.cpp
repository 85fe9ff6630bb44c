// SPDX-License-Identifier: Apache-2.0
//
// Sources: PTX ISA 9.0, "Scalar Video Instructions" and "SIMD Video Instructions".
#include "translate/ptx/video.hpp"

#include <algorithm>
#include <string_view>

#include "translate/ptx/table.hpp"

namespace warpfiber::translate::ptx {
namespace {

/// An instruction, what it computes, and in how many parts it may do so.
struct VideoRow {
  std::string_view name;
  std::string_view operation;
  std::string_view parts;
};

constexpr VideoRow kVideoRows[] = {
    {"vadd", "add", " 1 2 4 "},    {"vsub", "sub", " 1 2 4 "},     {"vmin", "min", " 1 2 4 "},
    {"vmax", "max", " 1 2 4 "},    {"vavrg", "average", " 2 4 "},  {"vabsdiff", "absolute_difference", " 1 2 4 "},
    {"vshl", "shift_left", " 1 "}, {"vshr", "shift_right", " 1 "}, {"vset", "eq", " 1 2 4 "},
    {"vmad", "", " 1 "},
};

const VideoRow* row_of(std::string_view name, unsigned parts) {
  const auto* row = std::ranges::find(kVideoRows, name, &VideoRow::name);
  return row != std::end(kVideoRows) && has_word(row->parts, std::to_string(parts)) ? row : nullptr;
}

/// Takes what a modifier behind the types says.
bool take(VideoForm& form, std::string_view name, const std::string& modifier) {
  const bool shifts = name == "vshl" || name == "vshr";
  if (modifier == "sat" && name != "vset") return form.saturates = true;
  if (shifts && (modifier == "clamp" || modifier == "wrap")) return form.wraps = modifier == "wrap", true;
  if (name == "vmad" && modifier == "po") return form.plus_one = true;
  if (name == "vmad" && (modifier == "shr7" || modifier == "shr15"))
    return form.shift = modifier == "shr7" ? 7 : 15, true;
  if (name == "vset" && has_word(" eq ne lt le gt ge ", modifier)) return form.operation = modifier, true;
  if (name != "vmad" && form.second.empty() && has_word(form.parts == 1 ? " add min max " : " add ", modifier))
    return form.second = modifier, true;
  return false;
}

/// What is selected of an operand: `b2` behind its last dot; empty where it has none.
std::string_view selection_in(std::string& operand) {
  const std::size_t dot = operand.rfind('.');
  if (dot == std::string::npos || dot == 0) return {};
  return std::string_view(operand).substr(dot + 1);
}

/// `place << 8 | bits` of a byte or a half.
std::optional<unsigned> part_of_word(std::string_view selection) {
  if (selection.empty()) return 32;
  const unsigned bits = selection[0] == 'b' ? 8 : 16;
  const auto place = selection.size() == 2 ? static_cast<unsigned>(selection[1] - '0') : 4;
  if ((selection[0] != 'b' && selection[0] != 'h') || place >= 32 / bits) return std::nullopt;
  return place * bits << 8 | bits;
}

/// The digits of `h32`, the last one in the lowest four bits; each below `limit`.
std::optional<unsigned> digits_of(std::string_view selection, unsigned parts, unsigned limit) {
  if (selection.empty() || selection[0] != (parts == 2 ? 'h' : 'b') || selection.size() > parts + 1)
    return std::nullopt;
  unsigned digits = 0;
  for (const char c : selection.substr(1)) {
    if (c < '0' || static_cast<unsigned>(c - '0') >= limit) return std::nullopt;
    digits = digits << 4 | static_cast<unsigned>(c - '0');
  }
  return digits;
}

/// What operand n selects, as ::warpfiber::ptx::Video has it.
std::optional<unsigned> selected(std::string_view selection, unsigned parts, std::size_t n) {
  if (parts == 1) return part_of_word(selection);
  if (n != 0) {
    const std::string_view all = parts == 2 ? (n == 1 ? "h10" : "h32") : n == 1 ? "b3210" : "b7654";
    if (!selection.empty() && selection.size() != parts + 1) return std::nullopt;
    return digits_of(selection.empty() ? all : selection, parts, 2 * parts);
  }
  const auto digits = digits_of(selection.empty() ? (parts == 2 ? "h10" : "b3210") : selection, parts, parts);
  if (!digits) return std::nullopt;
  unsigned mask = 0;
  const std::size_t count = selection.empty() ? parts : selection.size() - 1;
  for (std::size_t each = 0; each < count; ++each) mask |= 1U << (*digits >> 4 * each & 15);
  return mask;
}

std::string truth(bool is) {
  return is ? "true, " : "false, ";
}

std::string call_of_product(const VideoForm& form, const bool (&negated)[3], unsigned a, unsigned b) {
  return "video_mad<::warpfiber::ptx::VideoProduct{" + truth(form.a_signed) + truth(form.b_signed) +
         truth(form.saturates) + truth(form.plus_one) + truth(negated[0] != negated[1]) + truth(negated[2]) +
         std::to_string(form.shift) + ", " + std::to_string(a) + ", " + std::to_string(b) + "}>";
}

}  // namespace

std::optional<VideoForm> find_video_form(const std::vector<std::string>& opcode) {
  std::string name = opcode.empty() ? "" : opcode[0];
  VideoForm form;
  if (name.ends_with('2') || name.ends_with('4')) {
    form.parts = static_cast<unsigned>(name.back() - '0');
    name.pop_back();
  }
  const VideoRow* row = row_of(name, form.parts);
  const std::size_t types = name == "vset" ? 2 : 3;
  if (row == nullptr || opcode.size() < 1 + types) return std::nullopt;
  const auto is_word = [](const std::string& type) { return type == "u32" || type == "s32"; };
  if (!std::all_of(opcode.begin() + 1, opcode.begin() + 1 + static_cast<std::ptrdiff_t>(types), is_word))
    return std::nullopt;
  form.operation = name == "vset" ? "" : row->operation;
  form.d_signed = types == 3 && opcode[1] == "s32";
  form.a_signed = opcode[types - 1] == "s32";
  form.b_signed = opcode[types] == "s32";
  bool has_mode = false;
  for (std::size_t n = 1 + types; n < opcode.size(); ++n) {
    if (!take(form, name, opcode[n])) return std::nullopt;
    has_mode = has_mode || opcode[n] == "clamp" || opcode[n] == "wrap";
  }
  const bool shifts = name == "vshl" || name == "vshr";
  if (shifts && (!has_mode || form.b_signed)) return std::nullopt;
  if (name == "vset" && form.operation.empty()) return std::nullopt;
  if (form.parts != 1 && form.saturates && !form.second.empty()) return std::nullopt;
  return form;
}

std::optional<VideoCall> call_of_video(const VideoForm& form, const std::vector<std::string>& operands) {
  const bool is_product = form.operation.empty();
  const bool needs_third = is_product || form.parts != 1 || !form.second.empty();
  if (operands.size() != 4 && (needs_third || operands.size() != 3)) return std::nullopt;
  VideoCall call;
  unsigned selections[4] = {};
  bool negated[3] = {};
  for (std::size_t n = 0; n < operands.size(); ++n) {
    std::string operand = operands[n];
    const bool is_negated = is_product && n != 0 && operand.starts_with('-') && operand.size() > 1;
    if (is_negated) operand.erase(0, 1);
    if (n != 0) negated[n - 1] = is_negated;
    const std::string_view selection = n == 3 ? std::string_view() : selection_in(operand);
    const auto found = selected(selection, form.parts, n);
    if (n != 3 && (!found || (is_product && n == 0 && !selection.empty()))) return std::nullopt;
    if (n != 3) selections[n] = *found;
    const std::string plain = selection.empty() ? operand : operand.substr(0, operand.size() - selection.size() - 1);
    if (n == 0) {
      call.result = plain;
    } else {
      call.sources.push_back(plain);
    }
  }
  if (is_product) {
    if ((negated[0] != negated[1]) + negated[2] + form.plus_one > 1) return std::nullopt;
    call.function = call_of_product(form, negated, selections[1], selections[2]);
    return call;
  }
  const bool merges = form.second.empty() && operands.size() == 4;
  if (form.parts == 1 && merges != (selections[0] != 32)) return std::nullopt;
  const std::string second = merges ? "merge" : form.second.empty() ? "none" : form.second;
  call.function = "video<::warpfiber::ptx::Video{::warpfiber::ptx::VideoOperation::" + form.operation + ", " +
                  std::to_string(form.parts) + ", " + truth(form.d_signed) + truth(form.a_signed) +
                  truth(form.b_signed) + truth(form.saturates) + truth(form.wraps) +
                  "::warpfiber::ptx::VideoSecond::" + second + ", " + std::to_string(selections[0]) + ", " +
                  std::to_string(selections[1]) + ", " + std::to_string(selections[2]) + "}>";
  return call;
}

}  // namespace warpfiber::translate::ptx
