// SPDX-License-Identifier: Apache-2.0
//
// Blanks comments, splits the text at semicolons and braces, and splits each statement into opcode and operands.
#include "translate/ptx/parse.hpp"

#include <algorithm>
#include <cctype>

namespace warpfiber::translate::ptx {
namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string without_blanks(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (!is_blank(c)) all += c;
  }
  return all;
}

/// Comments become blanks, `%%` becomes `%`.
std::string cleaned(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      all += ' ';
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 1) + 1;
      all += ' ';
    } else {
      all += text[i];
      if (text.substr(i, 2) == "%%") ++i;
    }
  }
  return all;
}

std::vector<std::string> split_dots(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '.' && !parts.back().empty()) {
      parts.emplace_back();
    } else if (c != '.') {
      parts.back() += c;
    }
  }
  return parts;
}

Instruction read_instruction(std::string_view text) {
  Instruction instruction;
  instruction.source = text;
  if (text.front() == '@') {
    const std::size_t end = text.find_first_of(" \t\n");
    instruction.guard = text.substr(1, end == std::string_view::npos ? end : end - 1);
    text = end == std::string_view::npos ? "" : trimmed(text.substr(end));
  }
  const bool declares = text.substr(0, 4) == ".reg";
  if (declares) text = trimmed(text.substr(4));
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end]) && text[end] != '{' && text[end] != '[') ++end;
  instruction.kind = declares ? InstructionKind::registers : InstructionKind::instruction;
  instruction.opcode = split_dots(text.substr(0, end));
  instruction.operands = split_operands(text.substr(end));
  return instruction;
}

/// Whether the colon at `colon` ends a label that begins at `begin`; `::` is a part of modifiers.
bool ends_label(std::string_view text, std::size_t begin, std::size_t colon) {
  if (begin >= colon || text.substr(colon, 2) == "::") return false;
  return std::ranges::all_of(trimmed(text.substr(begin, colon - begin)), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
  });
}

}  // namespace

std::vector<std::string> split_operands(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '[' || c == '{' || c == '(' ? 1 : c == ']' || c == '}' || c == ')' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    std::string part = without_blanks(list.substr(from, i - from));
    if (!part.empty()) parts.push_back(std::move(part));
    from = i + 1;
  }
  return parts;
}

std::vector<Instruction> parse(std::string_view text) {
  const std::string clean = cleaned(text);
  std::vector<Instruction> all;
  std::size_t from = 0;
  const auto finish = [&](std::size_t end) {
    const std::string_view statement = trimmed(std::string_view(clean).substr(from, end - from));
    if (!statement.empty()) all.push_back(read_instruction(statement));
    from = end + 1;
  };
  std::size_t blank = 0;  // what follows `from` up to here is
  for (std::size_t i = 0; i < clean.size(); ++i) {
    if (blank < from) blank = from;
    if (blank == i && is_blank(clean[i])) ++blank;
    const bool starts = blank == i;
    if (clean[i] == ';') {
      finish(i);
    } else if (clean[i] == ':' && ends_label(clean, blank, i)) {
      const std::string name(trimmed(std::string_view(clean).substr(blank, i - blank)));
      all.push_back({InstructionKind::label, name + ":", {}, {name}, {}});
      from = i + 1;
    } else if (starts && (clean[i] == '{' || clean[i] == '}')) {
      all.push_back({clean[i] == '{' ? InstructionKind::open : InstructionKind::close, {}, {}, {}, {}});
      from = i + 1;
    }
  }
  finish(clean.size());
  return all;
}

}  // namespace warpfiber::translate::ptx
