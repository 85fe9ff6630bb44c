// SPDX-License-Identifier: Apache-2.0
//
// A table says which statements may stand where. Those that hold others have a function; the others are a rule of the
// grammar.
#include "tools/fuzz/regions/draft.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpfiber::tools::fuzz {
namespace {

constexpr unsigned kMostFunctions = 3;
constexpr unsigned kMistakesPerCent = 12;

void write_statement(KernelDraft& draft, Uniform uniform);

bool is_likely(KernelDraft& draft, unsigned per_cent) {
  return draft.drawing().below(100) < per_cent;
}

void write_rule(KernelDraft& draft, std::string_view rule) {
  draft.write(draft.drawn(rule));
}

void write_body(KernelDraft& draft, Uniform uniform, unsigned most) {
  ++draft.body.depth;
  for (unsigned count = draft.drawing().between(1, most); count != 0; --count) write_statement(draft, uniform);
  --draft.body.depth;
}

/// As uniform as that, or less.
Uniform draw_narrower(KernelDraft& draft, Uniform uniform) {
  return static_cast<Uniform>(
      draft.drawing().between(static_cast<unsigned>(uniform), static_cast<unsigned>(Uniform::lane)));
}

void write_branch(KernelDraft& draft, Uniform uniform) {
  const Uniform inner = draw_narrower(draft, uniform);
  const bool is_voted = inner == Uniform::block && draft.drawing().once_in(4);
  draft.write("if (" + draft.drawn(is_voted ? "voted_condition" : rule_for(inner, "condition")) + ") {");
  const std::vector<Around> around = draft.body.around;
  draft.body.around.push_back({.is_loop = false, .uniform = inner});
  write_body(draft, inner, 3);
  if (is_likely(draft, 40)) {
    draft.write("} else {");
    write_body(draft, inner, 3);
  }
  draft.body.around = around;
  draft.write("}");
}

void write_switch(KernelDraft& draft, Uniform uniform) {
  const Uniform inner = draft.drawing().once_in(2) ? uniform : Uniform::lane;
  draft.write("switch (" + draft.drawn(rule_for(inner, "choice")) + " % 4) {");
  const std::vector<Around> around = std::exchange(draft.body.around, {});
  ++draft.body.depth;
  unsigned labels[] = {0, 1, 2, 3};
  const unsigned cases = draft.drawing().between(1, 3);
  for (unsigned i = 0; i < cases; ++i) {
    std::swap(labels[i], labels[draft.drawing().between(i, 3)]);
    draft.write("case " + std::to_string(labels[i]) + ": {");
    write_body(draft, inner, 2);
    draft.write("}");
    draft.write(is_likely(draft, 70) ? "break;" : "[[fallthrough]];");
  }
  draft.write("default: v0 += 1;");
  --draft.body.depth;
  draft.body.around = around;
  draft.write("}");
}

/// Whether whole warps may come to a collective.
bool has_whole_warps(const KernelDraft& draft) {
  return draft.threads % 32 == 0 && !draft.body.may_have_left;
}

/// Those of the block go round until one of its threads, or what all know, says so.
void write_do_loop(KernelDraft& draft, const std::string& index) {
  draft.write("unsigned " + index + " = 0;\ndo {");
  write_body(draft, Uniform::block, 3);
  const std::string again = draft.drawn("again");
  draft.write("} while (++" + index + " < 4 && " + again + ");");
}

/// A warp goes round as long as one of its lanes has to.
void write_voting_loop(KernelDraft& draft, const std::string& index) {
  const std::string condition = draft.drawn("lane_condition");
  draft.write("for (unsigned " + index + " = 0; " + index + " < 4 && __any_sync(kFull, " + condition + "); ++" + index +
              ") {");
  draft.body.around = {{.is_loop = true, .uniform = Uniform::warp}};
  write_body(draft, Uniform::warp, 3);
  draft.write("}");
}

/// As often for each thread, from a place of its own.
void write_shifted_loop(KernelDraft& draft, Uniform inner, const std::string& index) {
  const std::string bound = draft.drawn(rule_for(inner, "bound"));
  draft.write("for (unsigned " + index + " = t; " + index + " < t + " + bound + "; ++" + index + ") {");
  write_body(draft, inner, 3);
  draft.write("}");
}

void write_counting_loop(KernelDraft& draft, Uniform inner, const std::string& index) {
  std::string bound = draft.drawn(rule_for(inner, "bound"));
  if (bound.find('v') != std::string::npos) {  // a variable that the body may change
    const std::string kept = draft.new_name();
    draft.write("const unsigned " + kept + " = " + bound + ";");
    bound = kept;
  }
  draft.write("for (unsigned " + index + " = 0; " + index + " < " + bound + "; ++" + index + ") {");
  if (inner == Uniform::block) draft.body.uniforms.push_back(index);
  write_body(draft, inner, 4);
  draft.write("}");
}

void write_loop(KernelDraft& draft, Uniform uniform) {
  const Uniform inner = draw_narrower(draft, uniform);
  const std::string index = draft.new_name();
  const std::vector<std::string> uniforms = draft.body.uniforms;
  const std::vector<Around> around = std::exchange(draft.body.around, {{.is_loop = true, .uniform = inner}});
  ++draft.body.loops;
  const unsigned kind = draft.drawing().below(5);
  if (kind == 0 && inner == Uniform::block && !draft.body.is_function) {
    write_do_loop(draft, index);
  } else if (kind == 1 && inner != Uniform::lane && has_whole_warps(draft)) {
    write_voting_loop(draft, index);
  } else if (kind == 2) {
    write_shifted_loop(draft, inner, index);
  } else {
    write_counting_loop(draft, inner, index);
  }
  --draft.body.loops;
  draft.body.around = around;
  draft.body.uniforms = uniforms;
}

/// Those who go round together leave together, or those for whom a branch is uniform.
void write_leave(KernelDraft& draft, Uniform) {
  const Uniform uniform = draft.body.around.front().uniform;
  if (uniform != Uniform::lane && draft.body.around.back().uniform != uniform) return;  // the others would wait
  const std::string condition = draft.drawn(rule_for(uniform, "condition"));
  draft.write("if (" + condition + ") " + draft.drawn("leave"));
}

/// In a loop whole warps leave where they are whole: it may have a collective in front of the statement.
void write_return(KernelDraft& draft, Uniform) {
  if (draft.body.is_function) return draft.write("if (" + draft.drawn("block_condition") + ") return v0 ^ v1;");
  draft.body.has_returned = true;
  const bool by_warps = draft.body.loops != 0 && has_whole_warps(draft);
  const std::string condition = draft.drawn(by_warps ? "warp_condition" : "leaver_condition");
  draft.write("if (" + condition + ") {\n  out[gid] += v0 + 3 * v1 + f_bits(f0);\n  return;\n}");
  if (by_warps) return;
  draft.body.may_have_left = true;
  draft.functions.clear();  // they may have collectives
}

void add_function(KernelDraft& draft) {
  const std::string name = draft.name() + "_f" + std::to_string(draft.function_count++);
  DraftBody body;
  body.left = draft.drawing().between(2, 6);
  body.is_function = true;
  body.may_have_left = draft.body.may_have_left;
  std::swap(draft.body, body);
  write_position(draft);
  draft.write(
      "const unsigned u1 = in[b + 9];\n"
      "unsigned v1 = in[gid], v2 = t * u0, p[8] = {v0, v1, v2, t};\n"
      "unsigned* q = &p[1];\n"
      "short h0 = 7;\n"
      "bool c0 = v0 > v1;\n"
      "float f0 = static_cast<float>(v0 & 255u), f1 = 2.0f;\n"
      "unsigned long long w0 = v0 * 77777777ull;\n"
      "Pair pair = {v1, 0.5};");
  write_statements(draft);
  draft.write("return v0 + v1 * 3 + v2 * 5 + sum_of(p) + *q + h0 + c0 + f_bits(f0 + f1) + bits_of(w0, pair);");
  std::swap(draft.body, body);
  draft.written.push_back("__device__ unsigned " + name +
                          "(const unsigned* in, unsigned* s0, unsigned* s1, Pair* cells, unsigned* bins, unsigned v0, "
                          "unsigned u0) {");
  draft.written.insert(draft.written.end(), body.lines.begin(), body.lines.end());
  draft.written.insert(draft.written.end(), {"}", ""});
  draft.functions.push_back(name);
}

void write_call(KernelDraft& draft, Uniform) {
  const bool is_new = draft.functions.empty() || (draft.functions.size() < kMostFunctions && is_likely(draft, 50));
  if (is_new) add_function(draft);
  const std::string name = draft.functions[draft.drawing().below(static_cast<unsigned>(draft.functions.size()))];
  draft.write(draft.expanded("@(variable) ^= " + name + "(in, s0, s1, cells, bins, @(value), @(uniform));"));
}

/// Where a statement may stand.
enum class StatementPlace {
  anywhere,
  in_kernel,
  in_loop,
  where_block,
  where_block_of_kernel,
  where_whole_block,
  where_warps,
  where_warps_multiply
};

struct StatementKind {
  std::string_view rule;
  unsigned weight;
  StatementPlace place;
  void (*write)(KernelDraft&, Uniform) = nullptr;  // null: the rule has its text
};

constexpr StatementKind kStatements[] = {
    {"arithmetic", 15, StatementPlace::anywhere},
    {"store", 5, StatementPlace::in_kernel},
    {"atomic", 5, StatementPlace::anywhere},
    {"branch", 10, StatementPlace::anywhere, write_branch},
    {"switch", 10, StatementPlace::anywhere, write_switch},
    {"loop", 10, StatementPlace::anywhere, write_loop},
    {"leave", 10, StatementPlace::in_loop, write_leave},
    {"barrier", 5, StatementPlace::where_block},
    {"exchange", 15, StatementPlace::where_block},
    {"cell_exchange", 5, StatementPlace::where_block},
    {"global_exchange", 5, StatementPlace::where_whole_block},
    {"tree", 5, StatementPlace::where_block},
    {"counted", 5, StatementPlace::where_block},
    {"block_vote", 5, StatementPlace::where_block},
    {"return", 1, StatementPlace::where_block, write_return},
    {"call", 10, StatementPlace::where_block_of_kernel, write_call},
    {"collective", 45, StatementPlace::where_warps},
    {"masked", 3, StatementPlace::where_warps},
    {"tile", 20, StatementPlace::where_warps},
    {"matrix", 60, StatementPlace::where_warps_multiply},
};

bool may_stand(const KernelDraft& draft, Uniform uniform, StatementPlace place) {
  const DraftBody& body = draft.body;
  switch (place) {
    case StatementPlace::in_kernel: return !body.is_function;
    case StatementPlace::in_loop: return !body.around.empty() && body.around.front().is_loop;
    case StatementPlace::where_block: return uniform == Uniform::block;
    case StatementPlace::where_block_of_kernel: return uniform == Uniform::block && !body.is_function;
    case StatementPlace::where_whole_block:
      return uniform == Uniform::block && !body.is_function && body.loops == 0 && !body.has_returned;
    case StatementPlace::where_warps: return uniform != Uniform::lane && has_whole_warps(draft);
    case StatementPlace::where_warps_multiply:
      return draft.has_matrices() && !body.is_function && uniform != Uniform::lane && has_whole_warps(draft);
    default: return true;
  }
}

const StatementKind& draw_kind(KernelDraft& draft, Uniform uniform) {
  unsigned weights[std::size(kStatements)];
  unsigned sum = 0;
  for (std::size_t i = 0; i < std::size(kStatements); ++i) {
    weights[i] = may_stand(draft, uniform, kStatements[i].place) ? kStatements[i].weight : 0;
    sum += weights[i];
  }
  unsigned drawn = draft.drawing().below(sum);
  std::size_t kind = 0;
  while (drawn >= weights[kind]) drawn -= weights[kind++];
  return kStatements[kind];
}

void write_statement(KernelDraft& draft, Uniform uniform) {
  if (draft.body.left == 0) return write_rule(draft, "arithmetic");
  --draft.body.left;
  if (draft.has_mistakes() && is_likely(draft, kMistakesPerCent)) return write_rule(draft, "mistake");
  const StatementKind& kind = draw_kind(draft, uniform);
  kind.write != nullptr ? kind.write(draft, uniform) : write_rule(draft, kind.rule);
}

}  // namespace

void write_statements(KernelDraft& draft) {
  while (draft.body.left != 0) write_statement(draft, Uniform::block);
}

void write_position(KernelDraft& draft) {
  draft.write(
      "const unsigned n = blockDim.x * blockDim.y * blockDim.z;\n"
      "const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
      "const unsigned b = blockIdx.y * gridDim.x + blockIdx.x;\n"
      "const unsigned gid = b * n + t;\n"
      "[[maybe_unused]] const unsigned lane = t % 32;\n"
      "[[maybe_unused]] const unsigned warp = t / 32;");
}

}  // namespace warpfiber::tools::fuzz
