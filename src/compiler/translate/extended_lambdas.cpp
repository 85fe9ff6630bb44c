// SPDX-License-Identifier: Apache-2.0
//
// Lambdas with qualifiers become objects of a type that says which they have, where a program asks for it
// (include/warpfiber/translated/extended_lambdas.hpp). NVIDIA's compiler gives them types of their own in host code,
// too.
#include <string>
#include <string_view>

#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

/// What the traits' macros become. The header has the name once.
constexpr std::string_view kAsks = "asks_for_extended_lambda";

bool asks_for_extended_lambdas(std::string_view text) {
  const std::size_t first = text.find(kAsks);
  return first != std::string_view::npos && text.find(kAsks, first + 1) != std::string_view::npos;
}

/// Whether a return type is written behind the parameters.
bool names_its_result(const Tokens& tokens, const Lambda& lambda) {
  for (std::size_t i = lambda.close; i < lambda.body.begin; i = after_group(tokens, i)) {
    if (tokens.is(i, "->")) return true;
  }
  return false;
}

}  // namespace

void mark_extended_lambdas(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  if (!asks_for_extended_lambdas(tokens.source())) return;
  for (const std::size_t open : program.lambdas) {
    const Lambda lambda = read_lambda(tokens, open);
    if (lambda.body.empty()) continue;
    Qualifiers qualifiers;
    for (std::size_t i = lambda.close; i < lambda.body.begin; ++i) qualifiers.add(tokens[i].keyword);
    if (!qualifiers.has(Keyword::device)) continue;
    const char* const kind = qualifiers.has(Keyword::host)      ? "host_device"
                             : names_its_result(tokens, lambda) ? "device_with_result"
                                                                : "device";
    program.edits.insert(program.begin_of(open), std::string("::warpfiber::cuda::extended_lambda<::warpfiber::cuda::"
                                                             "LambdaKind::") +
                                                     kind + ">(");
    program.edits.insert(program.end_of(lambda.body.end - 1), ")", kLayerColumn);
  }
}

}  // namespace warpfiber::translate
