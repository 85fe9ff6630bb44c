// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of findings (record/verdicts.inc): for each verdict its id, what it means and the vendor's term. Every
// format takes them from here.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "record/verdict.hpp"

namespace warpfiber::report {

struct CatalogueEntry {
  record::Verdict verdict;
  std::string_view id;  // ends with a zero
  std::string_view meaning;
  std::string_view sanitizer_term;  // compute-sanitizer's, or how it begins; empty: it has none
};

/// One for each verdict, in alphabetical order.
std::span<const CatalogueEntry> catalogue();

const CatalogueEntry& entry_of(record::Verdict verdict);
std::string_view id_of(record::Verdict verdict);

/// Nothing for a word that is no id.
std::optional<record::Verdict> verdict_of(std::string_view id);

}  // namespace warpfiber::report
