// SPDX-License-Identifier: Apache-2.0
//
// The compiler says in which column the access is. The expression there is looked for among the names that the kernel
// has for memory; a local pointer leads on to what it was set to, and a parameter to the call.
#include "report/fixes/fix.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/diagnosis.hpp"
#include "report/locate.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::IndexedObject;
using record::Place;

// A local pointer is seldom set further above, or from more others.
constexpr unsigned kMostLinesAbove = 200;
constexpr unsigned kMostAssignments = 4;

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "nodes[].children" of "nodes[3].children[2]" and of "nodes[i].children": what stands in brackets differs.
std::string path_of(std::string_view expression) {
  std::string path;
  int depth = 0;
  for (const char c : expression) {
    if (c == ']' && --depth == 0) path += "[]";
    if (c == '[') ++depth;
    if (depth == 0 && c != ']' && c != ' ') path += c;
  }
  while (path.ends_with("[]")) path.resize(path.size() - 2);
  return path;
}

/// The same up to its first index.
std::string_view root_of(std::string_view path) {
  return path.substr(0, path.find('['));
}

/// The objects that could be meant; more than one where two names are for one, or where it is not clear.
using Candidates = std::vector<const IndexedObject*>;

/// Names that are joined where several pointers lead to one place.
template <class Fits>
bool any_name(const std::string& joined, Fits&& fits) {
  for (std::size_t at = 0; at <= joined.size();) {
    const std::size_t end = std::min(joined.find('|', at), joined.size());
    if (fits(path_of(std::string_view(joined).substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

Candidates called(const std::vector<IndexedObject>& all, const std::string& path) {
  Candidates found;
  const auto take = [&](auto fits) {
    for (const IndexedObject& one : all) {
      if (found.size() < all.size() && any_name(one.name, fits)) found.push_back(&one);
    }
    return !found.empty();
  };
  if (path.empty() || take([&](const std::string& name) { return name == path; })) return found;
  const auto is_member = [&](const std::string& name) {
    return name.ends_with("." + path) || name.ends_with("->" + path);
  };
  if (take(is_member)) return found;
  take([&](const std::string& name) { return root_of(name) == root_of(path); });
  return found;
}

/// The words of a text; without those in square brackets, unless `all`.
std::vector<std::string> words_of(std::string_view text, bool all = true) {
  std::vector<std::string> words;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (!is_of_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    if (all || depth == 0) words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

void add_new(Candidates& found, const Candidates& more) {
  for (const IndexedObject* one : more) {
    if (std::ranges::find(found, one) == found.end()) found.push_back(one);
  }
}

Candidates called_in(const std::vector<IndexedObject>& all, std::string_view text, bool in_brackets = true) {
  Candidates found;
  for (const std::string& word : words_of(text, in_brackets)) add_new(found, called(all, word));
  return found;
}

/// Where the first assignment of a line is; npos where there is none.
std::size_t first_assignment(std::string_view line) {
  constexpr std::string_view kNone = "=<>!";
  for (std::size_t at = 1; at + 1 < line.size(); ++at) {
    if (line[at] != '=' || kNone.find(line[at - 1]) != std::string_view::npos || line[at + 1] == '=') continue;
    return at;
  }
  return std::string_view::npos;
}

/// The bracket that the one at `at` closes; npos where the line has none.
std::size_t opening_of(std::string_view line, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at + 1; i-- > 0;) {
    depth += line[i] == ']' || line[i] == ')' ? 1 : line[i] == '[' || line[i] == '(' ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

/// The expression of names, members, calls and indices that ends in front of `end`.
std::string_view expression_before(std::string_view line, std::size_t end) {
  constexpr std::string_view kJoins = ".:>-";
  while (end > 0 && line[end - 1] == ' ') --end;
  std::size_t at = end;
  while (at > 0) {
    const char last = line[at - 1];
    if (last == ']' || (last == ')' && at == end)) {
      const std::size_t open = opening_of(line, at - 1);
      if (open == std::string_view::npos) return {};
      at = open;
    } else if (is_of_word(last) || kJoins.find(last) != std::string_view::npos) {
      --at;
    } else {
      break;
    }
  }
  return line.substr(at, end - at);
}

/// What is in the line's column: g++ says where the index of a load ends, and where the sign of an assignment is;
/// clang++ where an expression begins.
std::string expression_at(std::string_view line, unsigned column) {
  constexpr std::string_view kSigns = "+-*/%&|^<>=";
  if (column == 0 || column > line.size()) return {};
  std::size_t at = column - 1;
  if (line[at] == ']') return indexed_array(line, column, 1);
  const std::size_t sign = line.find_first_not_of(kSigns, at);
  if (sign != std::string_view::npos && sign > at && line[sign - 1] == '=')
    return std::string(expression_before(line, at));
  while (at < line.size() && (line[at] == '*' || line[at] == '(' || line[at] == '&' || line[at] == ' ')) ++at;
  const std::string array = indexed_array(line, static_cast<unsigned>(at + 1), 1);
  if (!array.empty()) return array;
  std::size_t end = at;
  while (end < line.size() && is_of_word(line[end])) ++end;
  const std::string_view rest = line.substr(end);
  const bool names_memory = rest.starts_with("->") || rest.starts_with("[") || (at > 0 && line[at - 1] == '*');
  return names_memory ? std::string(line.substr(at, end - at)) : std::string();
}

/// What a line's only call of memcpy() and the like is passed for the memory that it writes, or reads; empty where
/// there is no such call.
std::string_view passed_to_copy(std::string_view line, bool writes) {
  constexpr std::string_view kCopies[] = {"memcpy(", "memmove(", "memset("};
  for (const std::string_view copy : kCopies) {
    const std::size_t call = line.find(copy);
    if (call == std::string_view::npos) continue;
    const std::size_t open = call + copy.size() - 1;
    std::size_t begin = open + 1;
    int depth = 0;
    for (std::size_t i = open; i < line.size(); ++i) {
      const char c = line[i];
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth == 1 && c == ',') {
        const bool is_source = begin > open + 1;
        if (writes || is_source) return line.substr(begin, i - begin);
        begin = i + 1;
      }
      if (depth == 0) break;
    }
  }
  return {};
}

/// Whether `name` is assigned in the text. Gives what to.
std::optional<std::string_view> set_to(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_of_word(text[at - 1])) || (end < text.size() && is_of_word(text[end]))) continue;
    const std::size_t next = text.find_first_not_of(' ', end);
    if (next == std::string_view::npos || next + 1 >= text.size()) continue;
    const bool sets = (text[next] == '=' && text[next + 1] != '=') || text[next] == '{';
    if (sets) return text.substr(next + 1, text.find(';', next) - next - 1);
  }
  return std::nullopt;
}

class ObjectOfLine {
 public:
  ObjectOfLine(const std::vector<IndexedObject>& all, SourceText& sources) : all_(all), sources_(sources) {}

  /// The objects for which the access of a party may be.
  Candidates of(const record::Party& party) {
    const std::optional<std::string> line = line_of(party.place);
    if (!line.has_value()) return {};
    const std::string expression = expression_at(*line, party.place.column);
    if (!expression.empty()) return behind(party, path_of(expression));
    const std::string_view text = *line;
    const std::string_view copied = passed_to_copy(text, party.role == record::Role::write);
    if (!copied.empty()) return called_in(all_, copied, false);
    const std::size_t sign = first_assignment(text);
    if (party.role != record::Role::write) return called_in(all_, text);
    const std::string_view target = sign == std::string::npos ? text : expression_before(text, sign);
    return called_in(all_, target, false);
  }

 private:
  std::optional<std::string> line_of(const Place& place) { return sources_.line(place.file, place.line); }

  /// Of a name that is the kernel's, or of one of its locals, or of a function that it calls.
  Candidates behind(const record::Party& party, const std::string& path) {
    const Candidates direct = called(all_, path);
    for (const Place& call : party.stack) {
      const std::optional<std::string> line = line_of(call);
      const Candidates passed = line.has_value() ? called_in(all_, *line) : Candidates{};
      Candidates both;
      for (const IndexedObject* one : passed) {
        if (std::ranges::find(direct, one) != direct.end()) both.push_back(one);
      }
      if (!both.empty()) return both;
      if (!passed.empty()) return passed;
    }
    return direct.empty() ? by_assignment(party.place, std::string(root_of(path)), kMostAssignments) : direct;
  }

  /// Of a local pointer, by what it was set to last above the line.
  Candidates by_assignment(const Place& place, const std::string& name, unsigned steps) {
    for (unsigned above = 1; steps > 0 && above < place.line && above <= kMostLinesAbove; ++above) {
      Place earlier = place;
      earlier.line -= above;
      const std::optional<std::string> line = line_of(earlier);
      if (!line.has_value()) return {};
      const std::optional<std::string_view> value = set_to(*line, name);
      if (!value.has_value()) continue;
      Candidates found = called_in(all_, *value);
      for (const std::string& word : words_of(*value)) {
        if (found.empty() && word != name) found = by_assignment(earlier, word, steps - 1);
      }
      return found;
    }
    return {};
  }

  const std::vector<IndexedObject>& all_;
  SourceText& sources_;
};

/// Whether the address is so near to the object that an index for it most likely leads there.
bool is_near(const record::ObjectFacts& object) {
  constexpr std::int64_t kNear = 4096;
  if (!object.bytes.has_value()) return false;
  const auto offset = static_cast<std::int64_t>(object.bytes->offset);
  return offset >= -kNear && offset < static_cast<std::int64_t>(object.bytes->extent) + kNear;
}

bool is_same(const record::ObjectFacts& one, const record::ObjectFacts& other) {
  return one.bytes.has_value() && other.bytes.has_value() && one.bytes->offset == other.bytes->offset &&
         one.space == other.space;
}

/// Of those that the line has, the one that the address is nearest to.
const IndexedObject* nearest_of(const Candidates& candidates, const Finding& finding) {
  if (candidates.size() == 1) return candidates.front();
  if (!finding.object.has_value()) return nullptr;
  const IndexedObject* nearest = nullptr;
  for (const IndexedObject* one : candidates) {
    if (!is_same(one->object, *finding.object)) continue;
    if (one->name == finding.object->name) return one;
    if (nearest == nullptr) nearest = one;
  }
  return nearest;
}

void be_about(Finding& finding, const IndexedObject& chosen) {
  const record::Place freed = finding.object.has_value() ? finding.object->freed : record::Place{};
  finding.verdict = chosen.verdict;
  finding.object = chosen.object;
  finding.object->freed = freed;
  finding.diagnosis = chosen.access;
  for (record::Party& party : finding.parties) {
    if (party.role != record::Role::read && party.role != record::Role::write) continue;
    party.detail.clear();
    party.what = party.strong ? "atomic or volatile access" : party.role == record::Role::write ? "store" : "load";
  }
}

/// Only the address is known.
void be_about_nothing(Finding& finding) {
  finding.object.reset();
  finding.diagnosis = record::AddressInaccessible{};
}

}  // namespace

void name_outside_object(Finding& finding, SourceText& sources) {
  if (finding.indexed.empty() || finding.parties.empty()) return;
  const auto* const nowhere = std::get_if<record::AddressInaccessible>(finding.diagnosis.get());
  const bool is_null = nowhere != nullptr && nowhere->near.is_null;
  if (is_null || std::get_if<record::OutsideIndex>(finding.diagnosis.get()) != nullptr) return;
  // Memory of the host: most likely the pointer is one of the host's, and not an index out of bounds.
  if (std::get_if<record::Mistake>(finding.diagnosis.get()) != nullptr) return;
  const Candidates candidates = ObjectOfLine(finding.indexed, sources).of(finding.parties.front());
  if (const IndexedObject* chosen = nearest_of(candidates, finding); chosen != nullptr) {
    be_about(finding, *chosen);
    locate(finding);  // where the object was declared
  } else if (finding.object.has_value() && !is_near(*finding.object)) {
    be_about_nothing(finding);
  }
}

}  // namespace warpfiber::report
