// SPDX-License-Identifier: Apache-2.0
//
// Follows the names of the arrays through the text. A checked program says at the read what has been overwritten.
#include "translate/rules/one_memory.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "translate/passes.hpp"
#include "translate/rules/suspects.hpp"

namespace warpfiber::translate {
namespace {

/// As its function declares it.
struct DynamicArray {
  std::string_view name;
  std::size_t declared = kNone;
  std::size_t written = kNone;  // where it was last written, in the order of the text
};

std::vector<DynamicArray> dynamic_arrays(const Tokens& t, TokenRange body) {
  std::vector<DynamicArray> arrays;
  for (std::size_t i = body.begin; i < body.end; ++i) {
    if (t[i].keyword != Keyword::shared) continue;
    std::size_t begin = i;
    while (!t.is(begin - 1, ';') && !t.is(begin - 1, '{') && !t.is(begin - 1, '}')) --begin;
    bool is_extern = false;
    for (std::size_t at = begin; !t.ends(at) && !t.is(at, ';'); ++at) {
      is_extern |= t.is(at, "extern");
      const bool is_name = is_extern && t.is_identifier(at) && t.is(at + 1, '[') && t.is(at + 2, ']');
      if (is_name) arrays.push_back({t.text(at), at});
    }
  }
  return arrays;
}

const DynamicArray* written_over(const std::vector<DynamicArray>& arrays, const DynamicArray& used) {
  for (const DynamicArray& other : arrays) {
    const bool both = used.written != kNone && other.written != kNone;
    if (other.name != used.name && both && other.written > used.written) return &other;
  }
  return nullptr;
}

}  // namespace

std::optional<OneMemory> find_one_memory(const Tokens& tokens, TokenRange body) {
  std::vector<DynamicArray> arrays = dynamic_arrays(tokens, body);
  if (arrays.size() < 2) return {};
  for (std::size_t i = body.begin; i < body.end; ++i) {
    const auto used = std::ranges::find(arrays, tokens.text(i), &DynamicArray::name);
    if (used == arrays.end() || used->declared == i || !tokens.is(i + 1, '[')) continue;
    if (use_of(tokens, i) == VariableUse::written) {
      used->written = i;
    } else if (const DynamicArray* over = written_over(arrays, *used); over != nullptr) {
      return OneMemory{used->name, i, used->written, over->name, over->written};
    }
  }
  return {};
}

void mark_one_memory(TranslationUnit& program) {
  if (!program.options.checked) return;
  const Tokens& tokens = program.tokens;
  const auto line = [&](std::size_t i) { return std::to_string(locate(tokens, program.begin_of(i)).line); };
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    const auto found = find_one_memory(tokens, function.body);
    if (!found.has_value()) continue;
    const std::string arguments = "\"" + std::string(found->name) + "\", \"" + std::string(found->other) + "\", " +
                                  line(found->stored) + ", " + line(found->overwritten);
    program.edits.insert(program.begin_of(found->read), "(::warpfiber::cuda::one_memory(" + arguments + "), ");
    program.keep_columns(program.begin_of(found->read));
    program.edits.insert(program.end_of(found->read), ")");
    program.keep_columns(program.end_of(found->read));
  }
}

}  // namespace warpfiber::translate
