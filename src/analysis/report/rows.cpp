// SPDX-License-Identifier: Apache-2.0
// Laying out parties. A row has four cells; the widths of the first three come from all rows together, so cells are
// filled first and measured before any line is made.
#include "report/rows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/columns.hpp"
#include "report/names.hpp"
#include "report/paint.hpp"
#include "report/short_name.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;
using record::Role;

struct Verb {
  std::string_view one;
  std::string_view many;
  std::string_view preposition;  // before the memory it is done to
};

/// In the order of Role.
constexpr std::array kVerbs{
    Verb{"waits", "wait", "on"},
    Verb{"spins", "spin", "on"},
    Verb{"not started", "not started", "on"},
    Verb{"has exited", "have exited", "on"},
    Verb{"calls", "call", "on"},
    Verb{"reads", "read", "at"},
    Verb{"writes", "write", "at"},
    Verb{"accesses", "access", "at"},
    Verb{"throws", "throw", "at"},
    Verb{"fails", "fail", "at"},
    Verb{"traps", "trap", "at"},
    Verb{"overflows", "overflow", "at"},
    Verb{"creates", "create", "on"},
    Verb{"converts", "convert", "at"},
    Verb{"runs", "run", "on"},
};
static_assert(kVerbs.size() == static_cast<std::size_t>(Role::run) + 1);

constexpr std::size_t kGap = 2;      // columns between cells, and the indentation
constexpr std::size_t kWidest = 60;  // columns of a cell; longer text goes below

struct Row {
  std::string subject;
  std::string site;
  std::string what;
  std::string tail;
  std::vector<std::string> notes;
};

struct RowWidths {
  std::size_t subject = 0;
  std::size_t site = 0;
  std::size_t what = 0;

  std::size_t what_at() const { return kGap + subject + kGap + (site == 0 ? 0 : site + kGap); }
  std::size_t tail_at() const { return what_at() + what + kGap; }
  std::size_t notes_at() const { return kGap + subject + kGap; }
};

const Verb& verb_of(Role role) {
  return kVerbs[static_cast<std::size_t>(role)];
}

/// Whether an earlier party stands in the same several blocks: then only which of their threads these are is news.
bool repeats_blocks(std::span<const Party> earlier, const Party& party) {
  const std::vector<record::Run>& blocks = party.who.blocks;
  const bool several = blocks.size() > 1 || (blocks.size() == 1 && blocks[0].first != blocks[0].last);
  return several && std::ranges::any_of(earlier, [&](const Party& other) { return other.who.blocks == blocks; });
}

std::string quoted(const Party& party, SourceText& sources) {
  const auto line = party.place.known() ? sources.line(party.place.file, party.place.line) : std::nullopt;
  const std::string quotation = line ? quote(*line) : std::string();
  return quotation.empty() ? party.what : quotation;
}

Row row_of(const Finding& finding, std::size_t index, const Names& names, SourceText& sources, std::size_t calls) {
  const Party& party = finding.parties[index];
  const std::span<const Party> earlier(finding.parties.data(), index);
  Row row;
  row.subject = fmt::format("{} {}", count_text(party.who), verb_text(party));
  row.site = names.place(party.place);
  row.what = quoted(party, sources);
  std::string who = who_text(party.who, finding.launch);
  if (columns(row.what) > kWidest) row.notes.push_back(std::exchange(row.what, {}));
  if (row.what.empty()) row.what.swap(who);
  if (!party.detail.empty() && repeats_blocks(earlier, party))
    who.erase(0, std::min(who.find(", thread"), who.size() - 2) + 2);
  row.tail = who + (who.empty() || party.detail.empty() ? "" : ", ") + party.detail;
  if (party.object)
    row.notes.push_back(fmt::format("{} {}", verb_of(party.role).preposition, names.object(*party.object)));
  for (const record::ObjectFacts& object : party.further)
    row.notes.push_back(fmt::format("and {} {}", verb_of(party.role).preposition, names.object(object)));
  for (std::string& call : call_lines(finding, party, names, calls)) row.notes.push_back(std::move(call));
  return row;
}

RowWidths measure(const std::vector<Row>& rows) {
  RowWidths widths;
  for (const Row& row : rows) {
    widths.site = std::max(widths.site, columns(row.site));
    if (!row.site.empty()) widths.subject = std::max(widths.subject, columns(row.subject));
    if (!row.tail.empty()) widths.what = std::max(widths.what, columns(row.what));
  }
  // The first cell of a row without a site runs on into the column of sites.
  for (const Row& row : rows) {
    const std::size_t end = kGap + columns(row.subject) + kGap;
    if (row.site.empty() && end > widths.what_at()) widths.subject += end - widths.what_at();
  }
  return widths;
}

/// The row itself; `tail` may be empty.
std::string first_line(const Row& row, const std::string& tail, const RowWidths& widths, const Paint& paint) {
  std::string line(kGap, ' ');
  if (row.site.empty()) {
    line += padded(row.subject, widths.what_at() - kGap);
  } else {
    line += padded(row.subject, widths.subject + kGap) + paint(row.site, ink::kPlace);
    line += std::string(widths.site + kGap - columns(row.site), ' ');
  }
  line += tail.empty() ? row.what : padded(row.what, widths.what + kGap) + tail;
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::vector<std::string> lines_of(const Row& row, const RowWidths& widths, const TextStyle& style) {
  const bool fits = widths.tail_at() + columns(row.tail) <= style.width;
  std::vector<std::string> lines{first_line(row, fits ? row.tail : "", widths, Paint(style.colour))};
  std::vector<std::string> notes = row.notes;
  if (!fits) notes.insert(notes.begin(), row.tail);
  const std::size_t indentation = std::min(widths.notes_at(), style.width / 2);
  for (const std::string& note : notes)
    for (const std::string& part : wrapped(note, style.width - indentation))
      lines.push_back(std::string(indentation, ' ') + part);
  return lines;
}

}  // namespace

std::string_view verb_text(const Party& party) {
  return party.who.count == 1 ? verb_of(party.role).one : verb_of(party.role).many;
}

std::vector<std::vector<std::string>> party_lines(const Finding& finding, const Names& names, SourceText& sources,
                                                  const TextStyle& style, std::size_t calls) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < finding.parties.size(); ++i) rows.push_back(row_of(finding, i, names, sources, calls));
  const RowWidths widths = measure(rows);
  std::vector<std::vector<std::string>> lines;
  lines.reserve(rows.size());
  for (const Row& row : rows) lines.push_back(lines_of(row, widths, style));
  return lines;
}

// Lays out the backtraces of a party: the first, and at most two further ones.

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
