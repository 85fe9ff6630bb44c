// SPDX-License-Identifier: Apache-2.0
//
// The words a finding's id may be, with what each means. Ids are a promise to scripts and suppression files: words are
// added, never changed.
#pragma once

#include <span>
#include <string_view>

namespace warpfiber::record {

struct Verdict {
  std::string_view id;
  std::string_view meaning;
};

/// All of them, in alphabetical order.
std::span<const Verdict> verdicts();

/// The meaning of an id, or an empty text for a word that is none.
std::string_view meaning_of(std::string_view id);

}  // namespace warpfiber::record
