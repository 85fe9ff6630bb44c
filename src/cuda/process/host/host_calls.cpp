// SPDX-License-Identifier: Apache-2.0
//
// Unwinds the calling thread and drops the frames below the user's call. Whether a call names a variable is read from
// the source lines around it, once for each call.
#include "process/host/host_calls.hpp"

#include <execinfo.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "process/process_state.hpp"
#include "process/user_call.hpp"
#include "report/source_text.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::process {

/// Whether the source around a call has a name in it.
struct NamedInCalls {
  base::Mutex mutex;
  std::map<std::pair<const void*, std::string>, bool> known
      WARPFIBER_GUARDED_BY(mutex);  // by the instruction after the call, and the name
  std::map<const void*, bool> of_library WARPFIBER_GUARDED_BY(mutex);  // whether a library of CUDA code makes the call
};

namespace {

constexpr std::size_t kMostCalls = 64;

const void* last_byte_of_call(const void* returns_to) {
  return static_cast<const char*>(returns_to) - 1;
}

/// The configuration of a launch is over when the launch begins, but the function that both are in is not.
template <class Callers>
auto call_in_same_function(const Callers& callers, const void* returns_to) {
  const auto symbol = [](const void* address) {
    const auto call = reinterpret_cast<std::uintptr_t>(last_byte_of_call(address));
    return symbols::Symboliser::of_process().symbol(call);
  };
  const std::string wanted = symbol(returns_to);
  return wanted.empty() ? callers.end()
                        : std::ranges::find_if(callers, [&](const void* one) { return symbol(one) == wanted; });
}

std::vector<void*> callers_of_this() {
  std::vector<void*> callers(kMostCalls);
  callers.resize(static_cast<std::size_t>(::backtrace(callers.data(), static_cast<int>(callers.size()))));
  return callers;
}

std::vector<void*>::const_iterator place_of(const std::vector<void*>& callers, const void* returns_to) {
  const auto at = std::ranges::find(callers, returns_to);
  return at == callers.end() ? call_in_same_function(callers, returns_to) : at;
}

/// Whether the function that is returned to is Thrust's or CUB's, by its mangled name: one of such a namespace.
bool is_of_library(const void* returns_to) {
  const std::string symbol =
      symbols::Symboliser::of_process().symbol(reinterpret_cast<std::uintptr_t>(last_byte_of_call(returns_to)));
  if (!symbol.starts_with("_Z")) return false;
  const std::string_view nested =
      std::string_view(symbol).substr(std::min(symbol.find_first_not_of("_ZNK"), symbol.size()));
  return nested.starts_with("6thrust") || nested.starts_with("3cub") || nested.starts_with("4cuda");
}

/// A symbol is looked up once for each call.
bool is_known_of_library(const void* returns_to) {
  NamedInCalls& named = ProcessState::of_process().named_in_calls.get();
  const base::Lock lock(named.mutex);
  const auto [entry, fresh] = named.of_library.try_emplace(returns_to, false);
  if (fresh) entry->second = is_of_library(returns_to);
  return entry->second;
}

bool has_word(const std::string& text, std::string_view word) {
  const auto is_part = [&text](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

/// A call may begin before the line that debug information names, and end after it.
bool has_word_near(report::SourceText& sources, const record::Place& place, std::string_view word) {
  constexpr unsigned kBefore = 3;
  constexpr unsigned kLines = 8;
  const unsigned first = place.line > kBefore ? place.line - kBefore : 1;
  for (unsigned line = first; line < first + kLines; ++line) {
    const std::optional<std::string> text = sources.line(place.file, line);
    if (text.has_value() && has_word(*text, word)) return true;
  }
  return false;
}

bool call_has_word(const void* returns_to, std::string_view word) {
  report::SourceFiles sources;
  const auto has_it = [&](std::uintptr_t address) {
    return std::ranges::any_of(symbols::Symboliser::of_process().frames(address - 1), [&](const symbols::Frame& frame) {
      return frame.users && has_word_near(sources, frame.place, word);
    });
  };
  const record::StackDepot::Addresses calls = record::StackDepot::of_process().at(host_calls(returns_to));
  return std::ranges::any_of(calls, has_it) || has_it(reinterpret_cast<std::uintptr_t>(returns_to));
}

}  // namespace

bool call_names(const char* name) {
  NamedInCalls& named = ProcessState::of_process().named_in_calls.get();
  const void* returns_to = user_call().returns_to;
  if (returns_to == nullptr) return false;
  const base::Lock lock(named.mutex);
  const auto [entry, fresh] = named.known.try_emplace({returns_to, name}, false);
  if (fresh) entry->second = call_has_word(returns_to, name);
  return entry->second;
}

const void* call_of_own_code(const void* returns_to) {
  const bool is_checked = ProcessState::of_process().program_is_checked.load(std::memory_order_acquire);
  if (returns_to == nullptr || !is_checked || !is_known_of_library(returns_to)) return returns_to;
  const std::vector<void*> callers = callers_of_this();
  auto at = place_of(callers, returns_to);
  while (at != callers.end() && is_of_library(*at)) ++at;
  return at == callers.end() ? returns_to : *at;
}

record::StackId host_calls(const void* returns_to) {
  if (returns_to == nullptr) return record::StackId::none;
  const std::vector<void*> callers = callers_of_this();
  auto at = place_of(callers, returns_to);
  std::vector<std::uintptr_t> calls;
  for (; at != callers.end() && ++at != callers.end();) calls.push_back(reinterpret_cast<std::uintptr_t>(*at));
  return record::StackDepot::of_process().add(calls);
}

}  // namespace warpfiber::process
