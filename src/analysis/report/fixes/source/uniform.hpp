// SPDX-License-Identifier: Apache-2.0
// Which loops and branches of a kernel are not uniform, so that no barrier is proposed inside one. Decided
// by names: what is computed from the index of a thread depends on it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {

/// Whether `words`, of a Statement, have `word` among them.
bool has_word(std::string_view words, std::string_view word);

/// The variables in `function` whose values depend on the index of the thread; with `blocks`, or of the block.
std::set<std::string, std::less<>> thread_dependent(const Statement& function, bool blocks);

/// Whether `words` name one of `variables`.
bool depends_on(std::string_view words, const std::set<std::string, std::less<>>& variables);

}  // namespace warpfiber::report
