// SPDX-License-Identifier: Apache-2.0
//
// Pseudorandom generators are many streams, each with a subsequence of its own. They take turns; in a turn a stream
// makes one number, or as many as it makes together: two normal numbers, four numbers of Philox.
#include <warpfiber/cuda/curand/poisson.hpp>

#include <array>
#include <random>
#include <type_traits>
#include <vector>

#include "random/generator.hpp"
#include "random/poisson_tables.hpp"

namespace warpfiber::random {
namespace {

constexpr std::size_t kFewStreams = 4096;
template <class State>
constexpr std::size_t kStreams = kFewStreams;
template <>
constexpr std::size_t kStreams<curandStateMRG32k3a> = 81920;
template <>
constexpr std::size_t kStreams<curandStatePhilox4_32_10> = 65536;

// Seeds of streams differ by this where an ordering asks for seeds.
constexpr std::uint64_t kSeedStep = 3133713;

template <class State>
class StreamGenerator final : public NumberGenerator {
 public:
  explicit StreamGenerator(const GeneratorSettings& settings) : settings_(settings), streams_(streams_of(settings)) {
    rounds_ = settings.offset / kTogether / streams_;
    next_ = settings.offset / kTogether % streams_;
    used_ = settings.offset % kTogether;
    states_.reserve(streams_);
  }

  /// Turns count, as in cuRAND, although those of Philox are four numbers.
  std::uint64_t position() const override {
    return settings_.offset + rounds_ * streams_ + next_ - settings_.offset / kTogether;
  }

  void fill(void* to, std::size_t count, const Numbers& numbers) override {
    const auto mean = static_cast<float>(numbers.a);
    const auto deviation = static_cast<float>(numbers.b);
    switch (numbers.form) {
      case RandomForm::normal:
        return fill_normal(static_cast<float*>(to), count, [=](float x) { return fmaf(x, deviation, mean); });
      case RandomForm::log_normal:
        return fill_normal(static_cast<float*>(to), count, [=](float x) { return log_normal(x, mean, deviation); });
      case RandomForm::normal_double:
        return fill_normal(static_cast<double*>(to), count, [&](double x) { return fma(x, numbers.b, numbers.a); });
      case RandomForm::log_normal_double:
        return fill_normal(static_cast<double*>(to), count,
                           [&](double x) { return log_normal(x, numbers.a, numbers.b); });
      default: return fill_plain(to, count, numbers);
    }
  }

 private:
  static constexpr bool kFours = std::is_same_v<State, curandStatePhilox4_32_10>;
  static constexpr unsigned kTogether = kFours ? 4 : 1;

  static std::size_t streams_of(const GeneratorSettings& settings) {
    const bool few = settings.order == StreamOrder::legacy && std::is_same_v<State, curandStateMRG32k3a>;
    return few ? kFewStreams : kStreams<State>;
  }

  /// The stream whose turn it is. Streams are started when their first turn comes.
  State& current() {
    while (states_.size() <= next_) start(states_.size());
    return states_[next_];
  }

  /// Streams before the first one of an offset are a number further.
  void start(std::size_t stream) {
    State state;
    const std::size_t turn = settings_.offset / kTogether;
    const std::size_t round = turn / streams_ + (stream < turn % streams_ ? 1 : 0);
    if (stream == 0 || settings_.order == StreamOrder::seeded) {
      curand_init(settings_.seed + stream * kSeedStep, 0, 0, &state);
    } else {
      state = first_;
      next_subsequence(&state);
    }
    first_ = state;
    skipahead(round * kTogether, &state);
    states_.push_back(state);
  }
  static void next_subsequence(curandStateMRG32k3a* state) { skipahead_subsequence(1, state); }
  template <class Other>
  static void next_subsequence(Other* state) {
    skipahead_sequence(1, state);
  }

  /// A turn that is not used up is taken again by the next call, which leaves out what was used of it.
  template <unsigned kGroup, class Number, class Draw>
  void fill_groups(Number* to, std::size_t count, Draw draw) {
    for (std::size_t done = 0; done < count;) {
      State state = current();
      const std::array<Number, kGroup> group = draw(&state);
      for (; used_ < kGroup && done < count; ++used_, ++done) to[done] = group[used_];
      if (used_ < kGroup) return;
      used_ = 0;
      current() = state;
      if (++next_ < streams_) continue;
      next_ = 0;
      ++rounds_;
    }
  }

  template <class Of>
  void fill_normal(float* to, std::size_t count, Of of) {
    if constexpr (kFours) {
      fill_groups<4>(to, count, [=](State* state) {
        const float4 x = curand_normal4(state);
        return std::array{of(x.x), of(x.y), of(x.z), of(x.w)};
      });
    } else {
      fill_groups<2>(to, count, [=](State* state) {
        const float2 x = curand_normal2(state);
        return std::array{of(x.x), of(x.y)};
      });
    }
  }
  template <class Of>
  void fill_normal(double* to, std::size_t count, Of of) {
    if constexpr (kFours) {
      fill_groups<4>(to, count, [=](State* state) {
        const double2 a = curand_normal2_double(state);
        const double2 b = curand_normal2_double(state);
        return std::array{of(a.x), of(a.y), of(b.x), of(b.y)};
      });
    } else {
      fill_groups<2>(to, count, [=](State* state) {
        const double2 x = curand_normal2_double(state);
        return std::array{of(x.x), of(x.y)};
      });
    }
  }

  void fill_plain(void* to, std::size_t count, const Numbers& numbers) {
    if (numbers.form == RandomForm::bits) {
      fill_together(static_cast<unsigned*>(to), count, [](State* state) { return curand(state); });
    } else if (numbers.form == RandomForm::uniform) {
      fill_together(static_cast<float*>(to), count, [](State* state) { return curand_uniform(state); });
    } else if (numbers.form == RandomForm::poisson) {
      fill_counts(static_cast<unsigned*>(to), count, numbers.a);
    } else {
      fill_uniform_double(static_cast<double*>(to), count);
    }
  }
  template <class Number, class Draw>
  void fill_together(Number* to, std::size_t count, Draw draw) {
    fill_groups<kTogether>(to, count, [=](State* state) {
      std::array<Number, kTogether> group;
      for (Number& number : group) number = draw(state);
      return group;
    });
  }
  /// A number of Philox has 53 bits here, where curand_uniform_double has 32.
  void fill_uniform_double(double* to, std::size_t count) {
    if constexpr (kFours) {
      fill_groups<4>(to, count, [](State* state) {
        const double2 a = curand_uniform2_double(state);
        const double2 b = curand_uniform2_double(state);
        return std::array{a.x, a.y, b.x, b.y};
      });
    } else {
      fill_together(to, count, [](State* state) { return curand_uniform_double(state); });
    }
  }
  void fill_counts(unsigned* to, std::size_t count, double mean) {
    if (mean < kLeastWithoutTables) {
      const HistogramColumns columns = poisson_histogram(mean);
      const SquareHistogram histogram = columns.view();
      fill_together(to, count, [=](State* state) { return count_in(histogram, unit_double(curand(state))); });
    } else {
      const double deviation = sqrt(mean);
      fill_together(to, count, [=](State* state) { return rounded_count(curand_normal(state), mean, deviation); });
    }
  }

  GeneratorSettings settings_;
  std::size_t streams_;
  std::vector<State> states_;
  State first_{};  // of the stream that was started last, at its beginning
  std::uint64_t rounds_ = 0;
  std::size_t next_ = 0;
  std::size_t used_ = 0;  // numbers of the turn
};

/// One sequence, as std::mt19937 has it. NVIDIA's is cut into parts that take turns.
class MersenneGenerator final : public NumberGenerator {
 public:
  explicit MersenneGenerator(const GeneratorSettings& settings) : engine_(static_cast<std::uint32_t>(settings.seed)) {
    engine_.discard(settings.offset);
    made_ = settings.offset;
  }

  std::uint64_t position() const override { return made_; }

  void fill(void* to, std::size_t count, const Numbers& numbers) override {
    const auto mean = static_cast<float>(numbers.a);
    const auto deviation = static_cast<float>(numbers.b);
    switch (numbers.form) {
      case RandomForm::uniform: return fill_with<float>(to, count, unit);
      case RandomForm::uniform_double: return fill_with<double>(to, count, [](unsigned bits) { return between(bits); });
      case RandomForm::normal:
        return fill_with<float>(to, count, [=](unsigned bits) { return fmaf(inverse_normal(bits), deviation, mean); });
      case RandomForm::log_normal:
        return fill_with<float>(to, count,
                                [=](unsigned bits) { return log_normal(inverse_normal(bits), mean, deviation); });
      case RandomForm::normal_double:
        return fill_with<double>(to, count,
                                 [&](unsigned bits) { return fma(inverse_normal_double(bits), numbers.b, numbers.a); });
      case RandomForm::log_normal_double:
        return fill_with<double>(
            to, count, [&](unsigned bits) { return log_normal(inverse_normal_double(bits), numbers.a, numbers.b); });
      case RandomForm::poisson: return fill_counts(to, count, numbers.a);
      default: return fill_with<unsigned>(to, count, [](unsigned bits) { return bits; });
    }
  }

 private:
  template <class Number, class Of>
  void fill_with(void* to, std::size_t count, Of of) {
    for (std::size_t i = 0; i < count; ++i) static_cast<Number*>(to)[i] = of(static_cast<unsigned>(engine_()));
    made_ += count;
  }
  void fill_counts(void* to, std::size_t count, double mean) {
    if (mean < kLeastWithoutTables) {
      const HistogramColumns columns = poisson_histogram(mean);
      const SquareHistogram histogram = columns.view();
      fill_with<unsigned>(to, count, [=](unsigned bits) { return count_in(histogram, unit_double(bits)); });
    } else {
      const double deviation = sqrt(mean);
      fill_with<unsigned>(to, count,
                          [=](unsigned bits) { return rounded_count(inverse_normal(bits), mean, deviation); });
    }
  }

  std::mt19937 engine_;
  std::uint64_t made_ = 0;
};

}  // namespace

std::unique_ptr<NumberGenerator> make_pseudo_generator(const GeneratorSettings& settings) {
  switch (settings.method) {
    case Method::mt19937: return std::make_unique<MersenneGenerator>(settings);
    case Method::mrg32k3a: return std::make_unique<StreamGenerator<curandStateMRG32k3a>>(settings);
    case Method::philox: return std::make_unique<StreamGenerator<curandStatePhilox4_32_10>>(settings);
    default: return std::make_unique<StreamGenerator<curandStateXORWOW>>(settings);
  }
}

std::unique_ptr<NumberGenerator> make_generator(const GeneratorSettings& settings) {
  return is_quasi(settings.method) ? make_quasi_generator(settings) : make_pseudo_generator(settings);
}

}  // namespace warpfiber::random
