// SPDX-License-Identifier: Apache-2.0
// What the tests reduce and scan: types with operators that are known to the library, and that are not; operators that
// do not commute or do not associate, so that any other order of evaluation shows.
#pragma once

#include <warpfiber/cooperative_groups.hpp>
#include <warpfiber/cuda/atomic.hpp>
#include <warpfiber/groups/reduce.hpp>
#include <warpfiber/groups/scan.hpp>
#include <warpfiber/half.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"
#include "unit/reductions/reduction_model.hpp"

namespace warpfiber::test {

namespace cg = cooperative_groups;

/// x -> a x + b modulo a prime. Composition associates and does not commute.
struct Affine {
  int a, b;
};
struct Compose {
  Affine operator()(const Affine& x, const Affine& y) const { return {x.a * y.a % 997, (x.a * y.b + x.b) % 997}; }
};

/// Does neither, and knows which operand was the thread's own.
struct Lean {
  float operator()(float own, float other) const { return own * 0.75F + other; }
};

struct Three {
  unsigned char bytes[3];
};
struct Subtract {
  Three operator()(const Three& x, const Three& y) const {
    Three z{};
    for (int i = 0; i < 3; ++i) z.bytes[i] = static_cast<unsigned char>(2 * x.bytes[i] - y.bytes[i]);
    return z;
  }
};

struct Eight {
  int words[8];
};
struct Mix {
  Eight operator()(const Eight& x, const Eight& y) const {
    Eight z{};
    for (int i = 0; i < 8; ++i) z.words[i] = (x.words[i] * 3 + y.words[(i + 1) % 8]) % 10007;
    return z;
  }
};

/// CUDA's plus by another name, which makes it an operator that the library does not know.
template <class T>
struct Sum {
  T operator()(T x, T y) const { return static_cast<T>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }
};

template <class T>
T draw(base::Random& random) {
  if constexpr (std::is_same_v<T, Affine>) {
    return {static_cast<int>(random.below(996)) + 1, static_cast<int>(random.below(997))};
  } else if constexpr (std::is_same_v<T, Three>) {
    return {{static_cast<unsigned char>(random.next()), static_cast<unsigned char>(random.next()), 7}};
  } else if constexpr (std::is_same_v<T, Eight>) {
    Eight value{};
    for (int& word : value.words) word = static_cast<int>(random.below(10007));
    return value;
  } else if constexpr (std::is_same_v<T, __half>) {
    return __float2half(static_cast<float>(random.below(2001)) / 7.0F - 100.0F);
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto number = static_cast<T>(random.below(2001));
    return number < 400 ? (number < 200 ? T(0) : -T(0)) : (number - T(1000)) / T(3);
  } else {
    return static_cast<T>(random.next());
  }
}

/// A value type and an operator on it.
template <class Value, class Operator>
struct Case {
  using T = Value;
  using Op = Operator;
};

using SmallCases =
    std::tuple<Case<int, cg::plus<int>>, Case<unsigned char, cg::plus<unsigned char>>, Case<bool, cg::plus<bool>>,
               Case<unsigned, cg::bit_xor<unsigned>>, Case<long long, cg::less<long long>>,
               Case<float, cg::plus<float>>, Case<float, cg::less<float>>, Case<double, std::multiplies<double>>,
               Case<__half, cg::plus<__half>>, Case<int, Sum<int>>, Case<float, Lean>, Case<Affine, Compose>>;
using FewCases = std::tuple<Case<float, cg::less<float>>, Case<float, cg::plus<float>>, Case<Affine, Compose>>;
using LargeCases = std::tuple<Case<Three, Subtract>, Case<Eight, Mix>>;

template <class T>
using Results = model::Results<T>;
template <class T>
using Cells = model::Cells<T>;

/// Every call there is, by one thread of `group`; the cells are the group's.
template <class C, class Group>
Results<typename C::T> call_all(const Group& group, const typename C::T& value, Cells<typename C::T>& cells) {
  using T = typename C::T;
  typename C::Op op;
  Results<T> results{};
  results.reduced = cg::reduce(group, value, op);
  results.inclusive = cg::inclusive_scan(group, value, op);
  results.exclusive = cg::exclusive_scan(group, value, op);
  const ::cuda::atomic_ref<T, ::cuda::thread_scope_device> inclusive(cells.inclusive);
  const ::cuda::atomic_ref<T, ::cuda::thread_scope_device> exclusive(cells.exclusive);
  const ::cuda::atomic_ref<T, ::cuda::thread_scope_device> updated(cells.updated);
  results.inclusive_update = cg::inclusive_scan_update(group, inclusive, value, op);
  results.exclusive_update = cg::exclusive_scan_update(group, exclusive, value, op);
  cg::reduce_update_async(group, updated, value, op);
  cg::reduce_store_async(group, &cells.stored, value, op);
  return results;
}

template <class T>
bool same(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
}

template <class T>
bool all_same(const Results<T>& a, const Results<T>& b) {
  return same(a.reduced, b.reduced) && same(a.inclusive, b.inclusive) && same(a.exclusive, b.exclusive) &&
         same(a.inclusive_update, b.inclusive_update) && same(a.exclusive_update, b.exclusive_update);
}

template <class T>
bool all_same(const Cells<T>& a, const Cells<T>& b) {
  return same(a.inclusive, b.inclusive) && same(a.exclusive, b.exclusive) && same(a.updated, b.updated) &&
         same(a.stored, b.stored);
}

/// What the threads of a launch bring and get, and who of them returns at once.
template <class C>
struct Play {
  using T = typename C::T;

  std::vector<T> values;
  std::vector<Results<T>> results;
  std::vector<Cells<T>> cells;  // of as many groups as can be
  std::vector<Cells<T>> cells_before;
  std::vector<char> leaves;

  Play(std::size_t threads, base::Random& random, unsigned leavers_in_ten)
      : values(threads), results(threads), cells(threads), leaves(threads) {
    for (std::size_t i = 0; i < threads; ++i) values[i] = draw<T>(random);
    for (Cells<T>& cell : cells) {
      cell = {draw<T>(random), draw<T>(random), draw<T>(random), draw<T>(random)};
    }
    for (char& leaver : leaves) leaver = random.below(10) < leavers_in_ten ? 1 : 0;
    cells_before = cells;
  }

  /// Compares what `members` and their group got with what the model says.
  template <class Model>
  void check(const std::vector<std::size_t>& members, std::size_t group, Model&& model) {
    if (members.empty()) return;
    Cells<T> expected_cells = cells_before[group];
    const std::vector<Results<T>> expected = model(expected_cells);
    REQUIRE(expected.size() == members.size());
    for (std::size_t r = 0; r < members.size(); ++r) {
      if (!all_same(results[members[r]], expected[r])) {
        FAIL("thread " << members[r] << ", rank " << r << " of " << members.size() << ": reduce "
                       << same(results[members[r]].reduced, expected[r].reduced) << ", inclusive "
                       << same(results[members[r]].inclusive, expected[r].inclusive) << ", exclusive "
                       << same(results[members[r]].exclusive, expected[r].exclusive) << ", updates "
                       << same(results[members[r]].inclusive_update, expected[r].inclusive_update)
                       << same(results[members[r]].exclusive_update, expected[r].exclusive_update));
      }
    }
    CHECK(all_same(cells[group], expected_cells));
  }

  std::vector<T> brought(const std::vector<std::size_t>& members) const {
    std::vector<T> all;
    for (const std::size_t member : members) all.push_back(values[member]);
    return all;
  }

  /// Those of the threads first … first+count-1 that stay.
  std::vector<std::size_t> staying(std::size_t first, std::size_t count) const {
    std::vector<std::size_t> members;
    for (std::size_t i = first; i < std::min(first + count, values.size()); ++i) {
      if (leaves[i] == 0) members.push_back(i);
    }
    return members;
  }

  /// The same, cut into parts of 32 threads of which somebody stays.
  model::Parts<T> parts(std::size_t first, std::size_t count) const {
    model::Parts<T> cut;
    for (std::size_t part = 0; part < count; part += 32) {
      const auto members = staying(first + part, std::min<std::size_t>(32, count - part));
      if (!members.empty()) cut.push_back(brought(members));
    }
    return cut;
  }
};

}  // namespace warpfiber::test
