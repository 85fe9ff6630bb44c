// SPDX-License-Identifier: Apache-2.0
//
// Reads statements that are to change nothing but variables of their function, and notes which of them they change by
// what, what they say to other threads, and where they leave. A loop whose passes are such statements waits.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "translate/lock_step/idle_calls.hpp"
#include "translate/lock_step/local_variables.hpp"
#include "translate/passes.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {

/// A variable gets what stands at `by`, if `under` is so.
struct IdleAssignment {
  std::string_view name;
  TokenRange by;
  std::vector<TokenRange> under;
  bool is_inner = false;   // it begins anew in each pass
  bool keeps_old = false;  // what it was before has a part in it
};

/// Where a loop is left, or a function returns.
struct IdleExit {
  TokenRange statement;  // that does so at its end, whatever else it does
  TokenRange value;      // what a function returns
  std::vector<TokenRange> under;
};

class IdleText {
 public:
  /// Of a loop whose passes are `pass`; of a whole function: none.
  IdleText(const TranslationUnit& program, LocalVariables& locals, IdleCalls& calls, TokenRange pass)
      : p_(program), t_(program.tokens), locals_(locals), calls_(calls), pass_(pass) {}

  /// False if the text may do more.
  bool read_statements(TokenRange text);
  bool read_expression(TokenRange text);

  const std::vector<IdleExit>& exits() const { return exits_; }
  const std::vector<std::size_t>& continues() const { return continues_; }
  const std::vector<IdleAssignment>& assignments() const { return assignments_; }
  const std::vector<TokenRange>& said() const { return said_; }
  /// The bodies of lambdas that it calls.
  const std::vector<TokenRange>& lambdas() const { return lambda_bodies_; }
  bool reads() const { return reads_; }
  bool asks_others() const { return asks_others_; }
  bool calls_functions() const { return calls_functions_; }
  bool moves_object() const { return moves_object_; }

  /// f(name) for each name in `text` that what it gives may come of, but for those that functions take and do nothing
  /// with; and for what comes of a clock an empty one.
  template <class Visit>
  void each_name(TokenRange text, Visit visit) const {
    for (std::size_t i = text.begin; i < text.end; ++i) {
      if (!t_.is_identifier(i) || is_left_out(i)) continue;
      visit(clocks_.contains(i) ? std::string_view() : t_.text(i));
    }
  }

 private:
  static constexpr unsigned kDeepest = 32;  // statements within statements

  bool is_function() const { return pass_.begin == kNone; }
  bool is_left_out(std::size_t i) const;
  bool read_statement(TokenRange statement);
  bool read_branch(const Compound& branch, TokenRange statement);
  bool read_loop(const Compound& loop, TokenRange statement);
  bool read_simple(TokenRange statement);
  bool leaves_at_end(std::size_t i) const;
  void leave(TokenRange statement, TokenRange value);
  std::size_t read_token(std::size_t i, TokenRange text);
  std::size_t read_call(std::size_t i, std::size_t arguments);
  bool take(const IdleCall& call, std::size_t i, std::size_t arguments, std::size_t object);
  bool read_lambda_at(std::size_t open, std::size_t name);
  std::size_t past_asm(std::size_t i);
  bool count(std::size_t i);
  bool assign(std::size_t i, TokenRange text);
  bool may_change(std::size_t i);
  void note(std::size_t name, TokenRange by, bool keeps_old);
  bool is_whole(std::size_t i) const;
  bool is_subscript(std::size_t i) const { return t_.is_identifier(i - 1) || t_.is(i - 1, ')') || t_.is(i - 1, ']'); }
  std::size_t element_of(std::size_t close) const;

  const TranslationUnit& p_;
  const Tokens& t_;
  LocalVariables& locals_;
  IdleCalls& calls_;
  const TokenRange pass_;
  std::vector<TokenRange> under_;
  unsigned depth_ = 0;
  std::size_t lambda_ = kNone;  // the name of the one that is read, and its body
  TokenRange lambda_body_;
  unsigned loops_ = 0;       // of the text, around the statement
  unsigned breakables_ = 0;  // and switches
  std::vector<IdleExit> exits_;
  std::vector<std::size_t> continues_;
  std::vector<IdleAssignment> assignments_;
  std::vector<TokenRange> said_;
  std::vector<TokenRange> left_out_;
  std::unordered_set<std::size_t> clocks_;
  std::unordered_set<std::size_t> lambdas_;  // that were read
  std::vector<TokenRange> lambda_bodies_;
  bool reads_ = false;
  bool asks_others_ = false;
  bool calls_functions_ = false;
  bool moves_object_ = false;
};

}  // namespace warpfiber::translate
