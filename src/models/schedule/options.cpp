// SPDX-License-Identifier: Apache-2.0
//
// Policies from text and back.
#include "schedule/options.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "schedule/delays.hpp"
#include "schedule/policies.hpp"
#include "schedule/recording.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::schedule {
namespace {

using record::Reason;
using record::ReasonKind;

constexpr std::size_t kMostMib = 256;  // of a recorded schedule
constexpr unsigned kDeepest = 64;

/// The text before the first colon and what follows it.
struct Split {
  std::string_view head;
  std::optional<std::string_view> tail;
};

Split split(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

base::Result<PolicyOptions, Reason> plain(PolicyKind kind, const Split& parts) {
  if (parts.tail) return Reason(ReasonKind::policy_takes_no_parameter, parts.head, *parts.tail);
  PolicyOptions options;
  options.kind = kind;
  return options;
}

base::Result<PolicyOptions, Reason> parse_pct(const Split& parts) {
  PolicyOptions options;
  options.kind = PolicyKind::pct;
  if (!parts.tail) return options;
  const Split numbers = split(*parts.tail);
  const std::optional<std::uint64_t> depth = base::parse_number(numbers.head);
  if (!depth || *depth == 0 || *depth > kDeepest)
    return Reason(ReasonKind::pct_depth_not_allowed, kDeepest, numbers.head);
  options.depth = static_cast<unsigned>(*depth);
  if (!numbers.tail) return options;
  const std::optional<std::uint64_t> steps = base::parse_number(*numbers.tail);
  if (!steps || *steps == 0) return Reason(ReasonKind::pct_steps_not_allowed, *numbers.tail);
  options.steps = *steps;
  return options;
}

base::Result<PolicyOptions, Reason> parse_replay(const Split& parts) {
  if (!parts.tail || parts.tail->empty()) return Reason(ReasonKind::replay_without_file);
  PolicyOptions options;
  options.kind = PolicyKind::replay;
  options.file = *parts.tail;
  const base::Result<std::string> text = base::read_input(options.file, kMostMib);
  if (!text.ok()) return Reason(ReasonKind::schedule_unreadable, options.file, text.error());
  std::istringstream in(text.value());
  std::string first;
  if (std::getline(in, first) && first == kSwitchesFirstLine) {
    base::Result<Switches, Reason> switches = read_switches(in, options.file);
    if (!switches) return switches.error();
    options.switches = std::make_shared<const Switches>(std::move(switches.value()));
    return options;
  }
  in.clear();
  in.seekg(0);
  base::Result<Recording, Reason> recording = read_recording(in, options.file);
  if (!recording) return recording.error();
  options.recording = std::move(recording.value());
  return options;
}

std::unique_ptr<Policy> make_replay(const PolicyOptions& options) {
  if (options.switches == nullptr) return std::make_unique<Replay>(options.recording);
  Switches mine;
  std::ranges::copy_if(*options.switches, std::back_inserter(mine),
                       [&](const ThreadSwitch& one) { return one.launch == options.launch; });
  return std::make_unique<Steered>(std::move(mine));
}

}  // namespace

base::Result<PolicyOptions, Reason> parse_policy(std::string_view text) {
  const Split parts = split(text);
  if (parts.head == "in-order") return plain(PolicyKind::in_order, parts);
  if (parts.head == "random") return plain(PolicyKind::random, parts);
  if (parts.head == "delays") return plain(PolicyKind::delays, parts);
  if (parts.head == "pct") return parse_pct(parts);
  if (parts.head == "lock-step") return plain(PolicyKind::lock_step, parts);
  if (parts.head == "replay") return parse_replay(parts);
  return Reason(ReasonKind::policy_unknown, text);
}

std::string policy_text(const PolicyOptions& options) {
  switch (options.kind) {
    case PolicyKind::in_order: return "in-order";
    case PolicyKind::random: return "random";
    case PolicyKind::pct: return fmt::format("pct:{}:{}", options.depth, options.steps);
    case PolicyKind::delays: return "delays";
    case PolicyKind::lock_step: return "lock-step";
    case PolicyKind::replay: return "replay:" + options.file;
  }
  WARPFIBER_CONTRACT(false, "every kind of policy has a text");
  return {};
}

base::Result<std::uint64_t, Reason> parse_seed(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::optional<std::uint64_t> seed =
      hexadecimal ? base::parse_number(text.substr(2), 16) : base::parse_number(text);
  if (!seed) return Reason(ReasonKind::seed_not_a_number, text);
  return *seed;
}

std::unique_ptr<Policy> make_policy(const PolicyOptions& options) {
  switch (options.kind) {
    case PolicyKind::in_order: return std::make_unique<InOrder>();
    case PolicyKind::random: return std::make_unique<RandomPolicy>(options.seed);
    case PolicyKind::pct: return std::make_unique<Pct>(options.seed, options.depth, options.steps);
    case PolicyKind::delays: return std::make_unique<Delays>(options.seed);
    case PolicyKind::lock_step: return std::make_unique<LockStep>(options.warps);
    case PolicyKind::replay: return make_replay(options);
  }
  WARPFIBER_CONTRACT(false, "every kind of policy can be made");
  return nullptr;
}

}  // namespace warpfiber::schedule
