// SPDX-License-Identifier: Apache-2.0
//
// Lays out the backtraces of a party: the first, and at most two further ones.
#include "report/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "report/short_name.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::report {
namespace {

using record::Place;

constexpr std::size_t kMostOthers = 2;  // backtraces after the first

constexpr std::size_t kLongestFunction = 80;

/// " in reduce"; the body of a kernel, which is a lambda where it was translated, is the kernel. Where g++ has inlined
/// one, it names no more than its operator.
std::string in_function(const Place& call, bool outermost, const std::string& kernel) {
  if (call.function.empty()) return {};
  const std::string name = short_name(call.function);
  const bool is_kernel = name == kernel + "::{lambda}" || (outermost && name == "operator()");
  return " in " + abbreviated(is_kernel ? kernel : name, kLongestFunction);
}

class CallLines {
 public:
  CallLines(const record::Finding& finding, const Names& names, std::size_t most)
      : finding_(finding), names_(names), most_(most) {}

  void add(std::string_view whose, const std::vector<Place>& stack, const Place& place) {
    const std::size_t own = first_own(stack, place);
    const bool is_far = own < stack.size() && own >= most_ && most_ != 0;
    std::size_t shown = std::min(stack.size(), is_far ? most_ - 1 : most_);
    for (std::size_t i = 0; i < shown; ++i) add_call(i == 0 ? whose : "", stack, i);
    if (is_far) {
      if (own > shown) add_more(own - shown);
      add_call(shown == 0 ? whose : "", stack, own);
      shown = own + 1;
    }
    if (shown != 0 && stack.size() > shown) add_more(stack.size() - shown);
  }

  std::vector<std::string> lines;

 private:
  /// The first call from the program's own code, where the place is in a library's; else none of them.
  static std::size_t first_own(const std::vector<Place>& stack, const Place& place) {
    if (!place.known() || !symbols::is_cuda_library(place.file)) return stack.size();
    const auto own = std::ranges::find_if(
        stack, [](const Place& call) { return call.known() && !symbols::is_cuda_library(call.file); });
    return static_cast<std::size_t>(own - stack.begin());
  }
  void add_call(std::string_view whose, const std::vector<Place>& stack, std::size_t at) {
    const Place& call = stack[at];
    lines.push_back(fmt::format("{}called at {}{}", whose,
                                call.known() ? names_.place(call) : std::string("an unknown line"),
                                in_function(call, at + 1 == stack.size(), finding_.launch.kernel)));
  }
  void add_more(std::size_t calls) { lines.push_back(fmt::format("and {}", base::counted(calls, "more call"))); }

  const record::Finding& finding_;
  const Names& names_;
  const std::size_t most_;
};

}  // namespace

std::vector<std::string> call_lines(const record::Finding& finding, const record::Party& party, const Names& names,
                                    std::size_t most) {
  CallLines made(finding, names, most);
  made.add(party.other_stacks.empty() ? "" : "some ", party.stack, party.place);
  const std::size_t others = std::min(party.other_stacks.size(), kMostOthers);
  for (std::size_t i = 0; i < others; ++i) made.add("others ", party.other_stacks[i], party.place);
  return std::move(made.lines);
}

}  // namespace warpfiber::report
