// SPDX-License-Identifier: Apache-2.0
// Places by PTX's fragments, and the order of terms.
#include "machine/matrix/plan.hpp"

#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {
namespace {

using detail::Element;
using detail::MatrixPlace;
using detail::MatrixProduct;

bool is_real(Element element) {
  return element < Element::f64;
}

void set_order(ProductPlan& plan) {
  const MatrixProduct& product = plan.product;
  TermOrder& order = plan.order;
  const unsigned in_word = detail::elements_in_word(product.a);
  const unsigned terms = plan.rule.terms;
  order.depth = product.k / in_word;
  const bool by_words = plan.rule.alternates && product.is_sparse;
  const unsigned each = plan.rule.alternates && !product.is_sparse && terms < product.k ? 2 : in_word;
  const unsigned words = terms / each;
  order.run = by_words                                     ? 1
              : words >= kVector && order.depth >= kVector ? kVector
              : words % 4 == 0                             ? 4
              : words % 2 == 0                             ? 2
                                                           : 1;
  for (unsigned word = 0; word < order.depth; ++word) {
    for (unsigned element = 0; element < in_word; ++element) {
      const unsigned sum = word / words + element / each;
      const unsigned in_turn = sum * terms + element % each * words + word % words;
      order.of[word][element] =
          static_cast<std::uint8_t>(by_words ? word % 2 * terms + element * words + word / 2 : in_turn);
    }
  }
}

}  // namespace

ProductPlan make_plan(const MatrixProduct& product, detail::ComputeCapability capability) {
  ProductPlan plan{.product = product, .capability = capability, .rule = {}, .order = {}};
  if (is_real(product.a)) {
    plan.rule = sum_rule(capability, product);
    set_order(plan);
  }
  if (product.has_quads()) return plan;
  const unsigned in_word = detail::elements_in_word(product.a);
  const unsigned depth = product.k / in_word;
  for (unsigned word = 0; word < product.a_words(); ++word) {
    const MatrixPlace first = place_in_a(product, 0, word * in_word);
    plan.a_at[word] = static_cast<std::uint16_t>(first.row * product.a_columns() / in_word + first.column / in_word);
  }
  for (unsigned word = 0; word < product.b_words(); ++word) {
    const MatrixPlace first = place_in_b(product, 0, word * in_word);
    plan.b_at[word] = static_cast<std::uint16_t>(first.column * depth + first.row / in_word * kVector);
  }
  for (unsigned pair = 0; pair < detail::elements_of_lane(product.m, product.n) / 2; ++pair) {
    const MatrixPlace first = place_in_c(product, 0, 2 * pair);
    plan.c_at[pair] = static_cast<std::uint16_t>(first.row * product.n + first.column);
  }
  return plan;
}

}  // namespace warpfiber::machine
