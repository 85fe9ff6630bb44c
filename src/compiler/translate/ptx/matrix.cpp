// SPDX-License-Identifier: Apache-2.0
//
// Sources: PTX ISA 9.0, "mma", "ldmatrix", "stmatrix", "movmatrix".
#include "translate/ptx/matrix.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "translate/ptx/table.hpp"

namespace warpfiber::translate::ptx {
namespace {

using Modifiers = std::vector<std::string>;

/// Types of A and B, bits of an element, the values of k that there are with 16 and with 8 rows and with a sparse A of
/// 16 rows, and the types of C and D. Lists have blanks around each word.
struct ProductRow {
  std::string_view types;
  unsigned bits;
  std::string_view of_sixteen;
  std::string_view of_eight;
  std::string_view of_sparse;
  std::string_view sums;
};

constexpr ProductRow kProducts[] = {
    {" f16 ", 16, " 8 16 ", " ", " 16 32 ", " f16 f32 "},   {" bf16 ", 16, " 8 16 ", " ", " 16 32 ", " f32 "},
    {" tf32 ", 32, " 4 8 ", " ", " 8 16 ", " f32 "},        {" e4m3 e5m2 ", 8, " 16 32 ", " ", " 64 ", " f16 f32 "},
    {" f64 ", 64, " 4 8 16 ", " 4 ", " ", " f64 "},         {" s8 u8 ", 8, " 16 32 ", " 16 ", " 32 64 ", " s32 "},
    {" s4 u4 ", 4, " 32 64 ", " 32 ", " 64 128 ", " s32 "}, {" b1 ", 1, " 128 256 ", " 128 ", " ", " s32 "},
};

bool begins(const Modifiers& opcode, std::initializer_list<std::string_view> words) {
  return opcode.size() >= words.size() && std::equal(words.begin(), words.end(), opcode.begin());
}

unsigned bits_of_sum(std::string_view type) {
  return type == "f16" ? 16 : type == "f64" ? 64 : 32;
}

MatrixOperand registers(unsigned elements, unsigned bits) {
  const unsigned of_lane = elements * bits / 32;
  if (bits == 64) return {MatrixOperandKind::registers, of_lane / 64, "b64"};
  return {MatrixOperandKind::registers, of_lane / 32, "b32"};
}

std::string call_of_product(const std::string& numbers, const std::string& elements, const std::string& terms,
                            bool saturates, bool is_sparse, const std::string& layout) {
  const auto truth = [](bool is) { return is ? ", true" : ", false"; };
  return "mma_sync<::warpfiber::detail::MatrixProduct{" + numbers + elements + ", ::warpfiber::ptx::TermsBy::" + terms +
         truth(saturates) + truth(is_sparse) + ", ::warpfiber::detail::LaneLayout::" + layout + "}>";
}

std::string element(const std::string& type) {
  return ", ::warpfiber::ptx::Element::" + type;
}

/// mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32
std::optional<MatrixForm> quads_form(const Modifiers& opcode) {
  constexpr std::string_view kLayouts = " row col ";
  if (opcode.size() != 10 || !has_word(kLayouts, opcode[4]) || !has_word(kLayouts, opcode[5])) return std::nullopt;
  const std::string &d = opcode[6], &c = opcode[9];
  if (!has_word(" f16 f32 ", d) || !has_word(" f16 f32 ", c) || opcode[7] != "f16" || opcode[8] != "f16")
    return std::nullopt;
  if (d == "f16" && c != d) return std::nullopt;
  MatrixForm form;
  form.call = call_of_product("8, 8, 4", element("f16") + element("f16") + element(c) + element(d), "product", false,
                              false, "quads_" + opcode[4] + "_" + opcode[5]);
  form.result = registers(4 * 8 * 8, bits_of_sum(d));
  form.sources = {registers(4 * 8 * 4, 16), registers(4 * 8 * 4, 16), registers(4 * 8 * 8, bits_of_sum(c))};
  return form;
}

/// mma.sync.aligned.m16n8k16.row.col{.satfinite}.f32.f16.f16.f32, and for single bits with .xor.popc behind it. Of a
/// sparse A with mma.sp or mma.sp::ordered_metadata; those that are given in order mean the same to both.
/// Assemblers take .satfinite behind the types as well, where CuTe has it.
std::optional<MatrixForm> product_form(const Modifiers& all) {
  const bool is_sparse = all[1] != "sync";
  Modifiers opcode = all;
  if (is_sparse) opcode.erase(opcode.begin() + 1);
  unsigned m = 0, n = 0, k = 0;
  if (opcode.size() < 9 || std::sscanf(opcode[3].c_str(), "m%un%uk%u", &m, &n, &k) != 3) return std::nullopt;
  if (m == 8 && k == 4 && !is_sparse && opcode[7] == "f16") return quads_form(opcode);
  if (opcode[4] != "row" || opcode[5] != "col") return std::nullopt;
  std::size_t at = 6;
  bool saturates = opcode[at] == "satfinite";
  if (saturates) ++at;
  if (opcode.size() < at + 4) return std::nullopt;
  const std::string &d = opcode[at], &a = opcode[at + 1], &b = opcode[at + 2], &c = opcode[at + 3];
  at += 4;
  std::string terms = "product";
  if (a == "b1") {
    if (opcode.size() != at + 2 || opcode[at + 1] != "popc" || !has_word(" xor and ", opcode[at])) return std::nullopt;
    terms = opcode[at] == "xor" ? "exclusive_or" : "bit_and";
    at += 2;
  }
  if (!saturates && at + 1 == opcode.size() && opcode[at] == "satfinite") {
    saturates = true;
    ++at;
  }
  const auto* row = std::ranges::find_if(kProducts, [&](const ProductRow& one) { return has_word(one.types, a); });
  const std::string depth = std::to_string(k);
  if (row == std::end(kProducts) || !has_word(row->types, b) || c != d || !has_word(row->sums, d) ||
      opcode.size() != at)
    return std::nullopt;
  const std::string_view depths = is_sparse ? row->of_sparse : m == 16 ? row->of_sixteen : row->of_eight;
  if (n != 8 || (m != 16 && (m != 8 || is_sparse)) || !has_word(depths, depth)) return std::nullopt;
  if (saturates && (d != "s32" || a == "b1")) return std::nullopt;
  MatrixForm form;
  form.call =
      call_of_product(std::to_string(m) + ", " + std::to_string(n) + ", " + depth,
                      element(a) + element(b) + element(c) + element(d), terms, saturates, is_sparse, "fragments");
  form.result = registers(m * n, bits_of_sum(d));
  form.sources = {registers(m * k / (is_sparse ? 2 : 1), row->bits), registers(n * k, row->bits),
                  registers(m * n, bits_of_sum(c))};
  const MatrixOperand word{MatrixOperandKind::value, 1, "b32"};
  if (is_sparse) form.sources.insert(form.sources.end(), 2, word);
  return form;
}

enum class Transposes { either, always, never };

/// A load or store of matrices: the shape, what its elements are in memory, how many there may be, the registers of
/// each, and the function with its arguments behind the number of matrices.
struct MatrixAccessRow {
  std::string_view opcode;
  std::string_view shape;
  std::string_view types;
  std::string_view counts;
  Transposes transposes;
  unsigned registers;
  std::string_view function;
  std::string_view arguments;
};

constexpr MatrixAccessRow kAccesses[] = {
    {"ldmatrix", "m8n8", "b16", " x1 x2 x4 ", Transposes::either, 1, "ldmatrix", ""},
    {"stmatrix", "m8n8", "b16", " x1 x2 x4 ", Transposes::either, 1, "stmatrix", ""},
    {"ldmatrix", "m16n16", "b8", " x1 x2 ", Transposes::always, 2, "ldmatrix_bytes", ""},
    {"stmatrix", "m16n8", "b8", " x1 x2 x4 ", Transposes::always, 1, "stmatrix_bytes", ""},
    {"ldmatrix", "m8n16", "b8x16.b6x16_p32", " x1 x2 x4 ", Transposes::never, 1, "ldmatrix_unpacked", ", 6"},
    {"ldmatrix", "m8n16", "b8x16.b4x16_p64", " x1 x2 x4 ", Transposes::never, 1, "ldmatrix_unpacked", ", 4"},
};

/// ldmatrix.sync.aligned.m8n8.x4{.trans}{.shared}.b16, and stmatrix likewise. Like compilers of NVIDIA's it takes the
/// modifiers in any order, as CUTLASS writes them.
std::optional<MatrixForm> access_form(const Modifiers& opcode) {
  std::string shape, count, types;
  bool transposes = false;
  for (std::size_t at = 3; at < opcode.size(); ++at) {
    const std::string& modifier = opcode[at];
    if (modifier[0] == 'b') {
      types += (types.empty() ? "" : ".") + modifier;
    } else if (modifier[0] == 'm' && shape.empty()) {
      shape = modifier;
    } else if (modifier[0] == 'x' && count.empty()) {
      count = modifier;
    } else if (modifier == "trans" && !transposes) {
      transposes = true;
    } else if (!has_word(" shared shared::cta ", modifier)) {
      return std::nullopt;
    }
  }
  const auto* row = std::ranges::find_if(kAccesses, [&](const MatrixAccessRow& one) {
    return one.opcode == opcode[0] && one.shape == shape && one.types == types && has_word(one.counts, count);
  });
  if (row == std::end(kAccesses) || opcode.back()[0] != 'b') return std::nullopt;
  if (row->transposes != Transposes::either && transposes != (row->transposes == Transposes::always))
    return std::nullopt;
  MatrixForm form;
  form.call = std::string(row->function) + "<" + count.substr(1) + std::string(row->arguments);
  form.call += row->transposes != Transposes::either ? ">" : transposes ? ", true>" : ", false>";
  const unsigned registers = row->registers * static_cast<unsigned>(count[1] - '0');
  const MatrixOperand fragment{MatrixOperandKind::registers, registers, "b32"};
  const MatrixOperand address{MatrixOperandKind::address, 1, "b8"};
  if (opcode[0] == "ldmatrix") {
    form.result = fragment;
    form.sources = {address};
  } else {
    form.sources = {address, fragment};
  }
  return form;
}

}  // namespace

std::optional<MatrixForm> find_matrix_form(const Modifiers& opcode) {
  if (begins(opcode, {"mma", "sync", "aligned"}) || begins(opcode, {"mma", "sp", "sync", "aligned"}) ||
      begins(opcode, {"mma", "sp::ordered_metadata", "sync", "aligned"}))
    return product_form(opcode);
  if (begins(opcode, {"ldmatrix", "sync", "aligned"}) || begins(opcode, {"stmatrix", "sync", "aligned"}))
    return access_form(opcode);
  if (opcode == Modifiers{"movmatrix", "sync", "aligned", "m8n8", "trans", "b16"}) {
    const MatrixOperand value{MatrixOperandKind::value, 1, "b32"};
    return MatrixForm{"movmatrix_trans", value, {value}};
  }
  return std::nullopt;
}

}  // namespace warpfiber::translate::ptx
