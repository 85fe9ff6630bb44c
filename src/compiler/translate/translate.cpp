// SPDX-License-Identifier: Apache-2.0
//
// Renames new keywords, merges the two texts (arch_merge.hpp), and runs the passes of passes.hpp over one set of
// tokens. Their edits are applied once.
#include "translate/translate.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "translate/arch_merge.hpp"
#include "translate/passes.hpp"
#include "translate/text/new_keywords.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// An error for every brace that is never closed. What follows one would be read as part of it, and the compiler would
/// complain of what the passes made of that.
void find_open_braces(TranslationUnit& program) {
  for (std::size_t i = 0; i < program.tokens.size(); ++i) {
    if (program.tokens.is(i, '{') && program.tokens.match(i) == kNone) {
      program.error(i, "expected a \"}\" to match this \"{\"");
    }
  }
}

/// An error for every texture reference, where the program has no template of that name. Without it each use would be
/// one more error.
void find_texture_references(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  if (tokens.source().find("texture") == std::string_view::npos) return;
  std::vector<std::size_t> found;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens.is(i, "texture") || !tokens.is_identifier(i)) continue;
    const bool declared = is_keyword(tokens, i - 1) && !tokens.is(i - 1, "static") && !tokens.is(i - 1, "extern");
    if (declared) return;
    const std::size_t close = tokens.is(i + 1, '<') ? angle_close(tokens, i + 1) : kNone;
    if (close != kNone && tokens.is_identifier(close + 1) && !tokens.is(i - 1, "::")) found.push_back(i);
  }
  for (const std::size_t i : found) {
    program.error(i,
                  "texture references, which CUDA 12 removed, are not supported; use a texture object "
                  "(cudaCreateTextureObject)");
  }
}

/// Joins lines that end in a backslash: where a comment followed it, it became the last character of its line only
/// after the preprocessor had joined lines. NVIDIA's front end joins them when it reads the text again.
void join_lines(TranslationUnit& program) {
  const Tokens& tokens = program.tokens;
  const std::string_view text = tokens.source();
  std::size_t token = 0;
  for (std::size_t at = text.find("\\\n"); at != std::string_view::npos; at = text.find("\\\n", at + 1)) {
    while (token < tokens.size() && tokens[token].end <= at) ++token;
    const bool in_token = token < tokens.size() && tokens[token].begin <= at;
    if (!in_token && text[text.rfind('\n', at) + 1] != '#') program.edits.replace(at, at + 1, " ");
  }
}

/// Whether the compiler is better off without a pragma, given what follows `#pragma `: one that it does not know, or
/// GCC's with the greatest count, by which CCCL means "fully". g++ unrolls a loop whose bound it does not know as often
/// as the count says: with 65534 one of CUB's kernels takes 17 GB. Loops of a known, small bound unroll without it. A
/// count that is a template's parameter is refused by g++ before version 14, and by all where it is not positive.
bool is_needless_unrolling(std::string_view pragma, bool unrolls) {
  const auto starts = [&pragma](std::string_view word) {
    pragma.remove_prefix(std::min(pragma.find_first_not_of(' '), pragma.size()));
    if (!pragma.starts_with(word)) return false;
    pragma.remove_prefix(word.size());
    return true;
  };
  const auto starts_with_digit = [&pragma] {
    const std::size_t first = pragma.find_first_not_of(" (");
    return first != std::string_view::npos && pragma[first] >= '0' && pragma[first] <= '9';
  };
  if (starts("GCC")) return starts("unroll") && (starts("65534") || !starts_with_digit());
  return !unrolls && (starts("unroll") || starts("nounroll"));
}

/// Blanks these lines. They are not macros' _Pragma any more.
void drop_unrolling(TranslationUnit& program) {
  constexpr std::string_view kPragma = "\n#pragma ";
  const std::string_view text = program.tokens.source();
  for (std::size_t at = text.find(kPragma); at != std::string_view::npos; at = text.find(kPragma, at + 1)) {
    const std::size_t begin = at + 1;
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    const std::string_view pragma = line.substr(kPragma.size() - 1);
    if (!is_needless_unrolling(pragma, program.options.unrolls)) continue;
    program.edits.replace(begin, begin + line.size(), std::string(line.size(), ' '));
  }
}

Translation run_passes(const Tokens& tokens, const TranslateOptions& options) {
  const std::string_view text = tokens.source();
  TranslationUnit program(tokens, options);
  refuse_deep_nesting(program);
  find_open_braces(program);
  find_texture_references(program);
  if (!program.diagnostics.empty()) return {std::string(text), std::move(program.diagnostics), {}, {}};
  refuse_thread_locals(program);
  join_lines(program);
  drop_unrolling(program);
  drop_recursive_inlining(program);
  rewrite_kernels(program);
  rewrite_launches(program);
  rewrite_shared_variables(program);
  rewrite_inline_ptx(program);
  mark_extended_lambdas(program);
  if (options.as_written) {
    name_device_variables(program);
  } else {
    rewrite_device_variables(program);
    rewrite_device_calls(program);
    mark_host_objects(program);
    mark_host_headers(program);
    rewrite_lock_step(program);
    mark_active_masks(program);
    mark_one_memory(program);
    report_statements(program);
  }
  rewrite_dependent_names(program);
  rewrite_global_names(program);
  rewrite_reused_names(program);
  rewrite_static_members(program);
  drop_redeclarations(program);
  rewrite_older_language(program);
  drop_qualifiers(program);
  std::stable_sort(program.diagnostics.begin(), program.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
                   });
  return {program.edits.apply(text), std::move(program.diagnostics), std::move(program.kernels),
          std::move(program.variables), std::move(program.warnings)};
}

/// Pragmas that a macro has left behind blanks (`#define UNROLL #pragma unroll`) begin their lines. NVIDIA's front end
/// takes them for pragmas; in preprocessed text g++ does so in the first column only. The text keeps its size.
std::string with_pragmas_in_front(std::string text) {
  if (!may_have_indented_pragma(text)) return text;
  const std::vector<std::uint32_t> marks = Tokens(text).indented_pragmas();
  for (const std::uint32_t mark : marks) {
    const std::size_t line = text.rfind('\n', mark) + 1;
    const std::size_t end = std::min(text.find('\n', mark), text.size());
    const auto at = [&text](std::size_t place) { return text.begin() + static_cast<std::ptrdiff_t>(place); };
    // A comment before the mark, which -C keeps, stays.
    if (text.find_first_not_of(" \t", line) == mark) std::rotate(at(line), at(mark), at(end));
  }
  return text;
}

/// Of C++ that has nothing of CUDA's the host's text is all.
std::string text_of(std::string_view host, std::string_view device, const TranslateOptions& options) {
  if (!options.older_language && !has_words(host) && !has_words(device)) {
    return with_pragmas_in_front(std::string(host));
  }
  return with_pragmas_in_front(joined(host, device == host ? std::string_view() : device, options));
}

constexpr const char* kTooLarge = "the preprocessed program has 4 GiB or more, which is more than can be translated";

}  // namespace

TranslationUnit::TranslationUnit(const Tokens& text, const TranslateOptions& how)
    : tokens(text),
      outline(translate::outline(tokens)),
      device_functions(translate::device_functions(outline)),
      device_code(with_device_lambdas(tokens, device_functions)),
      lambdas(translate::lambdas(tokens)),
      options(how) {}

void TranslationUnit::error(std::size_t i, std::string message) {
  diagnostics.push_back(diagnostic_at(i, std::move(message)));
}

void TranslationUnit::warning(std::size_t i, std::string message) {
  warnings.push_back(diagnostic_at(i, std::move(message)));
}

Diagnostic TranslationUnit::diagnostic_at(std::size_t i, std::string message) const {
  const Position at = locate(tokens, tokens[i].begin);
  return {unescaped(at.file), at.line, at.column, std::move(message)};
}

bool TranslationUnit::is_for_regions() const {
  return tokens.source().find("kRunsAsRegions = Execution::regions") != std::string_view::npos;
}

NamedLines TranslationUnit::lines_of(std::string_view name, TokenRange tokens_of) const {
  const Position first = locate(tokens, begin_of(tokens_of.begin));
  const Position last = locate(tokens, begin_of(tokens_of.end - 1));
  return {std::string(name), unescaped(first.file), first.line, last.line};
}

void TranslationUnit::keep_columns(std::size_t offset) {
  const std::size_t next = tokens.source().find_first_not_of(" \t", offset);
  const bool at_end = next == std::string_view::npos || tokens.source()[next] == '\n';
  if (!at_end) edits.insert(offset, continue_at(tokens, offset), kLayerColumn);
}

std::string joined(std::string_view host, std::string_view device, const TranslateOptions& options) {
  if (options.older_language) {
    const NewKeywords renamed_host(host);
    const NewKeywords renamed_device(device);
    return device.empty() ? std::string(renamed_host.text())
                          : merge_for_arch(renamed_host.text(), renamed_device.text());
  }
  return device.empty() ? std::string(host) : merge_for_arch(host, device);
}

std::string to_text(const Diagnostic& diagnostic, std::string_view severity) {
  return diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " +
         std::string(severity) + ": " + diagnostic.message;
}

JoinedProgram::JoinedProgram(std::string_view host, std::string_view device, const TranslateOptions& options)
    : is_too_large_(std::max(host.size(), device.size()) >= std::numeric_limits<std::uint32_t>::max()),
      text_(is_too_large_ ? "" : text_of(host, device, options)),
      tokens_(text_) {}

Translation translate(const JoinedProgram& program, const TranslateOptions& options) {
  if (program.is_too_large()) return {"", {{"", 0, 0, kTooLarge}}, {}, {}};
  const std::string_view text = program.tokens().source();
  if (!options.older_language && !has_words(text)) return {std::string(text), {}, {}, {}};
  return run_passes(program.tokens(), options);
}

Translation translate(std::string_view host, std::string_view device, const TranslateOptions& options) {
  return translate(JoinedProgram(host, device, options), options);
}

}  // namespace warpfiber::translate
