// SPDX-License-Identifier: Apache-2.0
//
// What the passes of the translator share: the program with its tokens and declarations, the changes to it and the
// errors found. Each pass looks for one construct and adds its changes; none depends on what another one wrote. The
// order in which text is put at one place is the order of Layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translate/text/declarations.hpp"
#include "translate/text/edits.hpp"
#include "translate/text/lines.hpp"
#include "translate/text/tokens.hpp"
#include "translate/translate.hpp"

namespace warpfiber::translate {

/// At the beginning of a body the kernel's lambda opens before references are declared; at its end they close first.
/// Reports of statements stand before all that other passes put to a statement, behind what ends the one before.
enum Layer : int {
  kLayerReportsInCondition = -2,
  kLayerPlain = 0,
  kLayerReportsEnd = 1,
  kLayerReferences = 2,
  kLayerKernel = -1,
  kLayerStepWith = -1,
  kLayerSteps = 3,
  kLayerReports = 4,
  kLayerKernelEnd = 5,
  kLayerColumn = 9
};

struct TranslationUnit {
  explicit TranslationUnit(const Tokens& text, const TranslateOptions& how);

  /// Adds an error at token `i`.
  void error(std::size_t i, std::string message);
  /// Adds a warning at token `i`.
  void warning(std::size_t i, std::string message);
  Diagnostic diagnostic_at(std::size_t i, std::string message) const;
  /// The lines of tokens [begin, end) by a name.
  NamedLines lines_of(std::string_view name, TokenRange tokens_of) const;
  /// What is put in at `offset` leaves the columns of the rest of its line as they are.
  void keep_columns(std::size_t offset);
  /// Whether the text is that of the second compilation of a file, which makes loops over threads of its kernels
  /// (include/warpfiber/detail/regions.hpp).
  bool is_for_regions() const;
  std::size_t begin_of(std::size_t i) const { return tokens[i].begin; }
  std::size_t end_of(std::size_t i) const { return tokens[i].end; }

  const Tokens& tokens;
  Outline outline;
  std::vector<TokenRange> device_functions;  // the bodies, with the initialisers of constructors; merged
  std::vector<TokenRange> device_code;       // the bodies of lambdas too; merged
  std::vector<std::size_t> lambdas;          // where the captures of lambdas open
  TranslateOptions options;
  Edits edits;
  std::vector<Diagnostic> diagnostics;
  std::vector<Diagnostic> warnings;
  std::vector<NamedLines> kernels;
  std::vector<NamedLines> variables;
};

/// Takes every qualifier away, blanks in its place, and moves __noinline__ into an attribute.
void drop_qualifiers(TranslationUnit& program);

/// Names of variables of the device in the launches' lists of arguments, and of functions of the device in functions of
/// the host, become addresses that fault.
void mark_host_names(TranslationUnit& program, const std::vector<TokenRange>& arguments);

/// The parameters of a kernel, by their bits, that are pointers which it uses only to access what they point to.
std::function<std::uint64_t(const Function&)> pointers_only_reached(const TranslationUnit& program);

/// Functions that call themselves no longer ask to be inlined always.
void drop_recursive_inlining(TranslationUnit& program);

/// `X<<<g, b>>>(a)` becomes `(::warpfiber::cuda::configure(g, b), X(a))`.
void rewrite_launches(TranslationUnit& program);

/// The first token of what is launched, the postfix expression before the `<<<` at `open`; kNone where it is none.
std::size_t callee_begin(const Tokens& tokens, std::size_t open);

/// Lambdas with qualifiers get types that say so, where the program asks which they have.
void mark_extended_lambdas(TranslationUnit& program);

/// Every kernel becomes the function that launches it, its body a lambda within.
void rewrite_kernels(TranslationUnit& program);

/// The kernels that are straight-line code (straight_line/straight_line.cpp), each with the types by which it is
/// instantiated: it is straight-line code where those are numbers.
std::map<const Function*, std::vector<std::string>> straight_line_kernels(const TranslationUnit& program);

/// Whether the last statement of `body`, braces included, does something and calls no function but those that compute
/// numbers and atomics (straight_line/straight_line.cpp): then no function that the body calls is the end of the
/// kernel, and a thread that returns from one early has more to do.
bool ends_without_call(const Tokens& tokens, TokenRange body);

/// __shared__ declarations become references into the shared memory of the block.
void rewrite_shared_variables(TranslationUnit& program);

/// Registers __device__, __constant__ and __managed__ variables and makes functions of the device use the instance of
/// theirs.
void rewrite_device_variables(TranslationUnit& program);

/// Where they are declared, for messages.
void name_device_variables(TranslationUnit& program);

/// asm statements in functions of the device become calls that do what their instructions mean.
void rewrite_inline_ptx(TranslationUnit& program);

/// Whether an asm statement in a function of the device ends the thread, from whatever depth of calls.
bool may_exit(const TranslationUnit& program);

/// printf, malloc, free, new and delete in functions of the device become the device's.
void rewrite_device_calls(TranslationUnit& program);

/// Objects that host code constructs with `new` are known to the runtime.
void mark_host_objects(TranslationUnit& program);

/// Functions that only the host can call say so, in headers that are for the host alone, where the options ask for it.
void mark_host_headers(TranslationUnit& program);

/// Refuses what is nested deeper than anybody can follow.
void refuse_deep_nesting(TranslationUnit& program);

/// Refuses thread_local variables in code of the device.
void refuse_thread_locals(TranslationUnit& program);

/// Lanes of functions that were written for lock-step exchange values through volatile shared memory step by step, and
/// loops of the device that wait for a volatile word to change let others run.
void rewrite_lock_step(TranslationUnit& program);

/// Reads of dynamic shared memory in checked programs say that it was overwritten through another name
/// (rules/suspects.hpp).
void mark_one_memory(TranslationUnit& program);

/// Collectives of checked programs say that their mask comes from __activemask(), and whether lanes may have come
/// apart.
void mark_active_masks(TranslationUnit& program);

/// Statements of functions of the device report to the runtime that a thread executes them, where the options ask for
/// it.
void report_statements(TranslationUnit& program);

/// Calls of member templates in templates of the device get the `template` that NVIDIA's front end does without.
void rewrite_dependent_names(TranslationUnit& program);

/// Classes that are defined under a name that begins with `::` lose that, which g++ refuses.
void rewrite_global_names(TranslationUnit& program);

/// Types that give their name to a member of a class get their `struct` or `enum` there.
void rewrite_reused_names(TranslationUnit& program);

/// Static constants of a template's own parameter that have their value in the class become inline variables.
void rewrite_static_members(TranslationUnit& program);

/// Declarations of functions that have been defined before go.
void drop_redeclarations(TranslationUnit& program);

/// What C++20 no longer has goes from a program in older C++.
void rewrite_older_language(TranslationUnit& program);

/// For members of Program.
std::vector<TokenRange> device_functions(const Outline& outline);
std::vector<std::size_t> lambdas(const Tokens& tokens);
std::vector<TokenRange> with_device_lambdas(const Tokens& tokens, std::vector<TokenRange> functions);

/// Whether token `i` is in the body of a function that may run on the device, or of such a function or lambda.
bool is_in_device_function(const TranslationUnit& program, std::size_t i);
bool is_on_device(const TranslationUnit& program, std::size_t i);

/// A reference that the translator declares under the name of a variable.
struct Reference {
  std::string name;
  std::string declaration;
};

/// Where the bare name of a declaration may mean it.
class Visibility {
 public:
  explicit Visibility(const TranslationUnit& program) : p_(program) {}

  /// The tokens behind the declaration, to the end of its namespace where nothing opens that again or uses it.
  TokenRange of(const Declaration& declaration);

 private:
  void count_mentions();

  const TranslationUnit& p_;
  std::map<std::string_view, int> mentions_;  // of names, behind `namespace` and `using`
};

/// References by their names. Of those of one name the first is the one.
class References {
 public:
  /// Known to what begins among the tokens `where`.
  void add(Reference reference, TokenRange where);
  bool empty() const { return all_.empty(); }
  /// Those that the function's body mentions and that are known at token `at`, in the order in which they were added.
  std::vector<const Reference*> mentioned(const Tokens& tokens, const Function& function, std::size_t at) const;

 private:
  struct Known {
    Reference reference;
    std::vector<TokenRange> where;
  };
  std::vector<Known> all_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// Declares at the beginning of a function's body those references, known at token `at`, whose names it mentions,
/// unless a parameter has the name, and makes them usable in its lambdas.
void refer_in_body(TranslationUnit& program, const Function& function, const References& references, std::size_t at);

/// Makes the names usable in the lambdas within tokens [begin, end) that mention them: adds `&name` to their captures,
/// since variables that had no need to be captured have become references that have.
void capture_in_lambdas(TranslationUnit& program, std::size_t begin, std::size_t end,
                        const std::vector<std::string_view>& names);

/// The lambda whose captures open at token `open`.
struct Lambda {
  std::size_t open = kNone;   // [
  std::size_t close = kNone;  // ]
  TokenRange parameters;      // without the parentheses
  TokenRange body;            // { and past }; empty: no lambda
};
Lambda read_lambda(const Tokens& tokens, std::size_t open);

/// The lambda on which the qualifier `word` stands, `[...] __device__ (...) { }`; without a body where it is no
/// __device__ or stands on something else.
Lambda device_lambda(const Tokens& tokens, std::size_t word);

}  // namespace warpfiber::translate
