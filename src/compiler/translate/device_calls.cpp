// SPDX-License-Identifier: Apache-2.0
//
// What the host has too and the device does in another way: printf prints as the host's does and returns the number of
// arguments behind the format (CUDA C++ Programming Guide, "Formatted Output"); malloc, free, new and delete are of the
// device's heap. Placement new stays what it is, and so does what a program defines itself. In checked programs
// __builtin_memcpy and the like become memcpy and the like, which have hooks.
#include <string>
#include <utility>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

const char* const kDeviceFunctions = "::warpfiber::cuda::device_functions::";
const char* const kHeap = "(::warpfiber::cuda::on_heap) ";

class DeviceCalls {
 public:
  explicit DeviceCalls(TranslationUnit& program) : p_(program), t_(program.tokens) {
    std::vector<TokenRange> ranges;
    for (const Function& function : p_.outline.functions) {
      if (function.close != kNone && !function.body.empty())
        ranges.push_back({function.close + 1, function.body.begin});
    }
    initialisers_ = merged(std::move(ranges));
  }

  void rewrite() {
    for (const std::size_t i : t_.keywords()) {
      const bool copies = t_[i].keyword == Keyword::copy && p_.options.checked;
      const bool wanted = t_[i].keyword == Keyword::print || t_[i].keyword == Keyword::heap || copies;
      if (!wanted || !is_on_device(p_, i)) continue;
      if (copies) {
        rewrite_copy(i);
      } else if (t_.is(i, "new")) {
        rewrite_new(i);
      } else if (t_.is(i, "delete")) {
        rewrite_delete(i);
      } else if (t_.is(i + 1, '(')) {
        rewrite_call(i);
      }
    }
  }

 private:
  bool follows(std::size_t i, std::string_view text) const { return i > 0 && t_.is(i - 1, text); }

  /// Text in place of the tokens [begin, i).
  void put(std::size_t begin, std::size_t i, const std::string& text) {
    const std::size_t from = p_.begin_of(begin);
    const std::size_t to = p_.begin_of(i);
    if (from == to) {
      p_.edits.insert(to, text);
    } else {
      p_.edits.replace(from, to, text + line_breaks(t_, from, to));
    }
  }

  void rewrite_call(std::size_t i) {
    std::size_t begin = i;
    if (follows(i, ".") || follows(i, "->")) return;
    const bool is_heap = t_[i].keyword == Keyword::heap;
    if (is_heap && split_commas(t_, i + 2, t_.match(i + 1)).size() != 1) return;  // a library's malloc(policy, bytes)
    if ((follows(i, ":") || follows(i, ",")) && is_in_initialisers(i)) return;    // a member of this name
    if (follows(i, "::")) {
      begin = begin_of_qualified(i);
      if (begin == kNone) return;
    }
    put(begin, i, kDeviceFunctions);
  }

  /// Where `malloc` at `i` begins that is `::malloc`, `std::malloc` or `cuda::std::malloc`, each perhaps with `::`
  /// before it; kNone: a member of something else.
  std::size_t begin_of_qualified(std::size_t i) const {
    std::size_t begin = i - 1;
    for (const std::string_view scope : {"std", "cuda"}) {
      if (begin == 0 || !t_.is(begin - 1, scope)) break;
      begin -= 1;
      if (!follows(begin, "::")) return begin;
      begin -= 1;
    }
    const bool is_member = begin > 0 && t_.is_identifier(begin - 1) && !is_keyword(t_, begin - 1);
    return is_member ? kNone : begin;
  }

  void rewrite_copy(std::size_t i) {
    constexpr std::string_view kPrefix = "__builtin_";
    p_.edits.replace(p_.begin_of(i), p_.begin_of(i) + kPrefix.size(), follows(i, "::") ? "" : "::");
  }

  bool is_in_initialisers(std::size_t i) const { return cover(initialisers_, i); }

  /// Whether `(` at `i` opens the arguments of placement new and no type: a type follows its end.
  bool is_placement(std::size_t i) const {
    const std::size_t close = t_.is(i, '(') ? t_.match(i) : kNone;
    return close != kNone && (t_.is_identifier(close + 1) || t_.is(close + 1, "::") || t_.is(close + 1, '('));
  }

  /// `new T` becomes `::new (on_heap) T`: global, since a class that has operators of its own has none with a tag.
  void rewrite_new(std::size_t i) {
    if (follows(i, "operator") || is_placement(i + 1)) return;
    if (!follows(i, "::")) p_.edits.insert(p_.begin_of(i), "::");
    p_.edits.insert(p_.end_of(i), std::string(" ") + kHeap);
  }

  /// `delete p` becomes `HeapDelete{...} ->* p`, whose right operand is what delete's is.
  void rewrite_delete(std::size_t i) {
    if (follows(i, "operator") || follows(i, "=")) return;
    const bool is_array = t_.is(i + 1, '[') && t_.match(i + 1) == i + 2;
    const std::size_t last = is_array ? i + 2 : i;
    const std::size_t begin = follows(i, "::") ? i - 1 : i;
    const std::string text = std::string("::warpfiber::cuda::HeapDelete") + (is_array ? "Array" : "") +
                             "{[](auto* warpfiber_p, auto warpfiber_whole) { if constexpr (warpfiber_whole.value) { " +
                             (is_array ? "delete[]" : "delete") +
                             " warpfiber_p; } else { using warpfiber_type = ::std::remove_pointer_t<decltype("
                             "warpfiber_p)>; warpfiber_p->~warpfiber_type(); } }} ->* ";
    const std::size_t from = p_.begin_of(begin);
    p_.edits.replace(from, p_.end_of(last), text + line_breaks(t_, from, p_.end_of(last)));
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::vector<TokenRange> initialisers_;  // with all else between a function's parameters and its body
};

}  // namespace

void rewrite_device_calls(TranslationUnit& program) {
  DeviceCalls(program).rewrite();
}

}  // namespace warpfiber::translate
