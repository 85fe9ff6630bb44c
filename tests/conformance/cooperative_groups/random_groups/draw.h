// SPDX-License-Identifier: Apache-2.0
//
// Draws cases. A case depends on its seed alone; cases of one batch of seeds have blocks of one shape, so that one
// launch can run them all. What is drawn is well defined on a device: collectives that a group has, tiles that are
// full, ranks that exist, distances a shuffle can tell from none.
#pragma once

#include "cases.h"

namespace random_groups {

constexpr std::uint64_t kBatch = 20;  // consecutive seeds

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : state_(scramble(seed)) {}

  std::uint64_t bits() { return scramble(state_ += 0x632be59bd9b4e019ull); }
  unsigned below(unsigned limit) { return unsigned(bits() >> 33) % limit; }
  unsigned between(unsigned first, unsigned last) { return first + below(last - first + 1); }

 private:
  std::uint64_t state_;
};

inline unsigned draw_threads(Drawing& drawing) {
  switch (drawing.below(8)) {
    case 0: return drawing.between(1, 96);
    case 1: return drawing.between(1, kMaxThreads);
    case 2: return drawing.between(1, 6) * (4u << drawing.below(4));
    case 3: return drawing.between(1, 32) * 32;
    case 4: return 128u << drawing.below(4);
    default: return drawing.between(1, 4) * 64;
  }
}

/// A divisor of `n` that is at most `limit`.
inline unsigned draw_divisor(Drawing& drawing, unsigned n, unsigned limit) {
  unsigned divisor = drawing.between(1, n < limit ? n : limit);
  while (n % divisor != 0) --divisor;
  return divisor;
}

inline Shape draw_shape(std::uint64_t seed) {
  Drawing drawing(~(seed / kBatch));
  const unsigned threads = draw_threads(drawing);
  Shape shape = {threads, 1, 1};
  if (drawing.below(3) != 0) {
    shape.y = draw_divisor(drawing, threads, kMaxThreads);
    shape.x = threads / shape.y;
    if (drawing.below(2) != 0) {
      shape.z = draw_divisor(drawing, shape.y, 64);
      shape.y /= shape.z;
    }
  }
  return shape;
}

/// A group as far as it decides what may come next.
struct Stage {
  enum Kind { block, large_tile, small_tile, coalesced, dynamic } kind;
  unsigned size;  // of tiles
};

inline unsigned char draw_distinct(Drawing& drawing) {
  const unsigned char choices[] = {0, 1, 2, 2, 3, 7};
  return choices[drawing.below(sizeof choices)];
}

/// A tile for `stage`, or a step that ends the path if there is none.
inline Step draw_tile(Drawing& drawing, const Stage& stage, unsigned threads) {
  unsigned sizes[11];
  unsigned count = 0;
  for (unsigned size = 1; size <= 1024; size *= 2) {
    const bool fits = stage.kind == Stage::block ? threads % size == 0 : size < stage.size;
    // A large tile of a large tile is a type of its own; the kernel has this one.
    const bool known = size <= 32 || stage.kind == Stage::block || (stage.size == 256 && size == 64);
    if (fits && known) sizes[count++] = size;
  }
  if (count == 0) return {Cut::none, 0, 0, 0};
  if (stage.kind == Stage::block && count == 1) return {Cut::mask, draw_distinct(drawing), 0, drawing.bits()};
  const unsigned chosen = drawing.below(2) ? count - 1 - drawing.below(count > 3 ? 3 : count) : drawing.below(count);
  return {Cut::tile, 0, (unsigned short)sizes[chosen], 0};
}

inline Cut draw_cut(Drawing& drawing, const Stage& stage) {
  const Cut of_block[] = {Cut::tile, Cut::tile, Cut::tile, Cut::tile,    Cut::tile,
                          Cut::tile, Cut::mask, Cut::mask, Cut::dynamic, Cut::none};
  const Cut of_large[] = {Cut::tile, Cut::tile, Cut::none};
  const Cut of_small[] = {Cut::tile,       Cut::tile,       Cut::dynamic,       Cut::binary,    Cut::label_int,
                          Cut::label_bool, Cut::label_long, Cut::label_pointer, Cut::label_int, Cut::none};
  const Cut of_coalesced[] = {Cut::dynamic,    Cut::dynamic,       Cut::binary,    Cut::label_bool, Cut::label_int,
                              Cut::label_long, Cut::label_pointer, Cut::label_int, Cut::none,       Cut::none};
  switch (stage.kind) {
    case Stage::block: return of_block[drawing.below(10)];
    case Stage::large_tile: return of_large[drawing.below(3)];
    case Stage::small_tile: return of_small[drawing.below(10)];
    case Stage::coalesced: return of_coalesced[drawing.below(10)];
    default: return drawing.below(2) ? Cut::dynamic : Cut::none;
  }
}

inline Step draw_step(Drawing& drawing, const Stage& stage, unsigned threads) {
  const Cut cut = draw_cut(drawing, stage);
  if (cut == Cut::none) return {cut, 0, 0, 0};
  if (cut == Cut::tile) return draw_tile(drawing, stage, threads);
  return {cut, draw_distinct(drawing), (unsigned short)(1u << drawing.below(6)), drawing.bits()};
}

inline Stage stage_after(const Stage& stage, const Step& step) {
  switch (step.cut) {
    case Cut::none: return stage;
    case Cut::tile: return {step.size > 32 ? Stage::large_tile : Stage::small_tile, step.size};
    case Cut::dynamic: return {stage.kind == Stage::coalesced ? Stage::coalesced : Stage::dynamic, 0};
    default: return {Stage::coalesced, 0};
  }
}

/// Calls, in the order of Call, that a group has.
inline unsigned calls_of(const Stage& stage) {
  switch (stage.kind) {
    case Stage::large_tile: return unsigned(Call::exclusive_scan_update) + 1;
    case Stage::small_tile: return unsigned(Call::shfl_xor) + 1;
    case Stage::coalesced: return unsigned(Call::match_all) + 1;
    default: return unsigned(Call::invoke_one) + 1;
  }
}

/// What the kernel has; each functor of a type costs an instantiation a group.
inline Functor draw_functor(Drawing& drawing, const Action& action, bool ordered) {
  if (is_update(action.call)) {
    const bool scan = action.call != Call::reduce_update_async;
    return drawing.below(2) ? Functor::plus : scan ? Functor::mix : Functor::less;
  }
  switch (action.element) {
    case Element::uint32: return Functor(drawing.below(ordered ? 7 : 6));
    case Element::float32: return drawing.below(3) ? Functor::plus : Functor::less;
    case Element::float64: return drawing.below(3) ? Functor::plus : Functor::greater;
    default: return Functor(drawing.below(3));
  }
}

inline Call draw_call(Drawing& drawing, const Stage& stage) {
  const unsigned calls = calls_of(stage);
  const bool folds = calls > unsigned(Call::exclusive_scan_update);
  if (!folds || drawing.below(3) != 0) return Call(drawing.below(calls));
  return Call(drawing.between(unsigned(Call::reduce), unsigned(Call::exclusive_scan_update)));
}

inline Action draw_action(Drawing& drawing, const Stage& stage) {
  const bool large = stage.kind == Stage::large_tile;
  Action action = {};
  action.call = draw_call(drawing, stage);
  action.distinct = draw_distinct(drawing);
  action.argument = drawing.below(32);
  action.seed = drawing.bits();
  const bool shuffle = action.call == Call::shfl || action.call == Call::shfl_up || action.call == Call::shfl_down ||
                       action.call == Call::shfl_xor;
  action.element = Element(drawing.below(shuffle && !large ? 6 : 5));
  if (is_update(action.call)) action.element = Element::uint32;
  if (action.call == Call::shfl && large) action.argument = drawing.below(stage.size);
  if (action.call == Call::shfl_xor) action.argument %= stage.size;
  // Reducing by Mix in a large tile is a race on a device.
  action.functor = draw_functor(drawing, action, action.call != Call::reduce || !large);
  return action;
}

inline Plan draw_plan(Drawing& drawing, Stage stage, bool ended, unsigned threads) {
  Plan plan = {};
  for (Step& step : plan.steps) {
    if (!ended) step = draw_step(drawing, stage, threads);
    ended = ended || step.cut == Cut::none;
    stage = stage_after(stage, step);
  }
  for (Actions& actions : plan.actions) {
    actions.count = int(drawing.between(1, kMaxActions));
    for (int i = 0; i < actions.count; ++i) actions.list[i] = draw_action(drawing, stage);
  }
  return plan;
}

inline Case draw_case(std::uint64_t seed) {
  Drawing drawing(seed);
  const unsigned threads = draw_shape(seed).threads();
  const Stage block = {Stage::block, 0};
  Case drawn = {};
  drawn.seed = seed;
  drawn.root = draw_step(drawing, block, threads);
  for (Plan& plan : drawn.plans) {
    plan = draw_plan(drawing, stage_after(block, drawn.root), drawn.root.cut == Cut::none, threads);
  }
  return drawn;
}

}  // namespace random_groups
