// SPDX-License-Identifier: Apache-2.0
//
// Writes node after node in the order of the tree. A group is a variable named after the node that made it, g7 or, of
// lanes, the mask m7; `block`, `cluster` and `grid` are what the kernel begins with.
#include "tools/fuzz/programs.hpp"

#include <fmt/format.h>

#include <utility>

#include "tools/fuzz/prologue.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr const char* kTypeNames[] = {"int", "unsigned", "long long", "u64", "float", "double"};
constexpr const char* kFunctorNames[] = {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"};
constexpr const char* kReductions[] = {"add", "min", "max", "and", "or", "xor"};
constexpr const char* kShuffles[] = {"shfl", "shfl_up", "shfl_down", "shfl_xor"};
constexpr const char* kMaskedShuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
constexpr const char* kAtomics_[] = {"atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"};

/// What a node stands in.
struct PrintScope {
  Stage stage;
  std::string name;  // of the variable

  bool is(Context context) const { return stage.context == context; }
  std::string size() const { return is(Context::lanes) ? "size(" + name + ")" : "unsigned(" + name + ".size())"; }
};

std::string type_of(const Node& node) {
  return kTypeNames[unsigned(node.type)];
}
std::string reg(unsigned index) {
  return fmt::format("t.r[{}]", index);
}
std::string value_of(const Node& node) {
  return fmt::format("as<{}>({})", type_of(node), reg(node.a));
}
std::string bit_of(const Node& node) {
  return fmt::format("int({} >> {} & 1)", reg(node.a), node.bit);
}

std::string arithmetic(const Node& node) {
  constexpr const char* kFormulas[] = {
      "{0} + {1}",
      "{0} * {1}",
      "{0} << ({1} & 63) | {0} >> (-{1} & 63)",
      "{0} < {1} ? ~{0} : {1}",
      "u64(__popcll({0})) << 8 | unsigned(__popc(unsigned({1})))",
      "u64(__clzll((long long){0})) << 8 | unsigned(__ffs(int({1})))",
      "__brevll({0}) ^ __brev(unsigned({1}))",
      "__byte_perm(unsigned({0}), unsigned({1}), unsigned({0} >> 32))",
      "__funnelshift_l(unsigned({0}), unsigned({1}), unsigned({1} >> 32))",
      "__umulhi(unsigned({0}), unsigned({1}))",
      "__umul64hi({0}, {1})",
      "__usad(unsigned({0}), unsigned({1}), unsigned({0} >> 32))",
      "__dp4a(unsigned({0}), unsigned({1}), unsigned({1} >> 32))",
      "__vadd4(unsigned({0}), unsigned({1}))",
  };
  return fmt::format(fmt::runtime(kFormulas[node.how]), reg(node.a), reg(node.b));
}

std::string place(const PrintScope& scope) {
  if (scope.is(Context::grid)) return "told(grid.size(), grid.thread_rank(), grid.num_blocks(), grid.num_clusters())";
  if (scope.is(Context::cluster)) {
    return "told(cluster.num_threads(), cluster.thread_rank(), cluster.num_blocks(), cluster.block_rank())";
  }
  if (scope.is(Context::block)) return "told(block.size(), block.thread_rank(), grid.num_blocks(), grid.block_rank())";
  return "place(" + scope.name + ")";
}

std::string shuffle(const PrintScope& scope, const Node& node) {
  const std::string value = value_of(node);
  const bool index = Shuffle(node.how) == Shuffle::index;
  const std::string wanted = fmt::format("unsigned({} >> 32)", reg(node.b));
  if (scope.is(Context::lanes)) {
    const unsigned width = 1u << node.bit;
    return fmt::format("bits({}({}, {}, permitted({}, {}, {} % {}, {}), {}))", kMaskedShuffles[node.how], scope.name,
                       value, node.how, scope.name, index ? wanted : std::to_string(node.immediate), width, width,
                       width);
  }
  std::string operand = std::to_string(node.immediate);
  if (index) operand = fmt::format("{} % {}", scope.is(Context::large_tile) ? operand : wanted, scope.size());
  return fmt::format("bits({}.{}({}, {}))", scope.name, kShuffles[node.how], value, operand);
}

std::string vote(const PrintScope& scope, const Node& node) {
  constexpr const char* kOfBlock[] = {"u64(__syncthreads_or({}) != 0)", "u64(__syncthreads_and({}) != 0)", "",
                                      "u64(__syncthreads_count({}))"};
  constexpr const char* kOfLanes[] = {"u64(__any_sync({}, {}) != 0)", "u64(__all_sync({}, {}) != 0)",
                                      "__ballot_sync({}, {})"};
  constexpr const char* kOfGroup[] = {"u64({}.any({}))", "u64({}.all({}))", "{}.ballot({})"};
  if (scope.is(Context::block)) return fmt::format(fmt::runtime(kOfBlock[node.how]), bit_of(node));
  const char* const form = scope.is(Context::lanes) ? kOfLanes[node.how] : kOfGroup[node.how];
  return fmt::format(fmt::runtime(form), scope.name, bit_of(node));
}

std::string fold(const PrintScope& scope, const Node& node) {
  if (scope.is(Context::lanes)) {
    return fmt::format("bits(__reduce_{}_sync({}, {}))", kReductions[node.how], scope.name, value_of(node));
  }
  const char* const call = node.op == Op::reduce             ? "reduce"
                           : (node.option & kExclusive) != 0 ? "exclusive_scan"
                                                             : "inclusive_scan";
  return fmt::format("bits(cg::{}({}, {}, cg::{}<{}>()))", call, scope.name, value_of(node), kFunctorNames[node.how],
                     type_of(node));
}

/// What shuffles, votes and folds give; empty for a node that takes more than an expression.
std::string expression(const PrintScope& scope, const Node& node) {
  switch (node.op) {
    case Op::arithmetic: return arithmetic(node);
    case Op::place: return place(scope);
    case Op::shuffle: return shuffle(scope, node);
    case Op::vote: return vote(scope, node);
    case Op::reduce:
    case Op::scan: return fold(scope, node);
    default: return {};
  }
}

class Printer {
 public:
  explicit Printer(const FuzzProgram& program) : program_(program), flat_(flatten(program)) {}

  std::string kernel() {
    open("__global__ void __launch_bounds__(1024) program(u64* hashes, u64* posts, unsigned* words)");
    for (const char* line :
         {"__shared__ u64 slots[1024];", "__shared__ unsigned narrow_slots[1024];",
          "const cg::thread_block block = cg::this_thread_block();",
          "const cg::cluster_group cluster = cg::this_cluster();", "const cg::grid_group grid = cg::this_grid();",
          "const unsigned self = unsigned(block.thread_rank());",
          "const unsigned thread = unsigned(grid.thread_rank());", "Thread t = {};"}) {
      put("{}", line);
    }
    put("for (unsigned i = 0; i < {}; ++i) t.r[i] = mix({}ull + i, thread);", kRegisters, program_.seed);
    const Stage root = root_stage(program_.shape);
    constexpr const char* kNames[] = {"grid", "cluster", "block"};
    range({root, kNames[unsigned(root.context)]}, 0, flat_.count);
    put("for (unsigned i = 0; i < {}; ++i) t.hash = mix(t.hash, t.r[i]);", kRegisters);
    put("hashes[thread] = t.hash;");
    close();
    return std::move(text_);
  }

  /// Where each node's first line begins and ends in the kernel's text.
  std::string line(unsigned index) {
    wanted_ = index;
    kernel();
    return found_;
  }

 private:
  template <class... Arguments>
  void put(const char* form, const Arguments&... arguments) {
    text_ += std::string(2 * depth_, ' ') + fmt::format(fmt::runtime(form), arguments...) + "\n";
  }

  void open(const std::string& head) {
    put("{}{{", head.empty() ? head : head + " ");
    ++depth_;
  }
  void close(const std::string& tail = "") {
    --depth_;
    put("}}{}", tail);
  }

  void range(const PrintScope& scope, unsigned first, unsigned end) {
    for (unsigned i = first; i < end;) {
      const Node& node = flat_.nodes[i];
      const std::size_t start = text_.size();
      if (holds_nodes(node.op)) {
        hold(scope, node, i);
      } else {
        perform(scope, node, i);
      }
      if (i == wanted_) found_ = first_line(start);
      i += 1 + node.first + node.second;
    }
  }

  /// Without its indentation, and for a block of lines the line that says most.
  std::string first_line(std::size_t start) const {
    std::size_t from = text_.find_first_not_of(" {\n", start);
    if (text_.compare(from, 5, "u64 u") == 0) from = text_.find_first_not_of(" {\n", text_.find('\n', from));
    return text_.substr(from, text_.find('\n', from) - from);
  }

  // Nodes that hold none.

  void perform(const PrintScope& scope, const Node& node, unsigned i) {
    const std::string simple = expression(scope, node);
    if (!simple.empty()) return put("t.put({}, {}, {});", i, node.to, simple);
    if (node.op == Op::match) return match(scope, node, i);
    if (node.op == Op::aggregate) return aggregate(scope, node, i);
    open("");
    if (node.op == Op::exchange) {
      exchange(scope, node.option, reg(node.a), fmt::format("unsigned({} % {})", reg(node.b), scope.size()));
    } else {
      atomic(scope, node);
    }
    put("t.put({}, {}, seen);", i, node.to);
    close();
  }

  void match(const PrintScope& scope, const Node& node, unsigned i) {
    const std::string value = fmt::format("as<{}>(scramble({} & {:#x}u))", type_of(node), reg(node.a), node.immediate);
    const bool lanes = scope.is(Context::lanes);
    if (node.how == 0) {
      if (lanes) return put("t.put({}, {}, __match_any_sync({}, {}));", i, node.to, scope.name, value);
      return put("t.put({}, {}, {}.match_any({}));", i, node.to, scope.name, value);
    }
    open("");
    put("int all = 0;");
    if (lanes) put("const unsigned same = __match_all_sync({}, {}, &all);", scope.name, value);
    if (!lanes) put("const unsigned same = {}.match_all({}, all);", scope.name, value);
    put("t.put({}, {}, u64(all != 0) << 32 | same);", i, node.to);
    close();
  }

  void aggregate(const PrintScope& scope, const Node& node, unsigned i) {
    open("");
    put("narrow_slots[self] = 0;");
    put("__syncwarp({});", scope.name);
    put("const cg::coalesced_group found = cg::labeled_partition(cg::coalesced_threads(), {});", scope.name);
    put("const unsigned part = cg::reduce(found, unsigned({}), cg::plus<unsigned>());", reg(node.a));
    put("if (found.thread_rank() == 0) atomicAdd(&narrow_slots[member({}, 0)], part);", scope.name);
    put("__syncwarp({});", scope.name);
    put("const unsigned seen = narrow_slots[member({}, 0)];", scope.name);
    put("__syncwarp({});", scope.name);
    put("t.put({}, {}, seen);", i, node.to);
    close();
  }

  void meet(const PrintScope& scope, unsigned option) {
    if (scope.is(Context::lanes)) return put("__syncwarp({});", scope.name);
    if ((option & kSplit) != 0) return put("meet_in_halves({});", scope.name);
    if (scope.is(Context::block)) return put("__syncthreads();");
    put("{}.sync();", scope.name);
  }

  /// Where the element of the thread of rank `rank` lies.
  void other(const PrintScope& scope, unsigned option, const std::string& type, const char* shared, const char* global,
             const std::string& rank) {
    put("const unsigned rank = {};", rank);
    const bool is_global = (option & kGlobal) != 0;
    std::string place;
    if (scope.is(Context::grid)) {
      place = fmt::format("{} + rank", global);
    } else if (scope.is(Context::cluster)) {
      place = is_global ? fmt::format("{} + (thread - unsigned(cluster.thread_rank())) + rank", global)
                        : fmt::format("cluster.map_shared_rank(&{}[0], int(rank / block.size())) + rank % block.size()",
                                      shared);
    } else {
      place = fmt::format(fmt::runtime(is_global ? "{} + (thread - self) + member({}, rank)" : "{} + member({}, rank)"),
                          is_global ? global : shared, scope.name);
    }
    put("{}* const other = {};", type, place);
  }

  /// Leaves what the thread of that rank has in `seen`.
  void exchange(const PrintScope& scope, unsigned option, const std::string& value, const std::string& rank) {
    put("{} = {};", (option & kGlobal) != 0 ? "posts[thread]" : "slots[self]", value);
    other(scope, option, "u64", "slots", "posts", rank);
    meet(scope, option);
    put("const u64 seen = *other;");
    meet(scope, option);
  }

  void atomic(const PrintScope& scope, const Node& node) {
    const bool narrow = node.type == ValueType::uint32;
    const char* const shared = narrow ? "narrow_slots" : "slots";
    const char* const global = narrow ? "words" : "posts";
    const std::string type = narrow ? "unsigned" : "u64";
    const std::string own =
        (node.option & kGlobal) != 0 ? fmt::format("{}[thread]", global) : fmt::format("{}[self]", shared);
    const std::string value = fmt::format("{}({})", type, reg(node.b));
    put("{} = {}({});", own, type, reg(node.to));
    other(scope, node.option, type, shared, global, fmt::format("unsigned({} % {})", reg(node.a), scope.size()));
    meet(scope, node.option);
    switch (Atomic(node.how)) {
      case Atomic::increment: put("atomicInc(other, 0xfffu);"); break;
      case Atomic::decrement: put("atomicDec(other, 0xfffu);"); break;
      case Atomic::compare_and_swap: put("add_by_swaps(other, {});", value); break;
      default: put("{}(other, {});", kAtomics_[node.how], value);
    }
    meet(scope, node.option);
    put("const u64 seen = {};", own);
    meet(scope, node.option);
  }

  // Nodes that hold others.

  void parts(const PrintScope& inside, const Node& node, unsigned i, const std::string& odd) {
    const unsigned second = i + 1 + node.first;
    if (node.second == 0) return range(inside, i + 1, second);
    open(fmt::format("if (({}) == 0)", odd));
    range(inside, i + 1, second);
    --depth_;
    put("}} else {{");
    ++depth_;
    range(inside, second, second + node.second);
    close();
  }

  void sides(const PrintScope& inside, const Node& node, unsigned i, const std::string& condition) {
    const unsigned second = i + 1 + node.first;
    open(fmt::format("if ({})", condition));
    range(inside, i + 1, second);
    if (node.second != 0) {
      --depth_;
      put("}} else {{");
      ++depth_;
      range(inside, second, second + node.second);
    }
    close();
  }

  void hold(const PrintScope& scope, const Node& node, unsigned i) {
    switch (node.op) {
      case Op::narrow: return narrow(scope, node, i);
      case Op::when: return when(scope, node, i);
      case Op::repeat: return repeat(scope, node, i);
      case Op::branch: return branch(scope, node, i);
      case Op::loop: return loop(scope, node, i);
      default: return partition(scope, node, i);
    }
  }

  void narrow(const PrintScope& scope, const Node& node, unsigned i) {
    const PrintScope inside = {stage_inside(scope.stage, node),
                               Context(node.how) == Context::cluster ? "cluster" : "block"};
    sides(inside, node, i, fmt::format("mix({}ull + {}, grid.{}_rank()) & 1", program_.seed, i, inside.name));
  }

  /// What one thread of the group has in register a, as the variable that is returned.
  std::string fetch(const PrintScope& scope, const Node& node, unsigned i) {
    const std::string name = fmt::format("u{}", i);
    const std::string rank = fmt::format("{} % {}", node.immediate, scope.size());
    const Context context = scope.stage.context;
    if (context == Context::lanes) {
      put("const u64 {} = __shfl_sync({}, {}, nth({}, {}));", name, scope.name, reg(node.a), scope.name, rank);
    } else if (context == Context::large_tile || context == Context::tile || context == Context::coalesced) {
      put("const u64 {} = {}.shfl({}, {});", name, scope.name, reg(node.a), rank);
    } else {
      put("u64 {};", name);
      open("");
      exchange(scope, context == Context::grid ? kGlobal : 0, reg(node.a), rank);
      put("{} = seen;", name);
      close();
    }
    return name;
  }

  void when(const PrintScope& scope, const Node& node, unsigned i) {
    open("");
    const std::string fetched = fetch(scope, node, i);
    const std::string condition = fmt::format("({} >> {} & 1) != 0", fetched, node.bit);
    put("t.see({}, {});", i, condition);
    sides(scope, node, i, condition);
    close();
  }

  void repeat(const PrintScope& scope, const Node& node, unsigned i) {
    std::string count = std::to_string(node.immediate);
    const bool counted = (node.option & kCounted) != 0;
    if (counted) {
      open("");
      count = fmt::format("unsigned({} >> {}) % 4", fetch(scope, node, i), node.bit);
      put("t.see({}, {});", i, count);
    }
    open(fmt::format("for (unsigned i{0} = 0; i{0} < {1}; ++i{0})", i, count));
    range(scope, i + 1, i + 1 + node.first);
    close();
    if (counted) close();
  }

  void branch(const PrintScope& scope, const Node& node, unsigned i) {
    open("");
    put("const unsigned ayes{} = __ballot_sync({}, {});", i, scope.name, bit_of(node));
    put("const unsigned m{0} = (ayes{0} >> lane() & 1) != 0 ? ayes{0} : {1} & ~ayes{0};", i, scope.name);
    sides({scope.stage, fmt::format("m{}", i)}, node, i, fmt::format("(ayes{} >> lane() & 1) != 0", i));
    put("t.see({0}, ayes{0});", i);
    close();
  }

  void loop(const PrintScope& scope, const Node& node, unsigned i) {
    open("");
    put("const unsigned n{} = unsigned({} >> {} & 3);", i, reg(node.a), node.bit);
    put("unsigned m{} = {};", i, scope.name);
    open(fmt::format("for (unsigned i{0} = 0;; ++i{0})", i));
    put("m{0} = __ballot_sync(m{0}, int(i{0} < n{0}));", i);
    put("if (i{0} >= n{0}) break;", i);
    range({scope.stage, fmt::format("m{}", i)}, i + 1, i + 1 + node.first);
    close();
    put("t.see({0}, n{0});", i);
    close();
  }

  std::string label(const PrintScope& scope, const Node& node) {
    const std::string drawn = fmt::format("scramble(({} & {:#x}u) + 7)", reg(node.a), node.immediate);
    constexpr const char* kLabels[] = {"({} & 1) != 0", "int({})", "(long long)({} >> 32 << 32 | 7)",
                                       "reinterpret_cast<const char*>({} >> 32 << 32 | 7)"};
    return fmt::format("cg::labeled_partition({}, {})", scope.name,
                       fmt::format(fmt::runtime(kLabels[node.how]), drawn));
  }

  std::string mask(const PrintScope& scope) {
    if (scope.is(Context::tile)) {
      return fmt::format("0xffffffffu >> (32 - {0}.size()) << (lane() - {0}.thread_rank())", scope.name);
    }
    if (scope.is(Context::coalesced)) return "cg::reduce(" + scope.name + ", 1u << lane(), cg::bit_or<unsigned>())";
    return "block.size() - (self - lane()) >= 32 ? 0xffffffffu : (1u << (block.size() - (self - lane()))) - 1";
  }

  void partition(const PrintScope& scope, const Node& node, unsigned i) {
    const PrintScope inside = {stage_inside(scope.stage, node),
                               fmt::format("{}{}", node.op == Op::lanes ? 'm' : 'g', i)};
    open("");
    std::string odd = inside.name + ".meta_group_rank() & 1";
    switch (node.op) {
      case Op::tile:
        put("const auto {} = cg::tiled_partition<{}>({});", inside.name, node.immediate, scope.name);
        break;
      case Op::dynamic: {
        const bool tile = scope.is(Context::tile);
        put("const auto {} = cg::tiled_partition({}, {});", inside.name,
            tile ? "cg::thread_group(" + scope.name + ")" : scope.name, node.immediate);
        odd = fmt::format("{}.thread_rank() / {} & 1", scope.name, node.immediate);
        break;
      }
      case Op::binary:
        put("const auto {} = cg::binary_partition({}, {} != 0);", inside.name, scope.name, bit_of(node));
        break;
      case Op::label: put("const auto {} = {};", inside.name, label(scope, node)); break;
      default: put("const unsigned {} = {};", inside.name, mask(scope));
    }
    put("t.see({}, place({}));", i, inside.name);
    parts(inside, node, i, odd);
    close();
  }

  const FuzzProgram& program_;
  Flat flat_;
  std::string text_;
  unsigned depth_ = 0;
  unsigned wanted_ = kMaxNodes;
  std::string found_ = "none";
};

void fill(std::string& text, const std::string& name, const std::string& value) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
    text.replace(at, name.size(), value);
  }
}

}  // namespace

std::string printed(const FuzzProgram& program, std::uint64_t expected, const std::string& remarks) {
  const ProgramShape& shape = program.shape;
  std::string text = "// SPDX-License-Identifier: Apache-2.0\n//\n";
  for (std::size_t at = 0; at < remarks.size();) {
    const std::size_t end = std::min(remarks.find('\n', at), remarks.size());
    text += "// " + remarks.substr(at, end - at) + "\n";
    at = end + 1;
  }
  text += kPrologue + Printer(program).kernel();
  std::string epilogue = kEpilogue;
  fill(epilogue, "%THREADS%", std::to_string(shape.threads() * shape.blocks()));
  fill(epilogue, "%GRID%", fmt::format("{}, {}", shape.grid_x, shape.grid_y));
  fill(epilogue, "%BLOCK%", fmt::format("{}, {}, {}", shape.x, shape.y, shape.z));
  fill(epilogue, "%CLUSTER%", std::to_string(shape.cluster));
  fill(epilogue, "%COOPERATIVE%", std::to_string(shape.cooperative));
  fill(epilogue, "%EXPECTED%", fmt::format("{:016x}", expected));
  return text + epilogue;
}

std::string line_of(const FuzzProgram& program, unsigned index) {
  return Printer(program).line(index);
}

}  // namespace warpfiber::tools::fuzz
