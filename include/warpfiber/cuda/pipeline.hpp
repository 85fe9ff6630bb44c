// SPDX-License-Identifier: Apache-2.0
// libcu++'s pipelines (libcu++ reference, "cuda::pipeline"): a ring of stages, each with a barrier for full
// and one for empty. Called by threads inside a kernel, in the order acquire, memcpy_async, commit for
// producers and wait, release for consumers. Sizes are libcu++'s. A thread that waits for a stage lets others run; a
// pipeline that can never continue is a deadlock whose report names both ends.
#pragma once

#include <warpfiber/cuda/atomic.hpp>
#include <warpfiber/cuda/memcpy_async.hpp>

#include <chrono>
#include <cstdint>

namespace warpfiber::cuda {

template <::cuda::thread_scope kScope>
struct PipelineStage {
  ::cuda::barrier<kScope> produced;
  ::cuda::barrier<kScope> consumed;
};

struct PipelineAccess;

}  // namespace warpfiber::cuda

namespace cuda {

/// What the threads of a pipeline share; in shared memory for the scope of a block.
template <thread_scope kScope, ::std::uint8_t kStages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

 private:
  friend warpfiber::cuda::PipelineAccess;

  warpfiber::cuda::PipelineStage<kScope> stages_[kStages];
  atomic<::std::uint32_t, kScope> members_;
};

/// One thread's end of a pipeline; made by make_pipeline().
template <thread_scope kScope>
class pipeline {
 public:
  pipeline(pipeline&& other) noexcept
      : stages_(other.stages_),
        members_(other.members_),
        count_(other.count_),
        head_(other.head_),
        tail_(other.tail_),
        consumed_parity_(other.consumed_parity_),
        produced_parity_(other.produced_parity_),
        active_(other.active_) {
    other.active_ = false;
  }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  ~pipeline() {
    if (active_) quit();
  }

  /// Leaves the pipeline; true in the thread that leaves last.
  bool quit(warpfiber::Site site = warpfiber::Site::here()) {
    active_ = false;
    return members_->fetch_sub(1, memory_order_acq_rel, site) == 1;
  }

  /// Waits until the next stage to fill is empty.
  void producer_acquire(warpfiber::Site site = warpfiber::Site::here()) {
    stages_[head_].consumed.wait_for_parity(consumed_parity_, "cuda::pipeline::producer_acquire()", site);
  }
  /// The stage is full when every producer has committed it.
  void producer_commit(warpfiber::Site site = warpfiber::Site::here()) {
    warpfiber::detail::bind_copies(stages_[head_].produced.checked_word());
    warpfiber::detail::commit_copies(site);
    stages_[head_].produced.arrive_from("cuda::pipeline::producer_commit()", site);
    if (++head_ != count_) return;
    head_ = 0;
    consumed_parity_ = !consumed_parity_;
  }
  /// Waits until the next stage to drain is full.
  void consumer_wait(warpfiber::Site site = warpfiber::Site::here()) {
    stages_[tail_].produced.wait_for_parity(produced_parity_, "cuda::pipeline::consumer_wait()", site);
  }
  /// The stage is empty when every consumer has released it.
  void consumer_release(warpfiber::Site site = warpfiber::Site::here()) {
    stages_[tail_].consumed.arrive_from("cuda::pipeline::consumer_release()", site);
    if (++tail_ != count_) return;
    tail_ = 0;
    produced_parity_ = !produced_parity_;
  }
  template <class Rep, class Period>
  bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>& duration,
                         warpfiber::Site site = warpfiber::Site::here()) {
    return stages_[tail_].produced.try_wait_parity_for(produced_parity_, duration, site);
  }
  template <class Clock, class Duration>
  bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration>& time,
                           warpfiber::Site site = warpfiber::Site::here()) {
    return consumer_wait_for(time - Clock::now(), site);
  }

 private:
  friend warpfiber::cuda::PipelineAccess;

  pipeline(warpfiber::cuda::PipelineStage<kScope>* stages, atomic<::std::uint32_t, kScope>* members,
           ::std::uint8_t count)
      : stages_(stages), members_(members), count_(count) {}

  warpfiber::cuda::PipelineStage<kScope>* stages_;
  atomic<::std::uint32_t, kScope>* members_;
  ::std::uint8_t count_;
  ::std::uint8_t head_ = 0;
  ::std::uint8_t tail_ = 0;
  bool consumed_parity_ = true;  // of the phase before the first: every stage begins empty
  bool produced_parity_ = false;
  bool active_ = true;
};

/// The pipeline of a single thread: batches of its own copies, waited for in order.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  bool quit() { return true; }
  void producer_acquire() {}
  void producer_commit(warpfiber::Site site = warpfiber::Site::here()) {
    warpfiber::detail::commit_copies(site);
    ++head_;
  }
  /// Waits for the oldest batch that has not been waited for; without one it returns.
  void consumer_wait(warpfiber::Site site = warpfiber::Site::here()) {
    if (head_ == tail_) return;
    warpfiber::detail::wait_for_copies(static_cast<::std::uint8_t>(head_ - tail_ - 1), site);
    ++tail_;
  }
  void consumer_release() {}
  template <class Rep, class Period>
  bool consumer_wait_for(const ::std::chrono::duration<Rep, Period>&, warpfiber::Site site = warpfiber::Site::here()) {
    return consumer_wait(site), true;
  }
  template <class Clock, class Duration>
  bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration>&,
                           warpfiber::Site site = warpfiber::Site::here()) {
    return consumer_wait(site), true;
  }

 private:
  friend warpfiber::cuda::PipelineAccess;

  pipeline() = default;

  ::std::uint8_t head_ = 0;  // batches committed
  ::std::uint8_t tail_ = 0;  // and waited for
};

}  // namespace cuda

namespace warpfiber::cuda {

struct PipelineAccess {
  template <class Group, ::cuda::thread_scope kScope, ::std::uint8_t kStages>
  static ::cuda::pipeline<kScope> make(const Group& group, ::cuda::pipeline_shared_state<kScope, kStages>* state,
                                       ::std::size_t producers, ::std::size_t consumers, Site site) {
    if (group.thread_rank() == 0) {
      for (auto& stage : state->stages_) {
        stage.produced.start(static_cast<::std::ptrdiff_t>(producers), site);
        stage.consumed.start(static_cast<::std::ptrdiff_t>(consumers), site);
      }
      state->members_.store(static_cast<::std::uint32_t>(group.size()), ::std::memory_order_relaxed, site);
    }
    warpfiber::detail::sync_group(group, site);
    return {state->stages_, &state->members_, kStages};
  }

  /// How many threads of the group are producers.
  template <class Group, ::cuda::thread_scope kScope, ::std::uint8_t kStages>
  static ::std::size_t count(const Group& group, ::cuda::pipeline_shared_state<kScope, kStages>* state, bool counts,
                             Site site) {
    if (group.thread_rank() == 0) state->members_.store(0, ::std::memory_order_relaxed, site);
    warpfiber::detail::sync_group(group, site);
    if (counts) state->members_.fetch_add(1, ::std::memory_order_relaxed, site);
    warpfiber::detail::sync_group(group, site);
    const ::std::size_t counted = state->members_.load(::std::memory_order_relaxed, site);
    warpfiber::detail::sync_group(group, site);
    return counted;
  }

  static ::cuda::pipeline<::cuda::thread_scope_thread> make() { return {}; }

  static void wait_prior(::cuda::pipeline<::cuda::thread_scope_thread>& of, ::std::uint8_t but, Site site) {
    warpfiber::detail::wait_for_copies(but, site);
    of.tail_ = static_cast<::std::uint8_t>(of.head_ - but);
  }
};

}  // namespace warpfiber::cuda

namespace cuda {

/// All threads of `group` call it; each is producer and consumer.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
inline pipeline<kScope> make_pipeline(const Group& group, pipeline_shared_state<kScope, kStages>* state,
                                      warpfiber::Site site = warpfiber::Site::here()) {
  const auto size = static_cast<::std::size_t>(group.size());
  return warpfiber::cuda::PipelineAccess::make(group, state, size, size, site);
}

/// The same with `producers` threads of the group producers and the others consumers.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
inline pipeline<kScope> make_pipeline(const Group& group, pipeline_shared_state<kScope, kStages>* state,
                                      ::std::size_t producers, warpfiber::Site site = warpfiber::Site::here()) {
  const auto size = static_cast<::std::size_t>(group.size());
  if (producers > size) {
    warpfiber::detail::misuse(site, "cuda::make_pipeline()", warpfiber::detail::GroupMisuse::producers_exceed_group);
  }
  return warpfiber::cuda::PipelineAccess::make(group, state, producers, size - producers, site);
}

/// The same, with each thread's role given by itself.
template <class Group, thread_scope kScope, ::std::uint8_t kStages>
inline pipeline<kScope> make_pipeline(const Group& group, pipeline_shared_state<kScope, kStages>* state,
                                      pipeline_role role, warpfiber::Site site = warpfiber::Site::here()) {
  using warpfiber::cuda::PipelineAccess;
  const ::std::size_t producers = PipelineAccess::count(group, state, role == pipeline_role::producer, site);
  return PipelineAccess::make(group, state, producers, static_cast<::std::size_t>(group.size()) - producers, site);
}

/// A pipeline for the calling thread alone.
inline pipeline<thread_scope_thread> make_pipeline() {
  return warpfiber::cuda::PipelineAccess::make();
}

/// Waits for all batches of the pipeline but the last `kPrior`.
template <::std::uint8_t kPrior>
inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& of,
                                         warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::cuda::PipelineAccess::wait_prior(of, kPrior, site);
}

/// The barrier's phase waits for the copies of the calling thread so far.
template <thread_scope kScope>
inline void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<kScope>& end,
                                     warpfiber::Site site = warpfiber::Site::here()) {
  end.check("cuda::pipeline_producer_commit()", site);
  warpfiber::detail::bind_all_copies(end.checked_word());
  warpfiber::detail::commit_copies(site);
}

}  // namespace cuda
