// SPDX-License-Identifier: Apache-2.0
//
// The row of an instruction is the one with the longest beginning of its opcode; the modifiers behind it are matched
// one by one.
#include "translate/ptx/table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>

namespace warpfiber::translate::ptx {
namespace {

constexpr std::string_view kIntegers = " u16 s16 u32 s32 u64 s64 ";
constexpr std::string_view kExtended = " u32 s32 u64 s64 ";
constexpr std::string_view kNumbers = " u16 s16 u32 s32 u64 s64 f32 f64 ";
constexpr std::string_view kNumbersAndNarrow = " u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16 f16x2 bf16x2 ";
constexpr std::string_view kCalculable = " u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16 f16x2 bf16x2 f32x2 ";
constexpr std::string_view kBytePairs = " e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 ";
constexpr std::string_view kNarrow = " f16 bf16 f16x2 bf16x2 ";
constexpr std::string_view kPairs = " f16x2 bf16x2 ";
constexpr std::string_view kComparable = " b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16 f16x2 bf16x2 ";
constexpr std::string_view kComparisons = " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan ";
constexpr std::string_view kWords = " u32 s32 ";
constexpr std::string_view kBits = " b16 b32 b64 ";
constexpr std::string_view kLogic = " b16 b32 b64 pred ";
constexpr std::string_view kFloat = " f32 ";
constexpr std::string_view kFloatAndNarrow = " f32 f16 bf16 f16x2 bf16x2 ";
constexpr std::string_view kReals = " f32 f64 ";
constexpr std::string_view kRealsAndNarrow = " f32 f64 f16 bf16 f16x2 bf16x2 ";
constexpr std::string_view kAny = " b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 ";
constexpr std::string_view kMovable = " b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 pred b128 ";
constexpr std::string_view kInMemory = " b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 b128 ";
constexpr std::string_view kOfMbarrier = " relaxed acquire release cta cluster shared shared::cta shared::cluster b64 ";
constexpr std::string_view kSpaces = " global shared local const generic cta gpu sys cluster ca cs nc weak ";

/// An opcode. Modifiers in `named` are part of the function's name, those in `ignored` change nothing that a simulator
/// shows; any other makes the instruction unknown.
struct OpcodeRow {
  std::string_view opcode;
  InstructionShape shape;
  std::string_view named;
  std::string_view ignored;
  std::string_view types;  // of the last type modifier; empty: none
  std::string_view sources;
  std::string_view first_types = "";  // of the one before it, where there are two
};

constexpr OpcodeRow kRows[] = {
    {"add", InstructionShape::value, " rz rm rp sat ", " rn ftz ", kCalculable, "TT"},
    {"sub", InstructionShape::value, " rz rm rp sat ", " rn ftz ", kCalculable, "TT"},
    {"mul", InstructionShape::value, " lo hi wide rz rm rp sat ", " rn ftz ", kCalculable, "TT"},
    {"mul24", InstructionShape::value, " lo hi ", "", kWords, "TT"},
    {"mad24", InstructionShape::value, " lo hi ", "", kWords, "TTT"},
    {"mad24.hi.sat", InstructionShape::value, "", "", " s32 ", "TTT"},
    {"mad", InstructionShape::value, " lo hi ", " rn ftz ", kNumbers, "TTT"},
    {"mad.hi.sat", InstructionShape::value, "", "", " s32 ", "TTT"},
    {"mad.wide", InstructionShape::value, "", "", " u16 s16 u32 s32 ", "TTW"},
    {"add.cc", InstructionShape::value, "", "", kExtended, "TT"},
    {"addc", InstructionShape::value, "", "", kExtended, "TT"},
    {"addc.cc", InstructionShape::value, "", "", kExtended, "TT"},
    {"sub.cc", InstructionShape::value, "", "", kExtended, "TT"},
    {"subc", InstructionShape::value, "", "", kExtended, "TT"},
    {"subc.cc", InstructionShape::value, "", "", kExtended, "TT"},
    {"mad.lo.cc", InstructionShape::value, "", "", kExtended, "TTT"},
    {"mad.hi.cc", InstructionShape::value, "", "", kExtended, "TTT"},
    {"madc", InstructionShape::value, " lo hi ", "", kExtended, "TTT"},
    {"madc.lo.cc", InstructionShape::value, "", "", kExtended, "TTT"},
    {"madc.hi.cc", InstructionShape::value, "", "", kExtended, "TTT"},
    {"fma", InstructionShape::value, " rz rm rp sat oob relu ", " rn ftz ", " f32 f64 f16 bf16 f16x2 bf16x2 f32x2 ",
     "TTT"},
    {"div", InstructionShape::value, " rz rm rp ", " rn approx full ftz ", kNumbers, "TT"},
    {"rem", InstructionShape::value, "", "", kIntegers, "TT"},
    {"min", InstructionShape::value, " NaN xorsign abs relu ", " ftz ", kNumbersAndNarrow, "TT"},
    {"max", InstructionShape::value, " NaN xorsign abs relu ", " ftz ", kNumbersAndNarrow, "TT"},
    {"sad", InstructionShape::value, "", "", kIntegers, "TTT"},
    {"neg", InstructionShape::value, "", " ftz ", kNumbersAndNarrow, "T"},
    {"abs", InstructionShape::value, "", " ftz ", kNumbersAndNarrow, "T"},
    {"and", InstructionShape::value, "", "", kLogic, "TT"},
    {"or", InstructionShape::value, "", "", kLogic, "TT"},
    {"xor", InstructionShape::value, "", "", kLogic, "TT"},
    {"not", InstructionShape::value, "", "", kLogic, "T"},
    {"cnot", InstructionShape::value, "", "", kBits, "T"},
    {"shl", InstructionShape::value, "", "", kBits, "Tu"},
    {"shr", InstructionShape::value, "", "", " b16 b32 b64 u16 u32 u64 s16 s32 s64 ", "Tu"},
    {"shf", InstructionShape::value, " l r wrap clamp ", "", " b32 ", "TTu"},
    {"bmsk", InstructionShape::value, " clamp wrap ", "", " b32 ", "TT"},
    {"add.u16x2", InstructionShape::value, "", "", "", "uu"},
    {"add.s16x2", InstructionShape::value, "", "", "", "uu"},
    {"min.u16x2", InstructionShape::value, "", "", "", "uu"},
    {"min.s16x2", InstructionShape::value, "", "", "", "uu"},
    {"min.relu.s16x2", InstructionShape::value, "", "", "", "uu"},
    {"max.u16x2", InstructionShape::value, "", "", "", "uu"},
    {"max.s16x2", InstructionShape::value, "", "", "", "uu"},
    {"max.relu.s16x2", InstructionShape::value, "", "", "", "uu"},
    {"isspacep", InstructionShape::value, " const global local shared ", "", "", "a"},
    {"isspacep.shared::cta", InstructionShape::value, "", "", "", "a"},
    {"isspacep.shared::cluster", InstructionShape::value, "", "", "", "a"},
    {"popc", InstructionShape::value, "", "", " b32 b64 ", "T"},
    {"clz", InstructionShape::value, "", "", " b32 b64 ", "T"},
    {"brev", InstructionShape::value, "", "", " b32 b64 ", "T"},
    {"bfind", InstructionShape::value, " shiftamt ", "", " u32 s32 u64 s64 ", "T"},
    {"bfe", InstructionShape::value, "", "", " u32 s32 u64 s64 ", "Tuu"},
    {"bfi", InstructionShape::value, "", "", " b32 b64 ", "TTuu"},
    {"prmt", InstructionShape::value, " f4e b4e rc8 ecl ecr rc16 ", "", " b32 ", "TTu"},
    {"fns", InstructionShape::value, "", " b32 ", "", "uuu"},
    {"szext", InstructionShape::value, " clamp wrap ", "", " u32 s32 ", "Tu"},
    {"copysign", InstructionShape::value, "", "", kReals, "TT"},
    {"testp", InstructionShape::value, " finite infinite number notanumber normal subnormal ", "", kReals, "T"},
    {"lop3", InstructionShape::value, "", "", " b32 ", "TTTu"},
    {"lop3.or", InstructionShape::shuffle, "", "", " b32 ", "TTTup"},
    {"lop3.and", InstructionShape::shuffle, "", "", " b32 ", "TTTup"},
    {"dp4a", InstructionShape::value, "", "", kWords, "uuu", kWords},
    {"dp2a", InstructionShape::value, " lo hi ", "", kWords, "uuu", kWords},
    {"selp", InstructionShape::value, "", "", kAny, "TTp"},
    {"ex2", InstructionShape::value, "", " approx ftz ", kFloatAndNarrow, "T"},
    {"lg2", InstructionShape::value, "", " approx ftz ", kFloat, "T"},
    {"sin", InstructionShape::value, "", " approx ftz ", kFloat, "T"},
    {"cos", InstructionShape::value, "", " approx ftz ", kFloat, "T"},
    {"tanh", InstructionShape::value, "", " approx ", kFloatAndNarrow, "T"},
    {"rcp", InstructionShape::value, " rz rm rp ", " approx rn ftz ", kReals, "T"},
    {"sqrt", InstructionShape::value, " rz rm rp ", " approx rn ftz ", kReals, "T"},
    {"rsqrt", InstructionShape::value, "", " approx ftz ", kReals, "T"},
    {"cvt", InstructionShape::value, " rni rzi rmi rpi rz rm rp rna sat satfinite relu ", " rn ftz ",
     " u8 u16 u32 u64 s8 s16 s32 s64 f32 f64 f16 bf16 f16x2 bf16x2 tf32 e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 "
     "ue8m0x2 ",
     "T"},
    {"cvt.pack.sat.u16.s32", InstructionShape::value, "", "", "", "uu"},
    {"cvt.pack.sat.s16.s32", InstructionShape::value, "", "", "", "uu"},
    {"cvt.pack.sat.u8.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"cvt.pack.sat.s8.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"cvt.pack.sat.u4.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"cvt.pack.sat.s4.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"cvt.pack.sat.u2.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"cvt.pack.sat.s2.s32.b32", InstructionShape::value, "", "", "", "uuu"},
    {"mov", InstructionShape::move, "", "", kMovable, "T"},
    {"setp", InstructionShape::compare, kComparisons, " ftz ", kComparable, "TT"},
    {"set", InstructionShape::compare, kComparisons, " ftz ", kComparable, "TT",
     " u16 s16 u32 s32 f32 f16 bf16 f16x2 bf16x2 "},
    {"slct", InstructionShape::value, "", " ftz ", " s32 f32 ", "DDT", " b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 "},
    {"ld", InstructionShape::load, " relaxed acquire ", kSpaces, kInMemory, ""},
    {"ldu", InstructionShape::load, "", kSpaces, kAny, ""},
    {"st", InstructionShape::store, " relaxed release ", " global shared local generic cta gpu sys cluster cs wb weak ",
     kInMemory, ""},
    {"st.bulk", InstructionShape::action, "", " weak ", "", "Gau"},
    {"st.bulk.shared::cta", InstructionShape::action, "", "", "", "Sau"},
    {"st.bulk.weak.shared::cta", InstructionShape::action, "", "", "", "Sau"},
    {"membar", InstructionShape::action, " cta gl gpu sys ", "", "", ""},
    {"fence", InstructionShape::action, " cta gpu sys cluster ", " sc acq_rel acquire release ", "", ""},
    {"fence.proxy", InstructionShape::nothing, "", " alias async global shared::cta shared::cluster ", "", ""},
    {"fence.mbarrier_init", InstructionShape::nothing, "", " release cluster ", "", ""},
    {"bar.sync", InstructionShape::barrier, "", "", "", "u"},
    {"bar.arrive", InstructionShape::barrier, "", "", "", "uu"},
    {"bar.cta.sync", InstructionShape::barrier, "", "", "", "u"},
    {"bar.cta.arrive", InstructionShape::barrier, "", "", "", "uu"},
    {"barrier.sync", InstructionShape::barrier, "", " aligned ", "", "u"},
    {"barrier.arrive", InstructionShape::barrier, "", " aligned ", "", "uu"},
    {"barrier.cta.sync", InstructionShape::barrier, "", " aligned ", "", "u"},
    {"barrier.cta.arrive", InstructionShape::barrier, "", " aligned ", "", "uu"},
    {"bar.red", InstructionShape::barrier, " popc and or ", " u32 pred aligned ", "", "up"},
    {"bar.cta.red", InstructionShape::barrier, " popc and or ", " u32 pred aligned ", "", "up"},
    {"barrier.red", InstructionShape::barrier, " popc and or ", " u32 pred aligned ", "", "up"},
    {"barrier.cta.red", InstructionShape::barrier, " popc and or ", " u32 pred aligned ", "", "up"},
    {"bar.warp.sync", InstructionShape::action, "", "", "", "u"},
    {"activemask", InstructionShape::value, "", " b32 ", "", ""},
    {"vote.sync", InstructionShape::value, " any all uni ballot ", " pred b32 ", "", "pu"},
    {"vote.ballot.sync", InstructionShape::value, "", " b32 ", "", "pu"},  // ptxas takes this order as well
    {"trap", InstructionShape::action, "", "", "", ""},
    {"exit", InstructionShape::action, "", "", "", ""},
    {"brkpt", InstructionShape::action, "", "", "", ""},
    {"nanosleep", InstructionShape::action, "", " u32 ", "", "u"},
    {"shfl.sync", InstructionShape::shuffle, " up down bfly idx ", " b32 ", "", "uuuu"},
    {"elect.sync", InstructionShape::shuffle, "", "", "", "u"},
    {"match.any.sync", InstructionShape::value, "", "", " b32 b64 ", "Tu"},
    {"match.all.sync", InstructionShape::shuffle, "", "", " b32 b64 ", "Tu"},
    {"redux.sync", InstructionShape::value, " add min max and or xor abs NaN ", "", " u32 s32 b32 f32 ", "Tu"},
    {"cp.async", InstructionShape::copy, "", " ca cg shared shared::cta global cta L2::64B L2::128B L2::256B ", "", ""},
    {"cp.async.commit_group", InstructionShape::action, "", "", "", ""},
    {"cp.async.wait_all", InstructionShape::action, "", "", "", ""},
    {"cp.async.wait_group", InstructionShape::action, "", "", "", "u"},
    {"cp.async.mbarrier.arrive", InstructionShape::action, " noinc ", kOfMbarrier, "", "m"},
    {"cp.async.bulk", InstructionShape::action, " multicast::cluster ",
     " shared::cluster shared::cta global mbarrier::complete_tx::bytes L2::cache_hint ", "", "SSum"},
    {"cp.async.bulk.global", InstructionShape::action, "", " shared::cta bulk_group L2::cache_hint ", "", "GSu"},
    {"cp.async.bulk.commit_group", InstructionShape::action, "", "", "", ""},
    {"cp.async.bulk.wait_group", InstructionShape::action, "", " read ", "", "u"},
    {"mbarrier.init", InstructionShape::action, "", kOfMbarrier, "", "mu"},
    {"mbarrier.inval", InstructionShape::action, "", kOfMbarrier, "", "m"},
    {"mbarrier.arrive", InstructionShape::value, "", kOfMbarrier, "", "m?u"},
    {"mbarrier.arrive.noComplete", InstructionShape::value, "", kOfMbarrier, "", "mu"},
    {"mbarrier.arrive.expect_tx", InstructionShape::value, "", kOfMbarrier, "", "mu"},
    {"mbarrier.arrive_drop", InstructionShape::value, "", kOfMbarrier, "", "m?u"},
    {"mbarrier.arrive_drop.noComplete", InstructionShape::value, "", kOfMbarrier, "", "mu"},
    {"mbarrier.arrive_drop.expect_tx", InstructionShape::value, "", kOfMbarrier, "", "mu"},
    {"mbarrier.expect_tx", InstructionShape::action, "", kOfMbarrier, "", "mu"},
    {"mbarrier.complete_tx", InstructionShape::action, "", kOfMbarrier, "", "mu"},
    {"mbarrier.test_wait", InstructionShape::value, "", kOfMbarrier, "", "ma"},
    {"mbarrier.test_wait.parity", InstructionShape::value, "", kOfMbarrier, "", "mu"},
    {"mbarrier.try_wait", InstructionShape::value, "", kOfMbarrier, "", "ma?u"},
    {"mbarrier.try_wait.parity", InstructionShape::value, "", kOfMbarrier, "", "mu?u"},
    {"mbarrier.pending_count", InstructionShape::value, "", " b64 ", "", "a"},
    {"mapa", InstructionShape::value, "", " u64 ", "", "au"},
    {"mapa.shared::cluster", InstructionShape::value, "", " u32 u64 ", "", "uu"},
    {"getctarank", InstructionShape::value, "", " u64 ", "", "a"},
    {"getctarank.shared::cluster", InstructionShape::value, "", " u32 u64 ", "", "u"},
    {"barrier.cluster.arrive", InstructionShape::action, " relaxed ", " release aligned ", "", ""},
    {"barrier.cluster.wait", InstructionShape::action, "", " acquire aligned ", "", ""},
    {"setmaxnreg", InstructionShape::nothing, "", " inc dec sync aligned u32 ", "", ""},
    {"bra", InstructionShape::branch, "", " uni ", "", ""},
    {"prefetch", InstructionShape::nothing, "", " global local L1 L2 L2::evict_last L2::evict_normal ", "", ""},
    {"createpolicy.fractional", InstructionShape::value, "",
     " L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged b64 ", "", "?u"},
    {"createpolicy.cvt", InstructionShape::value, "", " L2 b64 ", "", "u"},
    {"pmevent", InstructionShape::nothing, "", " mask ", "", ""},
    {"prefetchu", InstructionShape::nothing, "", " L1 ", "", ""},
    {"discard", InstructionShape::nothing, "", " global L2 ", "", ""},
    {"applypriority", InstructionShape::nothing, "", " global L2::evict_normal ", "", ""},
    {"cp.async.bulk.prefetch", InstructionShape::nothing, "", " L2 global ", "", ""},
    {"griddepcontrol.wait", InstructionShape::action, "", "", "", ""},
    {"griddepcontrol.launch_dependents", InstructionShape::action, "", "", "", ""},
    {"cvta.to.shared", InstructionShape::value, "", "", " u32 u64 ", "T"},
    {"cvta.shared", InstructionShape::value, "", "", " u32 u64 ", "T"},
    {"cvta.to.local", InstructionShape::value, "", "", " u64 ", "T"},
    {"cvta.local", InstructionShape::value, "", "", " u64 ", "T"},
    {"cvta.to.const", InstructionShape::value, "", "", " u64 ", "T"},
    {"cvta.const", InstructionShape::value, "", "", " u64 ", "T"},
    {"cvta.to.global", InstructionShape::value, "", "", " u64 ", "T"},
    {"cvta.global", InstructionShape::value, "", "", " u64 ", "T"},
    {"atom", InstructionShape::atomic, " add noftz min max and or xor exch cas inc dec ", "",
     " b16 u32 s32 b32 u64 s64 b64 f32 f64 f16 bf16 f16x2 bf16x2 ", "T"},
    {"red", InstructionShape::reduction, " add noftz min max and or xor inc dec ", "",
     " u32 s32 b32 u64 s64 b64 f32 f64 f16 bf16 f16x2 bf16x2 ", "T"},
};

/// Modifiers that atomics share: scope and space.
constexpr std::string_view kAtomicIgnored = " relaxed cta gpu sys cluster global shared ";
/// Loads and stores that reach memory every time, for the sake of a cache. Nobody polls by them.
constexpr std::string_view kPerformed = " cg cv lu wt ";

constexpr std::string_view kTypes[] = {"b8",   "b16",    "b32",    "b64",    "b128",   "u8",     "u16",
                                       "u32",  "u64",    "s8",     "s16",    "s32",    "s64",    "f32",
                                       "f64",  "pred",   "f16",    "bf16",   "f16x2",  "bf16x2", "f32x2",
                                       "tf32", "e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2", "ue8m0x2"};

constexpr std::string_view kSpecial =
    " %laneid %warpid %nwarpid %smid %nsmid %clock %clock64 %clock_hi %globaltimer %tid.x %tid.y %tid.z "
    "%ntid.x %ntid.y %ntid.z %ctaid.x %ctaid.y %ctaid.z %nctaid.x %nctaid.y %nctaid.z %lanemask_eq "
    "%lanemask_lt %lanemask_le %lanemask_gt %lanemask_ge %clusterid.x %clusterid.y %clusterid.z "
    "%nclusterid.x %nclusterid.y %nclusterid.z %cluster_ctaid.x %cluster_ctaid.y %cluster_ctaid.z "
    "%cluster_nctaid.x %cluster_nctaid.y %cluster_nctaid.z %cluster_ctarank %cluster_nctarank ";

std::vector<std::string> words_of(std::string_view list) {
  std::istringstream words{std::string(list)};
  return {std::istream_iterator<std::string>(words), {}};
}

/// The row whose opcode is the longest beginning of `opcode`, and how many parts that is.
std::pair<const OpcodeRow*, std::size_t> find_row(const std::vector<std::string>& opcode) {
  std::string name;
  std::pair<const OpcodeRow*, std::size_t> found{nullptr, 0};
  for (std::size_t n = 0; n < opcode.size(); ++n) {
    name += (n == 0 ? "" : ".") + opcode[n];
    for (const OpcodeRow& row : kRows) {
      if (row.opcode == name) found = {&row, n + 1};
    }
  }
  return found;
}

std::string without_colons(std::string_view modifier) {
  std::string name(modifier);
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) name.replace(at, 2, "_");
  return name;
}

std::string with_underscores(std::string_view opcode) {
  std::string name = without_colons(opcode);
  std::replace(name.begin(), name.end(), '.', '_');
  // These are operators of C++.
  if (name == "and" || name == "or" || name == "xor" || name == "not") name += "_";
  return name;
}

/// Adds what a modifier says to the form; false where the row does not have it.
bool add_modifier(Form& form, const OpcodeRow& row, const std::string& modifier) {
  const bool memory = row.shape == InstructionShape::load || row.shape == InstructionShape::store;
  const bool atomic = row.shape == InstructionShape::atomic || row.shape == InstructionShape::reduction;
  const bool has_address = row.sources.find('m') != std::string_view::npos;
  if (modifier == "shared" || (has_address && modifier.starts_with("shared::"))) form.space = "shared";
  if ((memory || atomic) && (modifier == "shared::cta" || modifier == "shared::cluster")) {
    return form.space = "shared", true;
  }
  if (has_word(row.named, modifier)) return true;
  if (is_type(modifier) && !row.types.empty()) {
    const bool is_first = form.types.empty() && !row.first_types.empty();
    form.types.push_back(modifier);
    return has_word(is_first ? row.first_types : row.types, modifier);
  }
  if (memory && modifier == "volatile") return form.function += "_relaxed", true;
  if (memory && has_word(kPerformed, modifier)) return form.function += "_performed", true;
  if ((memory || atomic) && has_word(" v2 v4 v8 ", modifier))
    return form.elements = static_cast<std::size_t>(modifier[1] - '0'), true;
  if (memory && modifier == "mmio") return true;  // of an access that is relaxed as well
  if (memory && modifier.find("L1::") == 0) return true;
  if (memory && modifier.find("L2::") == 0) return true;
  if (atomic && has_word(kAtomicIgnored, modifier)) return true;
  if (atomic && has_word(" acquire release acq_rel ", modifier)) return form.order = modifier, true;
  if (row.shape == InstructionShape::compare && (modifier == "and" || modifier == "or" || modifier == "xor")) {
    return form.combine = modifier == "and" ? "&&" : modifier == "or" ? "||" : "!=", true;
  }
  return has_word(row.ignored, modifier);
}

/// Modifiers of which an instruction has one at most.
constexpr std::string_view kAlternatives[] = {" rz rm rp rni rzi rmi rpi rna ",
                                              " sat relu ",
                                              " sat satfinite ",
                                              " sat oob ",
                                              " NaN relu ",
                                              " xorsign relu ",
                                              " abs relu ",
                                              " lo hi wide sat ",
                                              " l r ",
                                              " wrap clamp ",
                                              " any all uni ballot ",
                                              " f4e b4e rc8 ecl ecr rc16 ",
                                              " finite infinite number notanumber normal subnormal ",
                                              " add min max and or xor exch cas inc dec popc ",
                                              kComparisons,
                                              " up down bfly idx ",
                                              " cta gl gpu sys cluster ",
                                              " relaxed acquire release ",
                                              " const global local shared "};
/// Instructions that are none without such a modifier.
constexpr std::string_view kNeedOne =
    " atom red redux.sync setp shfl.sync vote.sync fence membar isspacep bmsk madc mul24 mad24 bar.red bar.cta.red "
    "barrier.red barrier.cta.red testp szext set dp2a ";
constexpr std::string_view kNeedTwo = " shf ";

bool has_its_modifiers(const OpcodeRow& row, const std::vector<std::string>& opcode, std::size_t parts) {
  std::size_t named = 0;
  std::size_t alternatives[std::size(kAlternatives)] = {};
  for (std::size_t n = parts; n < opcode.size(); ++n) {
    if (!has_word(row.named, opcode[n])) continue;
    ++named;
    for (std::size_t group = 0; group < std::size(kAlternatives); ++group) {
      if (has_word(kAlternatives[group], opcode[n]) && ++alternatives[group] > 1) return false;
    }
  }
  return named >= (has_word(kNeedTwo, row.opcode) ? 2U : has_word(kNeedOne, row.opcode) ? 1U : 0U);
}

bool is_named(const Form& form, std::string_view modifier) {
  const std::string part = "_" + std::string(modifier);
  const std::size_t at = form.function.find(part);
  return at != std::string::npos &&
         (at + part.size() == form.function.size() || form.function[at + part.size()] == '_');
}

/// Whether there is a conversion of pairs of bytes: to them from two floats or, of some, a pair of halves, to which
/// they become, which any of them may cut off at zero. Scales are rounded to zero or up.
bool is_conversion_of_bytes(const Form& form) {
  const std::string_view to = form.types[0], from = form.types[1];
  if (from == "ue8m0x2") return to == "bf16x2" && form.function == "cvt";
  if (to == "ue8m0x2")
    return has_word(" f32 bf16x2 ", from) &&
           has_word(" cvt_rz cvt_rp cvt_rz_satfinite cvt_rp_satfinite ", form.function);
  const bool to_bytes = has_word(kBytePairs, to);
  const std::string plain = to_bytes ? "cvt_satfinite" : "cvt";
  if (form.function != plain && form.function != plain + "_relu") return false;
  if (!to_bytes) return to == "f16x2";
  return from == "f32" || (from == "f16x2" && !has_word(" e2m3x2 e3m2x2 ", to));
}

/// Whether there is such a conversion: pairs are made of two floats, TF32 of a float, neither is converted again; only
/// what narrow numbers are made of may be cut off at zero (PTX ISA, "cvt").
bool is_conversion(const Form& form) {
  const std::string_view to = form.types[0];
  const std::string_view from = form.types[1];
  const auto is_of_bytes = [](std::string_view type) { return has_word(kBytePairs, type) || type == "ue8m0x2"; };
  if (is_of_bytes(to) || is_of_bytes(from)) return is_conversion_of_bytes(form);
  const bool is_pair = has_word(kPairs, to);
  if (has_word(" f16x2 bf16x2 tf32 ", from) || ((is_pair || to == "tf32") && from != "f32")) return false;
  const bool away = is_named(form, "rna");
  const bool down_or_up = is_named(form, "rm") || is_named(form, "rp");
  const bool to_real = down_or_up || is_named(form, "rz");
  const bool saturates = is_named(form, "sat");
  const bool rectifies = is_named(form, "relu");
  const bool to_integer =
      is_named(form, "rni") || is_named(form, "rzi") || is_named(form, "rmi") || is_named(form, "rpi");
  if (is_named(form, "satfinite") && ((!has_word(kNarrow, to) && to != "tf32") || from != "f32" || down_or_up))
    return false;
  if (to == "tf32") return !down_or_up && !to_integer && !saturates && !(rectifies && away);
  if (away || (rectifies && (!has_word(kNarrow, to) || from != "f32"))) return false;
  if (is_pair) return !down_or_up && !to_integer && !saturates;
  if (to_integer) return has_word(kRealsAndNarrow, from) && !has_word(kNarrow, to);
  return !to_real ||
         (has_word(kRealsAndNarrow, to) && to != from && !(has_word(kNarrow, from) && !has_word(kNarrow, to)));
}

/// Whether `min` or `max` has these modifiers for its type: the sign of the product of both (`xorsign.abs`), numbers
/// without their signs, or no negative result.
bool is_extremum(const Form& form) {
  const std::string_view type = form.types.back();
  if (is_named(form, "relu")) return type == "s32";
  if (is_named(form, "xorsign")) return is_named(form, "abs") && has_word(kFloatAndNarrow, type);
  if (is_named(form, "abs")) return type == "f32";
  return !is_named(form, "NaN") || has_word(kFloatAndNarrow, type);
}

/// Whether a product has parts, and whether there is anything to round: results of arithmetic that are real,
/// conversions to a real type from one that it cannot hold, and conversions to integers from real ones.
bool is_modified_as_type_allows(const OpcodeRow& row, const Form& form) {
  if (row.types.empty()) return true;
  const std::string_view type = form.types.front();
  const bool in_part = is_named(form, "lo") || is_named(form, "hi") || is_named(form, "wide");
  if (in_part && (has_word(kRealsAndNarrow, type) || type == "f32x2")) return false;
  if (row.opcode == "cvt" && form.types.size() == 2) return is_conversion(form);
  if (row.opcode == "min" || row.opcode == "max") return is_extremum(form);
  if ((is_named(form, "relu") || is_named(form, "oob")) && !has_word(kNarrow, type)) return false;
  if (is_named(form, "sat") && type == "f32x2") return false;
  const bool to_real = is_named(form, "rz") || is_named(form, "rm") || is_named(form, "rp");
  return !to_real || has_word(kReals, type) || type == "f32x2";
}

/// Whether a sum or a product and a sum has narrow numbers and one of f32, as `add.f32.f16` has.
bool is_mixed(const OpcodeRow& row, const Form& form) {
  return has_word(" add sub fma ", row.opcode) && form.types.size() == 2 && form.types[0] == "f32" &&
         has_word(" f16 bf16 ", form.types[1]);
}

bool is_atomic_of_type(const Form& form) {
  if (form.shape != InstructionShape::atomic && form.shape != InstructionShape::reduction) return true;
  const std::string_view operation = std::string_view(form.function).substr(form.function.find('_') + 1);
  const bool is_vector = form.elements != 1;
  if (is_vector && form.types[0] != "f32" && !has_word(kNarrow, form.types[0])) return false;
  if (form.types[0] == "b16") return operation == "cas";
  if (has_word(kNarrow, form.types[0]) || is_named(form, "noftz")) {
    return has_word(kNarrow, form.types[0]) && operation == "add_noftz";
  }
  return !has_word(kReals, form.types[0]) || has_word(is_vector ? " add " : " add min max exch ", operation);
}

/// Of floats the lanes of a warp have a least and a largest one, of sizes too; NaN counts where it is named.
bool is_reduction_of_type(const Form& form) {
  if (!form.function.starts_with("redux")) return true;
  if (form.types[0] == "f32") return is_named(form, "min") || is_named(form, "max");
  return !is_named(form, "abs") && !is_named(form, "NaN");
}

/// Whether `set` writes truths of one type for operands of the other: narrow ones for narrow operands of the same
/// format or for wider ones, whole numbers for any.
bool is_truth_of(std::string_view truth, std::string_view type) {
  if (has_word(kWords, truth)) return true;
  if (has_word(kPairs, truth)) return truth == type;
  if (has_word(kPairs, type)) return false;
  const bool is_narrow = has_word(kNarrow, type);
  if (has_word(kNarrow, truth)) return !is_narrow || truth == type;
  return truth == "f32" ? !is_narrow : is_narrow;
}

/// Whether `setp` or `set` has this comparison for its type: plain bits are only equal or not, and only of reals can
/// there be a pair without an order (PTX ISA, "setp").
bool is_comparison(const Form& form) {
  const std::string_view type = form.types.back();
  if (form.types.size() == 2 && !is_truth_of(form.types[0], type)) return false;
  if (has_word(kBits, type)) return form.function == "setp_eq" || form.function == "setp_ne";
  constexpr std::string_view kUnordered = " setp_equ setp_neu setp_ltu setp_leu setp_gtu setp_geu setp_num setp_nan ";
  constexpr std::string_view kUnsigned = " setp_lo setp_ls setp_hi setp_hs ";
  if (has_word(kNarrow, type)) return !has_word(kUnsigned, form.function);
  return has_word(kReals, type) || !has_word(kUnordered, form.function);
}

/// Adds the opcode of a row with these modifiers, where there is one; conversions and others have a second type.
void add_known(std::vector<std::vector<std::string>>& all, const OpcodeRow& row,
               const std::vector<std::string>& modifiers) {
  std::vector<std::string> opcode;
  std::istringstream parts{std::string(row.opcode)};
  for (std::string part; std::getline(parts, part, '.');) opcode.push_back(part);
  for (const std::string& modifier : modifiers) {
    if (!modifier.empty()) opcode.push_back(modifier);
  }
  if (row.opcode == "cvt" || !row.first_types.empty()) {
    for (const std::string& from : words_of(row.types)) {
      opcode.push_back(from);
      if (find_form(opcode)) all.push_back(opcode);
      opcode.pop_back();
    }
  } else if (find_form(opcode)) {
    all.push_back(opcode);
  }
}

}  // namespace

bool has_word(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

std::optional<Form> find_form(const std::vector<std::string>& opcode) {
  const auto [row, parts] = find_row(opcode);
  if (row == nullptr || !has_its_modifiers(*row, opcode, parts)) return std::nullopt;
  Form form;
  form.shape = row->shape;
  form.function = with_underscores(row->opcode);
  form.sources = row->sources;
  for (const std::string& named : words_of(row->named)) {
    if (std::find(opcode.begin() + static_cast<std::ptrdiff_t>(parts), opcode.end(), named) != opcode.end())
      form.function += "_" + without_colons(named);
  }
  for (std::size_t n = parts; n < opcode.size(); ++n) {
    if (!add_modifier(form, *row, opcode[n])) return std::nullopt;
  }
  if (row->types.empty() != form.types.empty()) return std::nullopt;
  if (!is_modified_as_type_allows(*row, form)) return std::nullopt;
  const bool has_two = row->opcode == "cvt" || !row->first_types.empty();
  const bool mixes = is_mixed(*row, form);
  if (!row->types.empty() && form.types.size() != (has_two || mixes ? 2U : 1U)) return std::nullopt;
  if (mixes) form.sources.back() = 'D';
  if (has_word(" min max ", row->opcode) && form.types[0] == "f32" && !is_named(form, "xorsign"))
    form.sources = is_named(form, "abs") ? "TTT" : "TT?T";
  if (row->opcode == "set") form.function = "setp" + form.function.substr(3);
  if (form.shape == InstructionShape::compare && !is_comparison(form)) return std::nullopt;
  if (!is_atomic_of_type(form) || !is_reduction_of_type(form)) return std::nullopt;
  if (form.types == std::vector<std::string>{"b128"} && !has_word(" mov ld st ", form.function)) return std::nullopt;
  if (form.function == "atom_cas") form.sources = "TT";
  // Pairs are made of two floats, the first of which becomes the upper half, or of another pair.
  if (row->opcode == "cvt" && form.types[1] == "f32" && form.types[0].ends_with("x2")) form.sources = "TT";
  if (form.function == "cp_async_bulk_multicast_cluster") form.sources += "u";
  if (std::ranges::find(opcode, "L2::cache_hint") != opcode.end()) form.sources += "-";
  return form;
}

std::vector<std::vector<std::string>> all_opcodes() {
  std::vector<std::vector<std::string>> all;
  for (const OpcodeRow& row : kRows) {
    std::vector<std::string> named = words_of(row.named);
    named.emplace_back();
    std::vector<std::string> types = words_of(row.first_types.empty() ? row.types : row.first_types);
    if (types.empty()) types.emplace_back();
    for (auto first = named.begin(); first != named.end(); ++first) {
      for (auto second = first; second != named.end(); ++second) {
        if (first == second && !first->empty()) continue;
        for (const std::string& type : types) add_known(all, row, {*first, *second, type});
      }
    }
  }
  return all;
}

bool is_type(std::string_view name) {
  return std::find(std::begin(kTypes), std::end(kTypes), name) != std::end(kTypes);
}

unsigned bits_of(std::string_view type) {
  unsigned bits = 0;
  for (const char c : type.substr(std::min<std::size_t>(type.size(), 1))) {
    if (c < '0' || c > '9') return 0;
    bits = bits * 10 + static_cast<unsigned>(c - '0');
  }
  return bits;
}

std::string special_register(std::string_view name) {
  if (!has_word(kSpecial, name)) return "";
  return with_underscores(name.substr(1));
}

}  // namespace warpfiber::translate::ptx
