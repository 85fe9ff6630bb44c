// SPDX-License-Identifier: Apache-2.0
//
// Collectives whose mask is what __activemask() has returned: in the call, by a variable, by a parameter or by a
// function. Which lanes those are is not defined where lanes may have come apart, so checked programs say at each such
// call where its mask comes from. Lanes that elect one of themselves by the mask, or count themselves, come to the same
// end in any company: what elects and counts is __ffs(), __clz(), __popc() and the like.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translate/active_masks/divergence.hpp"
#include "translate/passes.hpp"
#include "translate/rules/spaces.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/statements.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kActive = "activemask";
constexpr std::string_view kElects[] = {
    "__ffs",    "__ffsll",       "__clz",         "__clzll",       "__popc",
    "__popcll", "__fns",         "__brev",        "countr_zero",   "countl_zero",
    "popcount", "__builtin_ffs", "__builtin_ctz", "__builtin_clz", "__builtin_popcount"};

/// Where the lanes asked who is with them.
struct Origin {
  std::size_t token = kNone;
  bool is_apart = false;

  friend bool operator==(const Origin&, const Origin&) = default;
};

using Origins = std::map<std::string_view, Origin>;

/// A function of the device, and what is known of the calls of its name.
struct DeviceBody {
  const Function* function = nullptr;  // null for a lambda
  std::string_view name;
  TokenRange tokens;
  std::vector<Parameter> parameters;
  LanesAtBegin lanes;
  Origins given;                      // parameters that are such masks
  Origins masks;                      // all names that are
  Origins returned;                   // under no name: what the function returns is one
  std::set<std::string_view> elects;  // what stands in calls that elect or count
  bool elects_active = false;         // __activemask() stands there
};

bool is_collective(std::string_view name) {
  if (name == "__syncwarp") return true;
  if (!name.ends_with("_sync")) return false;
  constexpr std::string_view kBegins[] = {"__shfl_", "__match_", "__reduce_", "__all_",
                                          "__any_",  "__uni_",   "__ballot_"};
  return std::ranges::any_of(kBegins, [name](std::string_view begin) { return name.starts_with(begin); });
}

/// `(uint32_t)(x)`, `unsigned(x)`: what stands in the group stays what it is.
bool is_cast(const Tokens& tokens, std::size_t i) {
  return is_builtin_type(tokens, i) || is_keyword(tokens, i) || tokens.text(i).ends_with("_t");
}

class ActiveMasks {
 public:
  explicit ActiveMasks(TranslationUnit& program) : p_(program), t_(program.tokens) {}

  void mark() {
    if (!is_mentioned()) return;
    find_bodies();
    constexpr int kMostRounds = 8;
    for (int round = 0; round < kMostRounds; ++round) {
      changed_ = false;
      for (DeviceBody& body : bodies_) follow(body);
      if (!changed_) break;
    }
    for (const DeviceBody& body : bodies_) mark(body);
  }

 private:
  /// Whether code of the user's asks. Our own headers have the name, too.
  bool is_mentioned() const {
    const std::string_view text = t_.source();
    for (std::size_t at = text.find(kActive); at != std::string_view::npos; at = text.find(kActive, at + 1)) {
      for (const TokenRange range : p_.device_code) {
        const bool is_within = p_.begin_of(range.begin) <= at && at < p_.end_of(range.end - 1);
        if (is_within && is_users(range.begin)) return true;
      }
    }
    return false;
  }

  bool is_users(std::size_t i) const { return !is_foreign(locate(t_, p_.begin_of(i)), {}); }

  void find_bodies() {
    for (const Function& function : p_.outline.functions) {
      if (!function.qualifiers.on_device() || function.body.empty() || !is_users(function.body.begin)) continue;
      DeviceBody body;
      body.function = &function;
      body.name = t_.text(function.name.end - 1);
      body.tokens = function.body;
      body.parameters = read_parameters(t_, {function.open + 1, function.close});
      add(std::move(body));
    }
    for (const std::size_t word : t_.keywords()) {
      const TokenRange tokens = device_lambda(t_, word).body;
      if (tokens.empty() || cover(p_.device_functions, tokens.begin) || !is_users(tokens.begin)) continue;
      DeviceBody body;
      body.tokens = tokens;
      add(std::move(body));
    }
  }

  void add(DeviceBody body) {
    for (std::size_t i = body.tokens.begin; i < body.tokens.end; ++i) {
      if (!t_.is(i + 1, '(') || t_.match(i + 1) == kNone) continue;
      if (std::ranges::find(kElects, t_.text(i)) == std::end(kElects)) continue;
      for (std::size_t at = i + 2; at < t_.match(i + 1); ++at) {
        if (t_.is(at, "__activemask")) body.elects_active = true;
        if (t_.is_identifier(at)) body.elects.insert(t_.text(at));
      }
    }
    bodies_.push_back(std::move(body));
  }

  void follow(DeviceBody& body) {
    const Divergence lanes = divergence_of(body);
    for (const auto& [name, origin] : body.given) add(body.masks, name, origin);
    for (std::size_t i = body.tokens.begin; i < body.tokens.end; ++i) {
      if (t_.is(i, '=')) assign(body, lanes, i);
      if (t_.is(i, "return")) note_returned(body, lanes, i);
      if (t_[i].kind == TokenKind::string) note_ptx(body, lanes, i);
      if (!t_.is_identifier(i) || t_.match(i + 1) == kNone) continue;
      if (t_.is(i + 1, '(') || t_.is(i + 1, '{')) note_call(body, lanes, i);
    }
  }

  Divergence divergence_of(const DeviceBody& body) const {
    Divergence lanes(t_, body.tokens);
    lanes.follow(body.lanes);
    return lanes;
  }

  /// `unsigned m = __activemask();`
  void assign(DeviceBody& body, const Divergence& lanes, std::size_t at) {
    if (!t_.is_identifier(at - 1)) return;
    const std::size_t end =
        std::min(find_mark(t_, at + 1, body.tokens.end, ';'), find_mark(t_, at + 1, body.tokens.end, ','));
    const auto origin = origin_of(body, lanes, {at + 1, end});
    if (origin.has_value()) add(body.masks, t_.text(at - 1), *origin);
  }

  /// Of several origins of a name one is kept: where lanes may be apart, if there is one.
  void add(Origins& to, std::string_view name, const Origin& origin) {
    const auto [known, is_new] = to.try_emplace(name, origin);
    const bool is_worse = origin.is_apart && !known->second.is_apart;
    if (is_worse) known->second = origin;
    changed_ |= is_new || is_worse;
  }

  void note_returned(DeviceBody& body, const Divergence& lanes, std::size_t i) {
    if (body.function == nullptr) return;
    const auto origin = origin_of(body, lanes, {i + 1, find_mark(t_, i + 1, body.tokens.end, ';')});
    if (origin.has_value()) add(body.returned, {}, *origin);
  }

  /// `asm("activemask.b32 %0;" : "=r"(m));`
  void note_ptx(DeviceBody& body, const Divergence& lanes, std::size_t i) {
    if (t_.text(i).find(kActive) == std::string_view::npos) return;
    const std::size_t end = find_mark(t_, i + 1, body.tokens.end, ';');
    for (std::size_t at = i + 1; at < end; ++at) {
      if (!t_.is(at, '(') || !t_.is_identifier(at + 1) || !t_.is(at + 2, ')')) continue;
      add(body.masks, t_.text(at + 1), {i, lanes.is_apart(i)});
      return;
    }
  }

  /// `unsigned m{__activemask()}` and `f(x, __activemask())`, after which f's second parameter is such a mask.
  void note_call(DeviceBody& body, const Divergence& lanes, std::size_t i) {
    const bool declares = i > 0 && t_.is_identifier(i - 1) && !is_keyword(t_, i - 1);
    const TokenRange inside{i + 2, t_.match(i + 1)};
    if (declares) {
      if (const auto origin = origin_of(body, lanes, inside)) add(body.masks, t_.text(i), *origin);
    }
    for (DeviceBody& callee : bodies_) {
      if (callee.function == nullptr || callee.name != t_.text(i)) continue;
      if (lanes.is_apart(i)) change(callee.lanes.are_apart, true);
      const std::vector<TokenRange> arguments = split_commas(t_, inside.begin, inside.end);
      for (std::size_t n = 0; n < std::min(arguments.size(), callee.parameters.size()); ++n)
        pass(body, lanes, arguments[n], callee, callee.parameters[n]);
    }
  }

  void pass(const DeviceBody& body, const Divergence& lanes, TokenRange argument, DeviceBody& callee,
            const Parameter& parameter) {
    if (parameter.name == kNone) return;
    const std::string_view name = t_.text(parameter.name);
    if (lanes.is_varying(argument)) changed_ |= callee.lanes.varying.insert(name).second;
    const auto origin = origin_of(body, lanes, argument);
    if (origin.has_value()) add(callee.given, name, *origin);
  }

  void change(bool& what, bool value) {
    changed_ |= what != value;
    what = value;
  }

  /// Where the mask comes from that the expression is; nothing where it is none.
  std::optional<Origin> origin_of(const DeviceBody& body, const Divergence& lanes, TokenRange expression) const {
    for (std::size_t i = expression.begin; i < expression.end; ++i) {
      if (!t_.is_identifier(i)) continue;
      const bool is_call = t_.is(i + 1, '(') && t_.match(i + 1) != kNone;
      if (is_call && t_.is(i, "__activemask")) return Origin{i, lanes.is_apart(i)};
      if (!is_call) {
        if (const auto known = body.masks.find(t_.text(i)); known != body.masks.end()) return known->second;
        continue;
      }
      for (const DeviceBody& callee : bodies_) {
        if (callee.returned.empty() || callee.name != t_.text(i)) continue;
        const Origin& origin = callee.returned.begin()->second;
        return Origin{origin.token, origin.is_apart || lanes.is_apart(i)};
      }
      if (!is_cast(t_, i)) i = t_.match(i + 1);
    }
    return {};
  }

  void mark(const DeviceBody& body) {
    const Divergence lanes = divergence_of(body);
    for (std::size_t i = body.tokens.begin; i < body.tokens.end; ++i) {
      if (!is_collective(t_.text(i)) || !t_.is(i + 1, '(') || t_.match(i + 1) == kNone) continue;
      const std::vector<TokenRange> arguments = split_commas(t_, i + 2, t_.match(i + 1));
      if (arguments.empty()) continue;
      const auto origin = origin_of(body, lanes, arguments.front());
      if (!origin.has_value()) continue;
      const bool is_reported = origin->is_apart && !elects_by(body, arguments.front()) && !is_elected(body, i);
      put(arguments.front(), *origin, is_reported);
    }
  }

  void put(TokenRange argument, const Origin& origin, bool is_apart) {
    const std::string line = std::to_string(locate(t_, p_.begin_of(origin.token)).line);
    p_.edits.insert(p_.begin_of(argument.begin), "::warpfiber::cuda::of_active_lanes(");
    p_.keep_columns(p_.begin_of(argument.begin));
    p_.edits.insert(p_.end_of(argument.end - 1), ", " + line + (is_apart ? ", true)" : ", false)"));
    p_.keep_columns(p_.end_of(argument.end - 1));
  }

  /// The lanes of the mask elect one of themselves by it, or count themselves.
  bool elects_by(const DeviceBody& body, TokenRange mask) const {
    for (std::size_t i = mask.begin; i < mask.end; ++i) {
      if (t_.is(i, "__activemask") ? body.elects_active : body.elects.contains(t_.text(i))) return true;
    }
    return false;
  }

  /// `__popc(__ballot_sync(...))`, `unsigned peers = __match_any_sync(...)` of which one is elected.
  bool is_elected(const DeviceBody& body, std::size_t i) const {
    for (std::size_t open = t_.opener(i); open != kNone && open > body.tokens.begin; open = t_.opener(open)) {
      if (t_.is(open, '(') && std::ranges::find(kElects, t_.text(open - 1)) != std::end(kElects)) return true;
    }
    std::size_t at = i;
    while (at > body.tokens.begin && !t_.is(at - 1, ';') && !t_.is(at - 1, '{') && !t_.is(at - 1, '}')) {
      --at;
      if (t_.is(at, '=') && t_.is_identifier(at - 1)) return body.elects.contains(t_.text(at - 1));
    }
    return false;
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::vector<DeviceBody> bodies_;
  bool changed_ = false;
};

}  // namespace

void mark_active_masks(TranslationUnit& program) {
  if (program.options.checked) ActiveMasks(program).mark();
}

}  // namespace warpfiber::translate
