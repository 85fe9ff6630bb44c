// SPDX-License-Identifier: Apache-2.0
// A parser by recursive descent. The depth of expressions is bounded, since they are evaluated on stacks of kernels.
#include "trace/watch/expression.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace warpfiber::trace {
namespace {

using record::ReasonKind;

constexpr unsigned kMostDepth = 32;
constexpr std::size_t kMostExpressions = 16;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n\r") + 1 - first);
}

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_of_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

WatchNode node(WatchNodeKind kind, WatchNode first) {
  WatchNode made{.kind = kind};
  made.operands.push_back(std::move(first));
  return made;
}

WatchNode node(WatchNodeKind kind, WatchNode first, WatchNode second) {
  WatchNode made = node(kind, std::move(first));
  made.operands.push_back(std::move(second));
  return made;
}

class WatchParser {
 public:
  explicit WatchParser(std::string_view text) : text_(text) {}

  base::Result<WatchNode, record::Reason> parse() {
    WatchNode made = additive();
    skip_spaces();
    if (error_.empty() && at_ < text_.size()) fail({ReasonKind::watch_unexpected, text_.substr(at_, 1)});
    if (!error_.empty()) return record::Reason{ReasonKind::watch_wrong, text_, std::move(error_)};
    return made;
  }

 private:
  void fail(record::Reason what) {
    if (error_.empty()) error_ = std::move(what);
    at_ = text_.size();
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail({ReasonKind::watch_token_missing, token});
  }

  WatchNode additive() {
    if (++depth_ > kMostDepth) fail(ReasonKind::watch_too_deep);
    WatchNode left = multiplicative();
    for (;;) {
      if (take("+")) {
        left = grown(WatchNodeKind::add, std::move(left), multiplicative());
      } else if (take("-")) {
        left = grown(WatchNodeKind::subtract, std::move(left), multiplicative());
      } else {
        --depth_;
        return left;
      }
    }
  }

  WatchNode multiplicative() {
    WatchNode left = unary();
    for (;;) {
      if (take("*")) {
        left = grown(WatchNodeKind::multiply, std::move(left), unary());
      } else if (take("/")) {
        left = grown(WatchNodeKind::divide, std::move(left), unary());
      } else if (take("%")) {
        left = grown(WatchNodeKind::remainder, std::move(left), unary());
      } else {
        return left;
      }
    }
  }

  WatchNode unary() {
    if (++depth_ > kMostDepth) fail(ReasonKind::watch_too_deep);
    WatchNode made = take("*")   ? node(WatchNodeKind::dereference, unary())
                     : take("-") ? node(WatchNodeKind::negate, unary())
                                 : postfix();
    --depth_;
    return made;
  }

  WatchNode postfix() {
    WatchNode made = primary();
    for (;;) {
      if (take("[")) {
        made = grown(WatchNodeKind::index, std::move(made), additive());
        expect("]");
      } else if (take("->")) {
        made = member(WatchNodeKind::arrow, std::move(made));
      } else if (take(".")) {
        made = member(WatchNodeKind::member, std::move(made));
      } else {
        return made;
      }
    }
  }

  WatchNode member(WatchNodeKind kind, WatchNode of) {
    grow();
    WatchNode made = node(kind, std::move(of));
    made.name = name();
    if (made.name.empty()) fail(ReasonKind::watch_member_missing);
    return made;
  }

  WatchNode primary() {
    if (take("(")) {
      WatchNode made = additive();
      expect(")");
      return made;
    }
    skip_spaces();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    WatchNode made{.kind = WatchNodeKind::name, .name = name()};
    // Namespaces and classes: a variable is found by its own name.
    while (!made.name.empty() && take("::")) made.name = name();
    if (made.name.empty()) fail(ReasonKind::watch_operand_missing);
    return made;
  }

  std::string name() {
    skip_spaces();
    const std::size_t begin = at_;
    if (at_ < text_.size() && begins_name(text_[at_])) {
      while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  WatchNode number() {
    const bool is_hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    if (is_hex) at_ += 2;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    std::string_view digits = text_.substr(begin, at_ - begin);
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    const std::optional<std::uint64_t> value = base::parse_number(digits, is_hex ? 16 : 10);
    if (!value.has_value()) fail({ReasonKind::watch_number_wrong, text_.substr(begin, at_ - begin)});
    return {.kind = WatchNodeKind::number, .number = static_cast<std::int64_t>(value.value_or(0))};
  }

  /// Each operator makes the expression one deeper.
  void grow() {
    if (++operators_ > kMostDepth) fail(ReasonKind::watch_too_long);
  }

  WatchNode grown(WatchNodeKind kind, WatchNode left, WatchNode right) {
    grow();
    return node(kind, std::move(left), std::move(right));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  unsigned operators_ = 0;
  record::Reason error_;
};

}  // namespace

base::Result<WatchExpression, record::Reason> parse_watch(std::string_view text) {
  const std::string_view own = trimmed(text);
  if (own.empty()) return record::Reason{ReasonKind::watch_empty};
  base::Result<WatchNode, record::Reason> root = WatchParser(own).parse();
  if (!root.ok()) return root.error();
  return WatchExpression{std::string(own), std::move(root.value())};
}

base::Result<std::vector<WatchExpression>, record::Reason> parse_watches(std::string_view list) {
  std::vector<WatchExpression> all;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    const std::string_view text = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (text.empty()) continue;
    base::Result<WatchExpression, record::Reason> parsed = parse_watch(text);
    if (!parsed.ok()) return parsed.error();
    const auto is_same = [&](const WatchExpression& other) { return other.text == parsed.value().text; };
    if (std::ranges::none_of(all, is_same)) all.push_back(std::move(parsed.value()));
  }
  if (all.size() > kMostExpressions) return record::Reason{ReasonKind::watch_too_many, all.size(), kMostExpressions};
  return all;
}

}  // namespace warpfiber::trace
