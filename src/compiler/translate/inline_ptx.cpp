// SPDX-License-Identifier: Apache-2.0
//
// asm statements in functions of the device. Each becomes a call of a lambda whose parameters are the operands, so that
// those stay where they are and are evaluated once; its body is what the instructions mean.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"
#include "translate/ptx/emit.hpp"

namespace warpfiber::translate {
namespace {

struct AsmOperand {
  bool is_output = false;
  std::size_t open = kNone;  // ( of its expression
};

struct AsmStatement {
  std::size_t begin = kNone;  // asm
  std::size_t close = kNone;  // )
  std::string text;
  std::vector<AsmOperand> operands;
};

/// What a string literal stands for, as far as an asm statement goes.
std::string string_value(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote == std::string_view::npos || literal.size() < quote + 2) return "";
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('(', quote);
    const std::size_t close = literal.rfind(')');
    return open == std::string_view::npos || close < open ? ""
                                                          : std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string value;
  for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
    char c = literal[i];
    if (c == '\\' && i + 2 < literal.size()) {
      c = literal[++i];
      c = c == 'n' || c == 'r' ? '\n' : c == 't' ? ' ' : c;
    }
    value += c;
  }
  return value;
}

/// Reads the statement whose `asm` is token `begin`; without operands where it is of another form.
AsmStatement read_statement(const Tokens& tokens, std::size_t begin) {
  AsmStatement statement;
  std::size_t i = begin + 1;
  while (tokens.is_identifier(i)) ++i;
  if (!tokens.is(i, '(') || tokens.match(i) == kNone) return statement;
  statement.begin = begin;
  statement.close = tokens.match(i);
  int section = 0;
  for (++i; i < statement.close; i = after_group(tokens, i)) {
    if (tokens.is(i, ':')) ++section;
    if (tokens.is(i, "::")) section += 2;
    if (tokens[i].kind == TokenKind::string && section == 0) statement.text += string_value(tokens.text(i));
    if (tokens.is(i, '(') && (section == 1 || section == 2)) statement.operands.push_back({section == 1, i});
  }
  return statement;
}

class InlinePtx {
 public:
  explicit InlinePtx(TranslationUnit& program) : p_(program), t_(program.tokens) {}

  void rewrite() {
    for (const std::size_t i : t_.keywords()) {
      if (t_[i].keyword != Keyword::assembler || !is_on_device(p_, i)) continue;
      const AsmStatement statement = read_statement(t_, i);
      if (statement.begin != kNone) rewrite(statement);
    }
    for (const Unknown& unknown : unknown_) warn_of(unknown);
  }

 private:
  /// An instruction that is not modelled, at the first place that has it.
  struct Unknown {
    std::string opcode;
    std::size_t first = kNone;
    std::size_t more = 0;  // places
  };

  void note(const std::string& instruction, std::size_t at) {
    const std::string opcode = instruction.substr(0, instruction.find_first_of(" \t\n"));
    const auto same = std::ranges::find(unknown_, opcode, &Unknown::opcode);
    if (same == unknown_.end()) {
      unknown_.push_back({opcode, at});
    } else {
      ++same->more;
    }
  }

  void warn_of(const Unknown& unknown) {
    const std::string more = unknown.more == 0 ? ""
                                               : " (here and at " + std::to_string(unknown.more) +
                                                     (unknown.more == 1 ? " more place)" : " more places)");
    p_.warning(unknown.first, "inline PTX that is not modelled: \"" + unknown.opcode + "\"" + more +
                                  "; a thread that reaches it ends the launch (warpfiber explain trap)");
  }

  void rewrite(const AsmStatement& statement) {
    ptx::Emitted emitted = ptx::emit(statement.text, static_cast<unsigned>(statement.operands.size()));
    if (!emitted.wrong.empty()) {
      if (!is_of_library(statement.begin)) note(emitted.wrong, statement.begin);
      emitted.text = "::warpfiber::ptx::unknown(" + quoted(emitted.wrong) + ");";
    }
    std::string parameters;
    for (std::size_t n = 0; n < statement.operands.size(); ++n) {
      parameters += n == 0 ? "" : ", ";
      parameters += std::string("[[maybe_unused]] auto") + (statement.operands[n].is_output ? "&" : "") +
                    " warpfiber_" + std::to_string(n);
    }
    std::size_t from = p_.begin_of(statement.begin);
    std::string text = "[](" + parameters + ") { " + emitted.text + "}(";
    for (const AsmOperand& operand : statement.operands) {
      replace(from, p_.begin_of(operand.open), text);
      from = p_.end_of(t_.match(operand.open));
      text = ", ";
    }
    replace(from, p_.begin_of(statement.close), statement.operands.empty() ? text : "");
  }

  /// Libraries have wrappers for all of PTX, and a program calls few of them: nothing is said of those.
  bool is_of_library(std::size_t i) const {
    constexpr std::string_view kFolders[] = {"/cub/", "/thrust/", "/cute/", "/cutlass/", "/include/cuda/"};
    const Position at = locate(t_, p_.begin_of(i));
    if (at.system) return true;
    const bool is_main = !t_.markers().empty() && at.file == t_.markers().front().file;
    const std::string path = "/" + std::string(at.file);
    const auto is_in = [&path](std::string_view folder) { return path.find(folder) != std::string::npos; };
    return !is_main && std::ranges::any_of(kFolders, is_in);
  }

  static std::string quoted(std::string_view text) {
    std::string literal = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c == '\n' ? ' ' : c;
    }
    return literal + '"';
  }

  void replace(std::size_t begin, std::size_t end, const std::string& text) {
    if (begin != end) p_.edits.replace(begin, end, text + line_breaks(t_, begin, end));
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::vector<Unknown> unknown_;
};

}  // namespace

bool may_exit(const TranslationUnit& program) {
  for (const std::size_t i : program.tokens.keywords()) {
    if (program.tokens[i].keyword != Keyword::assembler || !is_on_device(program, i)) continue;
    if (read_statement(program.tokens, i).text.find("exit") != std::string::npos) return true;
  }
  return false;
}

void rewrite_inline_ptx(TranslationUnit& program) {
  InlinePtx(program).rewrite();
}

}  // namespace warpfiber::translate
