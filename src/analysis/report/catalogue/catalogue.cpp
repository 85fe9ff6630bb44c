// SPDX-License-Identifier: Apache-2.0
//
// Looking things up in the catalogue (record/verdicts.inc).
#include "report/catalogue/catalogue.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace warpfiber::report {
namespace {

using record::Verdict;

constexpr CatalogueEntry kCatalogue[] = {
#define WARPFIBER_VERDICT(name, id, meaning, sanitizer_term) {Verdict::name, id, meaning, sanitizer_term},
#include "record/verdicts.inc"
};

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return kCatalogue;
}

const CatalogueEntry& entry_of(Verdict verdict) {
  return kCatalogue[static_cast<std::size_t>(verdict)];
}

std::string_view id_of(Verdict verdict) {
  return entry_of(verdict).id;
}

std::optional<Verdict> verdict_of(std::string_view id) {
  const auto* const found = std::ranges::lower_bound(kCatalogue, id, {}, &CatalogueEntry::id);
  if (found == std::end(kCatalogue) || found->id != id) return std::nullopt;
  return found->verdict;
}

}  // namespace warpfiber::report
