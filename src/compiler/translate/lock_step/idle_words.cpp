// SPDX-License-Identifier: Apache-2.0
//
// Tables of names.
#include "translate/lock_step/idle_words.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>

#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

using WordSet = std::unordered_set<std::string_view>;

const WordSet kPauses = {"__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system",
                         "__syncwarp",  "__syncthreads", "atomic_thread_fence", "atomic_signal_fence"};
const WordSet kPure = {"min",        "max",         "__popc",     "__ffs",
                       "__clz",      "static_cast", "const_cast", "reinterpret_cast",
                       "atomic_ref", "forward",     "move"};
const WordSet kReads = {"load",
                        "test",
                        "exchange",
                        "fetch_add",
                        "fetch_or",
                        "fetch_and",
                        "fetch_max",
                        "fetch_min",
                        "compare_exchange_weak",
                        "compare_exchange_strong",
                        "__ldcg",
                        "__ldcv",
                        "__ldlu",
                        "__ldca"};
const WordSet kMeetings = {"__all_sync",        "__any_sync",         "__ballot_sync",     "__uni_sync",
                           "__shfl_sync",       "__shfl_up_sync",     "__shfl_down_sync",  "__shfl_xor_sync",
                           "__reduce_add_sync", "__reduce_min_sync",  "__reduce_max_sync", "__reduce_and_sync",
                           "__reduce_or_sync",  "__reduce_xor_sync",  "__syncthreads_or",  "__syncthreads_and",
                           "__match_any_sync",  "__syncthreads_count"};
const WordSet kMeetingsOfGroups = {"any",       "all",  "ballot",   "shfl",           "shfl_up",
                                   "shfl_down", "sync", "shfl_xor", "barrier_arrive", "barrier_wait"};
const WordSet kMeetingsOfBarriers = {"arrive_and_wait", "arrive", "wait", "wait_parity", "try_wait_parity"};
const WordSet kClocks = {"clock", "clock64", "globaltimer"};
const WordSet kNever = {"goto", "throw", "new", "delete", "try", "co_await", "co_yield", "co_return"};

constexpr std::string_view kLoads[] = {"\"ld."};
constexpr std::string_view kPausesOfPtx[] = {"\"nanosleep", "\"membar",       "\"fence",
                                             "\"bar.sync",  "\"barrier.sync", "\"bar.warp.sync"};

/// `"ld.` and the like: what the instruction of the asm statement at `i` begins with.
bool is_asm_with(const Tokens& tokens, std::size_t i, std::span<const std::string_view> beginnings) {
  if (!tokens.is(i, "asm") && !tokens.is(i, "__asm__")) return false;
  while (tokens.is(i + 1, "volatile") || tokens.is(i + 1, "__volatile__")) ++i;
  if (!tokens.is(i + 1, '(')) return false;
  const std::string_view text = tokens.text(i + 2);
  return std::ranges::any_of(beginnings, [text](std::string_view one) { return text.starts_with(one); });
}

}  // namespace

bool is_pause(std::string_view name) {
  return kPauses.contains(name);
}

bool is_pure(std::string_view name) {
  return kPure.contains(name);
}

bool is_read_by_name(std::string_view name) {
  return kReads.contains(name) || (name.starts_with("atomic") && name.size() > 6 && name[6] >= 'A' && name[6] <= 'Z');
}

bool is_meeting(std::string_view name) {
  return kMeetings.contains(name);
}

bool is_meeting_of_group(std::string_view name) {
  return kMeetingsOfGroups.contains(name);
}

bool is_meeting_of_barrier(std::string_view name) {
  return kMeetingsOfBarriers.contains(name);
}

bool is_clock(std::string_view name) {
  return kClocks.contains(name);
}

bool is_never_idle(std::string_view word) {
  return kNever.contains(word);
}

bool is_load_of_ptx(const Tokens& tokens, std::size_t i) {
  return is_asm_with(tokens, i, kLoads);
}

bool is_pause_of_ptx(const Tokens& tokens, std::size_t i) {
  return is_asm_with(tokens, i, kPausesOfPtx);
}

bool is_type_word(const Tokens& tokens, std::size_t i) {
  return is_builtin_type(tokens, i) ||
         (tokens.is_identifier(i) && (tokens.text(i).ends_with("_t") || tokens.is(i, "arrival_token")));
}

}  // namespace warpfiber::translate
