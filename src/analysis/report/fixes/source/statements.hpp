// SPDX-License-Identifier: Apache-2.0
// The statements of a source file as ranges of lines, so that a fix can name a place where a barrier may stand. Reads
// C++ loosely: what it does not understand is one statement. A file that cannot be read has no statements.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/source_text.hpp"

namespace warpfiber::report {

struct Statement {
  enum class Control { simple, block, loop, branch };

  Control control = Control::simple;
  unsigned first = 0;  // lines
  unsigned last = 0;
  bool is_empty = false;  // nothing but a semicolon
  std::string words{};    // of a loop or branch its head, else the statement without its blocks; spaces between
  std::vector<Statement> parts{};

  bool contains(unsigned line) const { return first <= line && line <= last; }
};

/// The whole file as one block.
Statement statements_of(SourceText& sources, const std::string& file);

/// The statements that contain both lines, outermost first.
std::vector<const Statement*> statements_around(const Statement& all, unsigned one, unsigned other);

// Which loops and branches of a kernel are not uniform, so that no barrier is proposed inside one. Decided
// by names: what is computed from the index of a thread depends on it.

/// Whether `words`, of a Statement, have `word` among them.
bool has_word(std::string_view words, std::string_view word);

/// The variables in `function` whose values depend on the index of the thread; with `blocks`, or of the block.
std::set<std::string, std::less<>> thread_dependent(const Statement& function, bool blocks);

/// Whether `words` name one of `variables`.
bool depends_on(std::string_view words, const std::set<std::string, std::less<>>& variables);

}  // namespace warpfiber::report
