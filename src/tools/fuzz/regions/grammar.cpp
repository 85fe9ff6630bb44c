// SPDX-License-Identifier: Apache-2.0
//
// Variables of a thread are v0 to v2, p[8] with q into it, f0, f1, w0, h0, c0 and pair; t, lane and warp are its place
// in its block of n threads, b is the number of the block, and gid that of the thread in the grid. Threads of a block
// share s0, s1, cells and bins, and the grid `in`, which is only read, and `out`. A kernel is free of races: s0, s1 and
// cells are written at t and read elsewhere between two barriers, bins take atomic sums.
#include "tools/fuzz/regions/draft.hpp"

namespace warpfiber::tools::fuzz {
namespace {

// Expressions.

constexpr KernelText kVariables[] = {{"v0"}, {"v1"}, {"v2"}};
constexpr KernelText kAssignments[] = {{"="}, {"+=", 2}, {"^=", 2}};
constexpr KernelText kUpdates[] = {{"+="}, {"^="}};
constexpr KernelText kOperators[] = {{"+"}, {"-"}, {"*"}, {"^"}, {"|"}, {"&"}};

constexpr KernelText kValues[] = {
    {"v0"},
    {"v1"},
    {"v2"},
    {"t"},
    {"@(uniform)"},
    {"p[v0 % 8]"},
    {"p[@(0..7)]"},
    {"@(1..65535)u"},
    {"in[(gid + v1) % kWords]"},
    {"lane"},
    {"f_bits(f0)"},
    {"pair.low"},
    {"static_cast<unsigned>(w0 >> 20)"},
    {"static_cast<unsigned>(h0)"},
    {"*q"},
};

constexpr KernelText kExpressions[] = {
    {"@(value) @(operator) @(value)", 6},
    {"(@(value) >> @(1..16)) + @(value)"},
    {"@(value) / (@(value) | 1u)"},
    {"(@(value) < @(value) ? @(value) : @(value))"},
    {"__popc(@(value)) + @(extreme)(v0, v2)"},
    {"__umulhi(@(value), @(value)) + __clz(@(value))"},
    {"static_cast<unsigned>(static_cast<int>(@(value)) / @(2..9)) ^ __brev(@(value))"},
};
constexpr KernelText kExtremes[] = {{"min"}, {"max"}};

// A condition or a bound is the same for all threads of its group.

constexpr KernelText kBlockConditions[] = {
    {"(@(uniform) + @(0..8)u) % @(2..4) != 0"},
    {"in[b * 7 + @(0..199)] & @(bit)u"},
    {"t < 2048u"},
    {"n > 50u"},
    {"u0 > @(word)u"},
};
constexpr KernelText kBits[] = {{"1"}, {"2"}, {"4"}};
constexpr KernelText kWarpConditions[] = {
    {"warp < @(1..3)u"},
    {"warp % 2 == 0"},
    {"in[warp + @(0..199)] & 1u"},
    {"@(block_condition)"},
};
constexpr KernelText kLaneConditions[] = {
    {"@(variable) % @(2..5) == 0"},
    {"t < @(1..threads)u"},
    {"(v0 ^ v1) & 4u"},
    {"lane >= 16u"},
    {"t == @(0..thread)u"},
    {"v0 < v2"},
    {"c0"},
    {"f0 < f1 * @(1..99)"},
    {"@(warp_condition)"},
};
// At which the threads of the block meet.
constexpr KernelText kVotedConditions[] = {
    {"__syncthreads_and(@(lane_condition))"},
    {"__syncthreads_or(@(lane_condition))"},
    {"__syncthreads_count(@(lane_condition)) > @(0..threads)"},
};

constexpr KernelText kBlockBounds[] = {{"@(1..4)u"}, {"@(uniform) % @(2..5)u"}, {"in[b + @(0..98)] % 5u"}};
constexpr KernelText kWarpBounds[] = {{"in[warp + @(0..98)] % 4u"}, {"warp % 4u"}, {"@(block_bound)"}};
constexpr KernelText kLaneBounds[] = {{"@(variable) % @(2..7)u"}, {"t % 4u"}, {"@(block_bound)"}};

// What a switch is over.
constexpr KernelText kBlockChoices[] = {{"@(uniform)"}};
constexpr KernelText kWarpChoices[] = {{"warp"}};
constexpr KernelText kLaneChoices[] = {{"v0"}, {"v1"}, {"t"}};

// What ends a loop, or a kernel.
constexpr KernelText kAgain[] = {{"__syncthreads_or(@(lane_condition))"}, {"@(block_condition)"}};
constexpr KernelText kLeaves[] = {{"break;"}, {"continue;"}};
constexpr KernelText kLeaverConditions[] = {{"@(lane_condition)", 2}, {"@(warp_condition)"}, {"@(block_condition)"}};

// Statements that no other thread has to do with.

constexpr KernelText kArithmetic[] = {
    {"@(variable) @(assign) @(expression);", 6},
    {"p[@(index) % 8] += @(value);"},
    {"q = &p[@(index) % 8];"},
    {"*q @(assign) @(value);"},
    {"h0 = static_cast<short>(@(value));"},
    {"c0 = @(lane_condition);"},
    {"f0 = f0 * 0.25f + f1 * static_cast<float>(v0 & 1023u);"},
    {"w0 = w0 * 0x5851f42d4c957f2dull + @(value);"},
    {"pair = mixed(pair, @(value));"},
    {"f1 = sqrtf(static_cast<float>(v1 & 0xffffu)) / (f0 * f0 + 1.5f) + f1 * 0.5f;"},
};
constexpr KernelText kIndices[] = {{"v0"}, {"v1"}, {"t"}, {"@(uniform)"}};
constexpr KernelText kStores[] = {{"out[gid] @(update) @(value);"}};
constexpr KernelText kAtomics[] = {{"atomicAdd(&bins[@(bin)], @(value));"}};
constexpr KernelText kBins[] = {{"v0 % 16"}, {"v1 % 16"}, {"t % 16"}};

// Statements at which the threads of a block meet.

constexpr KernelText kBarriers[] = {{"__syncthreads();"}};

constexpr KernelText kPlaces[] = {{"(t + @(1..40)u) % n"}, {"n - 1 - t"},      {"(t ^ 1u) % n"}, {"v1 % n"},
                                  {"(t * 5u) % n"},        {"@(uniform) % n"}, {"t / 2"}};
constexpr KernelText kSentWords[] = {{"v0"}, {"v1"}, {"v2"}, {"@(expression)"}};

// One barrier fewer where the other array is used in between.
constexpr KernelText kExchanges[] = {
    {"s0[t] = @(sent_word);\n__syncthreads();\n@(variable) @(assign) s0[@(place)];\n__syncthreads();", 7},
    {"s1[t] = @(sent_word);\n__syncthreads();\n@(variable) @(assign) s1[@(place)];\n__syncthreads();", 7},
    {"s0[t] = @(sent_word);\n__syncthreads();\n@(variable) @(assign) s0[@(place)];\ns1[t] = @(expression);\n"
     "__syncthreads();\nv2 += s1[@(place)];\n__syncthreads();",
     3},
    {"s1[t] = @(sent_word);\n__syncthreads();\n@(variable) @(assign) s1[@(place)];\ns0[t] = @(expression);\n"
     "__syncthreads();\nv2 += s0[@(place)];\n__syncthreads();",
     3},
};
constexpr KernelText kCellExchanges[] = {
    {"cells[t] = mixed(pair, @(value));\n__syncthreads();\npair = cells[@(place)];\n__syncthreads();", 2},
    {"cells[t].low @(assign) @(value);\n__syncthreads();\n@(variable) @(update) cells[@(place)].low;\n"
     "__syncthreads();"},
    {"cells[t].high = pair.high;\n__syncthreads();\npair.high = cells[@(place)].high * 0.5;\n__syncthreads();"},
};
constexpr KernelText kGlobalExchanges[] = {
    {"out[gid] @(assign) @(value);\n__syncthreads();\n@(variable) @(assign) out[b * n + @(place)];\n__syncthreads();"},
};
constexpr KernelText kTrees[] = {
    {"s0[t] = v0;\n__syncthreads();\nfor (unsigned @(new) = 512; @(same) > 0; @(same) @(halve)) {\n"
     "  if (t < @(same) && t + @(same) < n) s0[t] @(update) s0[t + @(same)];\n  __syncthreads();\n}\n"
     "v1 ^= s0[0];\n__syncthreads();"},
};
constexpr KernelText kHalvings[] = {{"/= 2"}, {">>= 1"}};
constexpr KernelText kCounted[] = {{"__syncthreads();\n@(variable) += bins[@(counted_bin)];\n__syncthreads();"}};
constexpr KernelText kCountedBins[] = {{"t % 16"}, {"v0 % 16"}, {"3"}};
constexpr KernelText kBlockVotes[] = {{"@(variable) += 3 * __syncthreads_@(block_vote_name)(@(lane_condition));"}};
constexpr KernelText kBlockVoteNames[] = {{"count"}, {"and"}, {"or"}};

// Statements at which all lanes of a warp meet.

constexpr KernelText kCollectives[] = {
    {"@(variable) @(assign) __shfl_sync(kFull, @(sent), @(source)@(width));"},
    {"@(variable) @(assign) __shfl_up_sync(kFull, @(sent), @(1..19)@(width));"},
    {"@(variable) @(assign) __shfl_down_sync(kFull, @(sent), @(1..19)@(width));"},
    {"@(variable) @(assign) __shfl_xor_sync(kFull, @(sent), @(1..31)@(width));"},
    {"@(variable) @(assign) __ballot_sync(kFull, @(lane_condition));", 2},
    {"@(variable) @(assign) __any_sync(kFull, @(lane_condition)) + 2 * __all_sync(kFull, @(lane_condition));", 2},
    {"@(variable) @(assign) __match_any_sync(kFull, @(sent) % 5);"},
    {"{\n  int all;\n  @(variable) @(assign) __match_all_sync(kFull, @(sent) >> @(8..31), &all);\n  v0 += all;\n}"},
    {"@(variable) @(assign) __reduce_@(reduction)_sync(kFull, @(sent));", 2},
    {"@(variable) @(assign) __reduce_@(signed_reduction)_sync(kFull, static_cast<int>(@(sent)));"},
    {"@(variable) @(assign) __shfl_xor_sync(kFull, @(sent) * 0x100000003ull, @(1..31)) >> 13;"},
    {"@(variable) @(assign) static_cast<unsigned>(__shfl_down_sync(kFull, pair.high, @(1..19)));"},
    {"f0 += 0.5f * __shfl_down_sync(kFull, f1, @(1..19)@(width));"},
    {"__syncwarp();"},
    {"for (int @(new) = 16; @(same) > 0; @(same) /= 2)\n"
     "  @(let variable) @(update) __shfl_@(shuffle)_sync(kFull, @(kept), @(same));",
     2},
};
constexpr KernelText kSent[] = {{"v0"}, {"v1"}, {"v2"}, {"t"}};
constexpr KernelText kWidths[] = {{"", 3}, {", 16"}, {", 8"}, {", 4"}};
constexpr KernelText kSources[] = {{"@(0..31)"}, {"v1 % 32"}, {"lane ^ 3"}, {"t * 3 + 1"}};
constexpr KernelText kReductions[] = {{"add"}, {"min"}, {"max"}, {"and"}, {"or"}, {"xor"}};
constexpr KernelText kSignedReductions[] = {{"min"}, {"max"}, {"add"}};
constexpr KernelText kShuffles[] = {{"xor"}, {"down"}, {"up"}};

// Those whose mask is a constant half of the warp, or is computed.
constexpr KernelText kMasked[] = {
    {"{\n  const unsigned mask = __ballot_sync(kFull, @(lane_condition));\n"
     "  if (mask >> lane & 1u) @(variable) @(assign) @(masked_call);\n}",
     3},
    {"if (lane < 16u) @(variable) @(assign) __shfl_xor_sync(0xffffu, @(sent), @(1..15), 16);"},
    {"if (lane >= 16u) @(variable) @(assign) __reduce_@(reduction)_sync(0xffff0000u, @(sent));"},
};
constexpr KernelText kMaskedCalls[] = {{"__reduce_@(reduction)_sync(mask, @(sent))"},
                                       {"__ballot_sync(mask, @(lane_condition))"},
                                       {"__any_sync(mask, @(lane_condition))"},
                                       {"__match_any_sync(mask, @(sent) % 3)"},
                                       {"__shfl_sync(mask, @(sent), __ffs(mask) - 1)"}};

// Tiles of cooperative groups; some of them may stand aside.
constexpr KernelText kTiles[] = {
    {"{\n  const auto tile = cg::tiled_partition<@(tile_size)>(cg::this_thread_block());\n"
     "  @(some_tiles)@(tile_call)\n}"},
};
constexpr KernelText kTileSizes[] = {{"32"}, {"16"}, {"8"}, {"4"}, {"2"}};
constexpr KernelText kSomeTiles[] = {
    {"", 8}, {"if (tile.meta_group_rank() % 2 == 0) "}, {"if (tile.any(@(lane_condition))) "}};
constexpr KernelText kTileCalls[] = {
    {"@(variable) @(assign) tile.shfl(@(sent), @(tile_rank));"},
    {"@(variable) @(assign) tile.shfl_up(@(sent), @(1..3));"},
    {"@(variable) @(assign) tile.shfl_down(@(sent), @(1..3));"},
    {"@(variable) @(assign) tile.shfl_xor(@(sent), @(1..31) % tile.size());"},
    {"@(variable) @(assign) tile.any(@(lane_condition)) + 2 * tile.all(@(lane_condition));"},
    {"@(variable) @(assign) tile.ballot(@(lane_condition));"},
    {"@(variable) @(assign) tile.match_any(@(sent) % 3);"},
    {"@(variable) @(assign) cg::reduce(tile, @(sent), cg::@(tile_operator)<unsigned>());", 2},
    {"@(variable) @(assign) cg::reduce(tile, static_cast<int>(@(sent)), cg::less<int>());"},
    {"f0 += 0.5f * cg::reduce(tile, f1, cg::plus<float>());"},
    {"@(variable) @(assign) cg::inclusive_scan(tile, @(sent), cg::@(tile_operator)<unsigned>());"},
    {"@(variable) @(assign) cg::exclusive_scan(tile, @(sent), cg::plus<unsigned>());"},
    {"@(variable) ^= tile.thread_rank() * 3 + tile.meta_group_rank();"},
    {"tile.sync();"},
};
constexpr KernelText kTileRanks[] = {{"@(0..31) % tile.size()"}, {"v1 % tile.size()"}, {"tile.size() - 1"}};
constexpr KernelText kTileOperators[] = {{"plus"}, {"less"}, {"greater"}, {"bit_and"}, {"bit_or"}, {"bit_xor"}};

// Operations on matrices of a warp, which has 128 words of `rows`. What is taken of a result is bits, so that it is of
// no account how a NaN goes through arithmetic.
constexpr KernelText kMatrices[] = {
    {"{\n  unsigned d[4] = {v0, v1, v2, t};\n"
     "  asm @(volatile)(\"mma.sync.aligned.m16n8k16.row.col.s32.@(byte_type).@(byte_type).s32 {%0, %1, %2, %3}, {%4, "
     "%5}, "
     "\"\n"
     "               \"{%6}, {%0, %1, %2, %3};\"\n"
     "               : \"+r\"(d[0]), \"+r\"(d[1]), \"+r\"(d[2]), \"+r\"(d[3])\n"
     "               : \"r\"(@(sent)), \"r\"(@(sent)), \"r\"(@(sent)));\n"
     "  @(variable) @(assign) d[@(0..3)];\n}",
     2},
    {"{\n  float d[4] = {0.5f, 1, static_cast<float>(lane), -3};\n"
     "  asm @(volatile)(\"mma.sync.aligned.m16n8k8.row.col.f32.@(let half_type).@(kept).f32 {%0, %1, %2, %3}, {%4, "
     "%5}, "
     "\"\n"
     "               \"{%6}, {%0, %1, %2, %3};\"\n"
     "               : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3])\n"
     "               : \"r\"(@(sent)), \"r\"(@(sent) * 77u), \"r\"(@(sent)));\n"
     "  @(variable) @(assign) f_bits(d[@(0..3)]);\n}",
     2},
    {"{\n  unsigned d[4];\n  @(write_rows)\n"
     "  asm @(volatile)(\"ldmatrix.sync.aligned.m8n8.x4@(transposed).shared.b16 {%0, %1, %2, %3}, [%4];\"\n"
     "               : \"=r\"(d[0]), \"=r\"(d[1]), \"=r\"(d[2]), \"=r\"(d[3])\n"
     "               : \"r\"(in_shared(rows + 4 * (t ^ @(0..31)))) : \"memory\");\n"
     "  @(variable) @(assign) d[@(0..3)];\n  __syncwarp();\n}",
     2},
    {"asm @(volatile)(\"stmatrix.sync.aligned.m8n8.x2@(transposed).shared.b16 [%0], {%1, %2};\"\n"
     "             :: \"r\"(in_shared(rows + 4 * (t ^ @(0..31)))), \"r\"(@(sent)), \"r\"(@(sent)) : \"memory\");\n"
     "__syncwarp();\n@(variable) @(assign) rows[4 * t + @(0..3)];\n__syncwarp();"},
    {"asm @(volatile)(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(@(variable)) : \"r\"(@(sent)));"},
    {"{\n  wmma::fragment<wmma::matrix_a, 16, 16, 16, @(let byte), wmma::row_major> a;\n"
     "  wmma::fragment<wmma::matrix_b, 16, 16, 16, @(kept), wmma::@(major)> b;\n"
     "  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;\n  @(write_rows)\n"
     "  wmma::load_matrix_sync(a, reinterpret_cast<const @(kept)*>(rows + 128 * warp), 16);\n"
     "  wmma::load_matrix_sync(b, reinterpret_cast<const @(kept)*>(rows + 128 * warp + 64), 16);\n"
     "  wmma::fill_fragment(sum, @(1..65535));\n  wmma::mma_sync(sum, a, b, sum);\n"
     "  @(variable) @(assign) static_cast<unsigned>(sum.x[@(0..7)]);\n  __syncwarp();\n}"},
};
constexpr KernelText kVolatile[] = {{"volatile"}};
constexpr KernelText kByteTypes[] = {{"s8"}, {"u8"}};
constexpr KernelText kHalfTypes[] = {{"f16"}, {"bf16"}};
constexpr KernelText kBytes[] = {{"signed char"}, {"unsigned char"}};
constexpr KernelText kMajors[] = {{"row_major"}, {"col_major"}};
constexpr KernelText kTransposed[] = {{""}, {".trans"}};
constexpr KernelText kWrittenRows[] = {
    {"for (unsigned i = 0; i < 4; ++i) rows[4 * t + i] = @(sent) * (2 * i + 1);\n  __syncwarp();"}};

// Where not all may come that take part.
constexpr KernelText kMistakes[] = {{"@(barrier)"}, {"@(collective)"}};

struct Rule {
  std::string_view name;
  std::span<const KernelText> texts;
};

constexpr Rule kRules[] = {
    {"variable", kVariables},
    {"assign", kAssignments},
    {"update", kUpdates},
    {"operator", kOperators},
    {"value", kValues},
    {"expression", kExpressions},
    {"extreme", kExtremes},
    {"block_condition", kBlockConditions},
    {"bit", kBits},
    {"warp_condition", kWarpConditions},
    {"lane_condition", kLaneConditions},
    {"voted_condition", kVotedConditions},
    {"block_bound", kBlockBounds},
    {"warp_bound", kWarpBounds},
    {"lane_bound", kLaneBounds},
    {"block_choice", kBlockChoices},
    {"warp_choice", kWarpChoices},
    {"lane_choice", kLaneChoices},
    {"again", kAgain},
    {"leave", kLeaves},
    {"leaver_condition", kLeaverConditions},
    {"mistake", kMistakes},
    {"arithmetic", kArithmetic},
    {"index", kIndices},
    {"store", kStores},
    {"atomic", kAtomics},
    {"bin", kBins},
    {"barrier", kBarriers},
    {"place", kPlaces},
    {"sent_word", kSentWords},
    {"exchange", kExchanges},
    {"cell_exchange", kCellExchanges},
    {"global_exchange", kGlobalExchanges},
    {"tree", kTrees},
    {"halve", kHalvings},
    {"counted", kCounted},
    {"counted_bin", kCountedBins},
    {"block_vote", kBlockVotes},
    {"block_vote_name", kBlockVoteNames},
    {"collective", kCollectives},
    {"sent", kSent},
    {"width", kWidths},
    {"source", kSources},
    {"reduction", kReductions},
    {"signed_reduction", kSignedReductions},
    {"shuffle", kShuffles},
    {"masked", kMasked},
    {"masked_call", kMaskedCalls},
    {"tile", kTiles},
    {"tile_size", kTileSizes},
    {"some_tiles", kSomeTiles},
    {"tile_call", kTileCalls},
    {"tile_rank", kTileRanks},
    {"tile_operator", kTileOperators},
    {"matrix", kMatrices},
    {"volatile", kVolatile},
    {"byte_type", kByteTypes},
    {"half_type", kHalfTypes},
    {"byte", kBytes},
    {"major", kMajors},
    {"transposed", kTransposed},
    {"write_rows", kWrittenRows},
};

}  // namespace

std::span<const KernelText> texts_of(std::string_view rule) {
  for (const Rule& known : kRules) {
    if (known.name == rule) return known.texts;
  }
  return {};
}

}  // namespace warpfiber::tools::fuzz
