// SPDX-License-Identifier: Apache-2.0
//
// A line can be added where one statement ends on its line, or the next one begins on its own.
#include "report/fixes/race_parts.hpp"

#include <algorithm>
#include <vector>

#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Insertion;
using StatementPart = std::vector<Statement>::const_iterator;

StatementPart part_with(const Statement& block, unsigned line) {
  return std::ranges::find_if(block.parts, [line](const Statement& one) { return one.contains(line); });
}

/// Whether the line behind `part` is no part of the next statement, and still in the block.
bool ends_its_line(const Statement& block, StatementPart part) {
  const auto next = std::next(part);
  return next == block.parts.end() ? block.last > part->last : next->first > part->last;
}

bool begins_its_line(const Statement& block, StatementPart part) {
  return part == block.parts.begin() ? block.first < part->first : std::prev(part)->last < part->first;
}

/// The block that is run after the head of a loop or branch at `head`, if `line` is in it.
const Statement* body_with(const Statement& control, unsigned head, unsigned line) {
  const auto body = part_with(control, line);
  const bool is_body = control.first <= head && body != control.parts.end() && head <= body->first &&
                       body->control == Statement::Control::block;
  return is_body ? &*body : nullptr;
}

}  // namespace

std::optional<Insertion> insertion_between(SourceText& sources, const std::string& file, unsigned after,
                                           unsigned before, const std::string& text) {
  const Statement all = statements_of(sources, file);
  const Statement& inner = *statements_around(all, after, before).back();
  const bool is_block = inner.control == Statement::Control::block;
  const Statement* block = is_block ? &inner : body_with(inner, after, before);
  if (block == nullptr || after >= before) return std::nullopt;
  if (is_block) {
    const auto first = part_with(*block, after);
    if (first != block->parts.end() && first->last < before && ends_its_line(*block, first))
      return Insertion{file, first->last, text};
  }
  const auto second = part_with(*block, before);
  if (second == block->parts.end() || second->first <= after || !begins_its_line(*block, second)) return std::nullopt;
  return Insertion{file, second->first - 1, text};
}

std::optional<Insertion> insertion_after(SourceText& sources, const std::string& file, unsigned after,
                                         const std::string& text) {
  const Statement all = statements_of(sources, file);
  const std::vector<const Statement*> around = statements_around(all, after, after);
  const auto block = std::find_if(around.rbegin(), around.rend(),
                                  [](const Statement* one) { return one->control == Statement::Control::block; });
  if (block == around.rend()) return std::nullopt;
  const auto part = part_with(**block, after);
  if (part == (*block)->parts.end() || part->last != after || !ends_its_line(**block, part)) return std::nullopt;
  return Insertion{file, after, text};
}

}  // namespace warpfiber::report
