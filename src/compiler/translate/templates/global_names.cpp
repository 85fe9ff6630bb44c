// SPDX-License-Identifier: Apache-2.0
//
// Classes that are defined under a name that begins at the global namespace, as specialisations are:
// `template <> struct ::lib::traits<mine> { ... };`. The language allows it and g++ refuses it ("global qualification
// of class name is invalid"). At file scope the name means the same without the `::`.
#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// Whether the class whose qualified name begins at token `i` is defined there.
bool is_definition(const Tokens& tokens, std::size_t i) {
  while (tokens.is(i, "::") && tokens.is_identifier(i + 1)) {
    i += 2;
    if (tokens.is(i, '<')) {
      const std::size_t close = angle_close(tokens, i);
      if (close == kNone) return false;
      i = close + 1;
    }
  }
  return tokens.is(i, '{') || tokens.is(i, ':') || (tokens.is(i, "final") && !tokens.is_identifier(i + 1));
}

}  // namespace

void rewrite_global_names(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "struct") && !tokens.is(i, "class") && !tokens.is(i, "union")) continue;
    const std::size_t name = skip_attributes(tokens, i + 1);
    if (!tokens.is(name, "::") || tokens.opener(i) != kNone || !is_definition(tokens, name)) continue;
    program.edits.replace(program.begin_of(name), program.end_of(name), "  ");
  }
}

}  // namespace warpfiber::translate
