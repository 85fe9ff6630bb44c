// SPDX-License-Identifier: Apache-2.0
//
// Expands texts from the left to the right, so that a seed makes the same choices under every compiler.
#include "tools/fuzz/regions/draft.hpp"

#include <algorithm>
#include <span>

#include "base/contract.hpp"
#include "base/text.hpp"

namespace warpfiber::tools::fuzz {

/// What the text at hand calls "@(same)" and "@(kept)".
struct KernelDraft::DrawnNames {
  std::string same;
  std::string kept;
};

KernelDraft::KernelDraft(std::uint64_t seed, bool mistakes, bool matrices)
    : drawing_(seed), has_mistakes_(mistakes), has_matrices_(matrices), name_("kernel_" + std::to_string(seed)) {}

std::string KernelDraft::drawn(std::string_view rule) {
  DrawnNames names;
  return drawn(rule, names);
}

std::string KernelDraft::expanded(std::string_view text) {
  DrawnNames names;
  return expanded(text, names);
}

std::string KernelDraft::drawn(std::string_view rule, DrawnNames& names) {
  constexpr std::string_view kLet = "let ";
  if (rule == "new") return names.same = new_name();
  if (rule == "same") return names.same;
  if (rule == "kept") return names.kept;
  if (rule == "uniform") return body.uniforms[drawing_.below(static_cast<unsigned>(body.uniforms.size()))];
  if (rule == "word") return std::to_string(static_cast<std::uint32_t>(drawing_.bits()));
  if (rule.starts_with(kLet)) return names.kept = drawn(rule.substr(kLet.size()));
  if (const std::size_t dots = rule.find(".."); dots != std::string_view::npos)
    return std::to_string(drawing_.between(number(rule.substr(0, dots)), number(rule.substr(dots + 2))));
  const std::span<const KernelText> texts = texts_of(rule);
  WARPFIBER_CONTRACT(!texts.empty(), "every name in a text of a random kernel is a rule");
  unsigned sum = 0;
  for (const KernelText& text : texts) sum += text.weight;
  unsigned chosen = drawing_.below(sum);
  const KernelText* text = texts.data();
  while (chosen >= text->weight) chosen -= text++->weight;
  return expanded(text->text);
}

std::string KernelDraft::expanded(std::string_view text, DrawnNames& names) {
  std::string result;
  for (std::size_t at = text.find("@("); at != std::string_view::npos; at = text.find("@(")) {
    const std::size_t end = text.find(')', at);
    result += text.substr(0, at);
    result += drawn(text.substr(at + 2, end - at - 2), names);
    text.remove_prefix(end + 1);
  }
  return result += text;
}

unsigned KernelDraft::number(std::string_view word) const {
  if (word == "threads") return threads;
  if (word == "thread") return threads - 1;
  return static_cast<unsigned>(base::parse_number(std::string(word)).value_or(0));
}

void KernelDraft::write(const std::string& text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    body.lines.push_back(std::string(std::size_t{2} * body.depth, ' ') + text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string KernelDraft::new_name() {
  return "x" + std::to_string(++names_);
}

std::string rule_for(Uniform uniform, std::string_view rule) {
  constexpr std::string_view kPrefixes[] = {"block_", "warp_", "lane_"};
  return std::string(kPrefixes[static_cast<unsigned>(uniform)]) += rule;
}

}  // namespace warpfiber::tools::fuzz
