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
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process/runtime.hpp"
#include "process/user_call.hpp"
#include "report/source_text.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::process {

/// Whether the source around a call has a name in it.
struct NamedInCalls {
  std::mutex mutex;
  std::map<std::pair<const void*, std::string>, bool> known;  // by the instruction after the call, and the name
};

namespace {

constexpr std::size_t kMostCalls = 64;

const void* last_byte_of_call(const void* returns_to) {
  return static_cast<const char*>(returns_to) - 1;
}

/// The configuration of a launch is over when the launch begins, but the function that both are in is not.
template <class Callers>
auto call_in_same_function(Callers& callers, const void* returns_to) {
  const auto symbol = [](const void* address) {
    const auto call = reinterpret_cast<std::uintptr_t>(last_byte_of_call(address));
    return symbols::Symboliser::of_process().symbol(call);
  };
  const std::string wanted = symbol(returns_to);
  return wanted.empty() ? callers.end()
                        : std::ranges::find_if(callers, [&](const void* one) { return symbol(one) == wanted; });
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
  NamedInCalls& named = Runtime::of_process().named_in_calls.get();
  const void* returns_to = user_call().returns_to;
  if (returns_to == nullptr) return false;
  const std::lock_guard lock(named.mutex);
  const auto [entry, fresh] = named.known.try_emplace({returns_to, name}, false);
  if (fresh) entry->second = call_has_word(returns_to, name);
  return entry->second;
}

record::StackId host_calls(const void* returns_to) {
  if (returns_to == nullptr) return record::StackId::none;
  std::vector<void*> callers(kMostCalls);
  callers.resize(static_cast<std::size_t>(::backtrace(callers.data(), static_cast<int>(callers.size()))));
  auto at = std::ranges::find(callers, returns_to);
  if (at == callers.end()) at = call_in_same_function(callers, returns_to);
  std::vector<std::uintptr_t> calls;
  for (; at != callers.end() && ++at != callers.end();) calls.push_back(reinterpret_cast<std::uintptr_t>(*at));
  return record::StackDepot::of_process().add(calls);
}

}  // namespace warpfiber::process
