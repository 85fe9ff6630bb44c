// SPDX-License-Identifier: Apache-2.0
//
// Each executor (host/executors.hpp) runs the first operation of a ready stream without the mutex, then completes what
// that makes ready.
#include "streams/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <new>
#include <optional>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/spin_wait.hpp"
#include "base/thread_modes.hpp"
#include "engine/run.hpp"
#include "engine/sharing/device_share.hpp"
#include "launches/host/host_threads.hpp"
#include "memory/host/device_use.hpp"
#include "process/errors.hpp"
#include "process/host_thread.hpp"
#include "process/settings/waiting.hpp"
#include "streams/host/executors.hpp"
#include "streams/host/host_function_watch.hpp"
#include "streams/kernel_operation.hpp"
#include "streams/launched_work.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/stream_events.hpp"
#include "streams/waits/late_starts.hpp"

namespace warpfiber::streams {
class Scheduler {
 public:
  Scheduler() = default;
  /// Of a reset: the process itself keeps its scheduler.
  ~Scheduler() { end(); }
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  static Scheduler& of_process() { return StreamsState::of_process().scheduler.get(); }

  bool append(const std::shared_ptr<Stream>& stream, QueuedOperation operation, StreamPos* mark) {
    base::lock_soon(queues_mutex());
    const base::Lock lock(queues_mutex(), std::adopt_lock);
    if (executors_.are_dismissed()) return false;
    ++stream->submitted;
    if (takes_no_time(operation.work) && stream->queue.empty() && is_over(operation.after)) {
      carry_out(*stream, operation);
      stream->completed.fetch_add(1, std::memory_order_release);
      if (mark != nullptr) *mark = StreamPos{stream, stream->submitted, {}};
      return true;
    }
    if (!takes_no_time(operation.work) && starts_late(++submissions_)) operation.held = submissions_;
    held_ = held_ || operation.held != 0;
    memory::begin_device_use();
    stream->queue.push_back(std::move(operation));
    if (mark != nullptr) *mark = StreamPos{stream, stream->submitted, {}};
    list(stream);
    refresh();
    if (held_) employ(1);
    return true;
  }

  bool demand_complete(const StreamPos& mark) {
    const engine::GivesBackHandlers at_the_end;
    if (is_complete(mark)) return true;
    const base::Lock lock(queues_mutex());
    demand(mark);
    // A program that asks again and again waits.
    if (!is_complete(mark) && executors_.are_short() && !ready_.empty()) work_meanwhile();
    return is_complete(mark);
  }

  void wait_for(const StreamPos& mark) {
    const engine::GivesBackHandlers at_the_end;
    if (is_complete(mark)) return;
    base::lock_soon(queues_mutex());
    const base::Lock lock(queues_mutex(), std::adopt_lock);
    demand(mark);
    if (is_complete(mark)) return;
    // Whoever looks at the waiting threads does so under the mutex, so one whose time has come is never taken for
    // blocked.
    launches::know_host_thread();
    launches::host_is_blocked(true);
    waiting_.push_back({&mark, process::user_call()});
    {
      const base::Unlocked meanwhile(queues_mutex());
      engine::reconsider_launches();
    }
    work_until(mark);
    std::erase_if(waiting_, [&mark](const Waiting& one) { return one.mark == &mark; });
    launches::host_is_blocked(false);
  }

  void finish(const std::vector<StreamPos>& marks) {
    const launches::OwnThread own;
    launches::host_is_blocked(true);
    launches::process_is_ending(true);
    {
      const base::Lock lock(queues_mutex());
      leaving_ = inside_host_function() ? 1 : 0;
      release_held();
      {
        const base::Unlocked meanwhile(queues_mutex());
        engine::reconsider_launches();
      }
      await_others(marks);
      leaving_ = 0;
    }
    launches::process_is_ending(false);
    launches::host_is_blocked(false);
  }

  std::vector<record::OperationFacts> kernels_left(const Stream& stream) {
    const base::Lock lock(queues_mutex());
    std::vector<record::OperationFacts> left;
    for (const QueuedOperation& operation : stream.queue) {
      if (operation.what.kind == record::OperationKind::kernel) left.push_back(operation.what);
    }
    return left;
  }

  StreamPos end_of(const std::shared_ptr<Stream>& stream) {
    const base::Lock lock(queues_mutex());
    return StreamPos{stream, stream->submitted, {}};
  }

  bool work_can_go_on(unsigned launches) {
    const base::Lock lock(queues_mutex());
    // Host functions are judged as the program's other threads are.
    if (others_running_ > host_functions_.running() || !ready_.empty() || kernels_running_ > launches) return true;
    if (std::ranges::any_of(waiting_, [](const Waiting& one) { return is_complete(*one.mark); })) return true;
    return release_held();
  }

  void watch_host_functions(HostFunctionWatch::Leave leave) {
    host_functions_.start([this] { return waits_for_host_functions(); }, leave);
  }

  bool ended() const { return executors_.are_dismissed(); }

  /// Throws away what has not started, ends what runs, and waits for the threads.
  void end() {
    {
      const base::Lock lock(queues_mutex());
      executors_.dismiss();
      for (const auto& stream : listed_) discard(*stream);
      for (const auto& stream : ready_) discard(*stream);
      ready_.clear();
    }
    host_functions_.stop();
    engine::cancel_launches(-1);
    executors_.join();
  }

  static bool is_complete(const StreamPos& mark) {
    return mark.stream == nullptr || mark.stream->completed.load(std::memory_order_acquire) >= mark.ticket;
  }

 private:
  /// A thread of the program, and its call.
  struct Waiting {
    const StreamPos* mark;
    process::UserCall call;
  };

  /// Returns when finish() does.
  void await_others(const std::vector<StreamPos>& marks) WARPFIBER_REQUIRES(queues_mutex()) {
    while (!is_finished(marks)) {
      if (executors_.are_short() && !ready_.empty()) {
        run_one_as_host(ready_.begin());
        continue;
      }
      const std::uint64_t before = completions_;
      const unsigned watchdog = process::wait_settings().watchdog_seconds;
      if (watchdog == 0) {
        finished_one_.wait(queues_mutex());
      } else if (finished_one_.wait_for(queues_mutex(), std::chrono::seconds(watchdog)) == std::cv_status::timeout) {
        // Kernels are judged by themselves; nobody judges functions of the program.
        if (kernels_running_ == 0 && completions_ == before) break;
      }
    }
  }

  /// Operations that lead to `mark` must not be held any longer.
  void demand(const StreamPos& mark) WARPFIBER_REQUIRES(queues_mutex()) {
    if (!held_) return;
    demand_all(mark);
    refresh();
  }

  void demand_all(const StreamPos& mark) WARPFIBER_REQUIRES(queues_mutex()) {
    if (is_complete(mark) || mark.stream->demanded >= mark.ticket) return;
    Stream& stream = *mark.stream;
    const std::uint64_t before = std::max(stream.demanded, stream.completed.load());
    stream.demanded = mark.ticket;
    for (std::uint64_t ticket = before + 1; ticket <= mark.ticket; ++ticket) {
      for (const StreamPos& earlier : stream.queue[ticket - stream.completed - 1].after) demand_all(earlier);
    }
  }

  /// Nothing that there is now is held any longer, be it at the head of its stream or behind work that runs. True if
  /// some of it can start.
  bool release_held() WARPFIBER_REQUIRES(queues_mutex()) {
    if (!held_) return false;
    held_ = false;
    released_ = submissions_;
    const std::size_t before = ready_.size();
    refresh();
    return ready_.size() > before;
  }

  void list(const std::shared_ptr<Stream>& stream) WARPFIBER_REQUIRES(queues_mutex()) {
    if (stream->listed || stream->active) return;
    stream->listed = true;
    listed_.push_back(stream);
  }

  bool can_start(const Stream& stream) const WARPFIBER_REQUIRES(queues_mutex()) {
    const QueuedOperation& first = stream.queue.front();
    if (first.held > released_ && stream.demanded <= stream.completed) return false;
    return is_over(first.after);
  }

  static bool is_over(const std::vector<StreamPos>& marks) {
    return std::all_of(marks.begin(), marks.end(), is_complete);
  }

  /// Carries out what takes no time and whose turn has come, and finds out whose work can start.
  void refresh() WARPFIBER_REQUIRES(queues_mutex()) {
    const std::size_t before = ready_.size();
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < listed_.size();) {
        const std::shared_ptr<Stream> stream = listed_[i];
        while (!stream->queue.empty() && takes_no_time(stream->queue.front().work) && can_start(*stream)) {
          carry_out(*stream, stream->queue.front());
          complete_first(*stream);
          again = true;
        }
        const bool ready = !stream->queue.empty() && can_start(*stream);
        if (ready) ready_.push_back(stream);
        if (ready || stream->queue.empty()) {
          stream->listed = ready;
          listed_[i] = listed_.back();
          listed_.pop_back();
        } else {
          ++i;
        }
      }
    }
    if (ready_.size() == before) return;
    arrivals_.fetch_add(1);
    employ(ready_.size());
  }

  /// What keeps the next operation of a stream from being done.
  static Error error_before(const Stream& stream) {
    const Error error = process::device_error(stream.device);
    return error != Error::success ? error : stream.failure.error();
  }

  /// Where the host has no memory for the operation, the device has that error.
  static Error carry_out(Stream& stream, const QueuedOperation& operation) {
    const Error before = error_before(stream);
    try {
      if (are_streams_observed()) return run_observed(stream, *operation.task, before);
      return streams::carry_out(stream, *operation.task, before);
    } catch (const std::bad_alloc&) {
      return Error::memory_allocation;
    }
  }

  Error run_host_function(Stream& stream, const QueuedOperation& operation) {
    const engine::RunsHostFunction with_signals_of_the_program;
    const launches::InProgramCode counts_as_thread_of_program;
    const record::OperationFacts function = operation.what;
    host_functions_.begin(function);
    process::HostThreadState::of_caller().runs_host_function = true;
    const Error error = carry_out(stream, operation);
    process::HostThreadState::of_caller().runs_host_function = false;
    if (!base::is_forked_child()) host_functions_.end(function);
    // The host function has called fork() and returned in the child, where nothing waits for it.
    if (base::is_forked_child()) std::exit(0);
    return error;
  }

  std::optional<std::vector<process::UserCall>> waits_for_host_functions() {
    if (work_can_go_on(0)) return std::nullopt;
    const base::Lock lock(queues_mutex());
    std::vector<process::UserCall> calls;
    for (const Waiting& one : waiting_) calls.push_back(one.call);
    return calls;
  }

  bool is_finished(const std::vector<StreamPos>& marks) const WARPFIBER_REQUIRES(queues_mutex()) {
    if (is_over(marks)) return true;
    if (!ready_.empty() || kernels_running_ != 0) return false;
    return others_running_ == (host_functions_.are_dead() ? host_functions_.running() : leaving_);
  }

  void complete_first(Stream& stream) WARPFIBER_REQUIRES(queues_mutex()) {
    stream.queue.pop_front();
    memory::end_device_use();
    stream.completed.fetch_add(1, std::memory_order_release);
    const auto waits_no_longer = [&](const Waiting& one) {
      return one.mark->stream.get() == &stream && is_complete(*one.mark);
    };
    if (std::ranges::any_of(waiting_, waits_no_longer)) stream.changed.notify_all();
  }

  /// Sees to it that so many threads look for work.
  void employ(std::size_t needed) WARPFIBER_REQUIRES(queues_mutex()) {
    if (executors_.employ(needed)) return;
    for (const Waiting& one : waiting_) one.mark->stream->changed.notify_all();
  }

  /// The calling thread leaves what is ready to others.
  void stop_looking() WARPFIBER_REQUIRES(queues_mutex()) {
    executors_.end_looking();
    employ(ready_.size());
  }

  using Ready = std::vector<std::shared_ptr<Stream>>;

  /// What a thread that waits for `mark` does meanwhile: the work of that stream, and where threads are missing, any.
  Ready::iterator work_of_waiting(const StreamPos& mark) WARPFIBER_REQUIRES(queues_mutex()) {
    const auto own = std::find(ready_.begin(), ready_.end(), mark.stream);
    if (own != ready_.end() && mark.stream->queue.front().work != Work::host_function) return own;
    return executors_.are_short() ? ready_.begin() : ready_.end();
  }

  void work_meanwhile() WARPFIBER_REQUIRES(queues_mutex()) {
    launches::know_host_thread();
    launches::host_is_blocked(true);
    run_one_as_host(ready_.begin());
    launches::host_is_blocked(false);
  }

  void run_one_as_host(Ready::iterator which) WARPFIBER_REQUIRES(queues_mutex()) {
    executors_.begin_looking();
    run_ready(which);
    stop_looking();
  }

  /// Returns when the place has been reached, and does what it can for that meanwhile.
  void work_until(const StreamPos& mark) WARPFIBER_REQUIRES(queues_mutex()) {
    executors_.begin_looking();
    KernelSeries series;
    while (!is_complete(mark)) {
      const auto next = work_of_waiting(mark);
      if (next != ready_.end()) {
        series.prepare_for((*next)->queue.front().work == Work::kernel);
        run_ready(next);
        continue;
      }
      stop_looking();
      const bool runs_elsewhere = mark.stream->active;
      bool soon = false;
      {
        const base::BrieflyUnlocked meanwhile(queues_mutex());
        series.end();
        soon = runs_elsewhere && base::spin_until([&mark] { return is_complete(mark); });
      }
      // What became ready meanwhile is looked at before sleeping: nobody notifies those that do not sleep.
      if (!soon && work_of_waiting(mark) == ready_.end() && !is_complete(mark))
        mark.stream->changed.wait(queues_mutex());
      executors_.begin_looking();
    }
    stop_looking();
  }

  void run_ready(Ready::iterator which) WARPFIBER_REQUIRES(queues_mutex()) {
    const std::shared_ptr<Stream> stream = *which;
    ready_.erase(which);
    run_first(stream);
  }

  void serve(Executor& executor) {
    const launches::OwnThread own;
    KernelSeries series;
    const base::Lock lock(queues_mutex());
    while (find_work(series)) {
      const auto first = std::min_element(ready_.begin(), ready_.end(),
                                          [](const auto& a, const auto& b) { return a->priority < b->priority; });
      const std::shared_ptr<Stream> stream = *first;
      ready_.erase(first);
      executor.in_host_function.store(stream->queue.front().work == Work::host_function);
      series.prepare_for(stream->queue.front().work == Work::kernel);
      const base::DeviceFloats not_those_of_a_host_thread;
      run_first(stream);
      executor.in_host_function.store(false);
    }
  }

  /// Waits until some work is ready; false at the end of the process.
  bool find_work(KernelSeries& series) WARPFIBER_REQUIRES(queues_mutex()) {
    while (ready_.empty()) {
      if (executors_.are_dismissed()) return false;
      const std::uint64_t seen = arrivals_.load();
      bool soon = false;
      {
        const base::BrieflyUnlocked meanwhile(queues_mutex());
        soon = base::spin_until([&] { return arrivals_.load() != seen || executors_.are_dismissed(); });
        if (!soon) series.end();
      }
      if (!soon && ready_.empty() && !executors_.are_dismissed()) sleep();
    }
    return true;
  }

  /// Until there may be work.
  void sleep() WARPFIBER_REQUIRES(queues_mutex()) {
    const Silence silence;
    const std::uint64_t seen = submissions_;
    while (!executors_.sleep(held_ ? std::optional(kLongestHold) : std::nullopt)) {
      if (seen != submissions_ || !ready_.empty()) return;
      if (silence.is_long()) return static_cast<void>(release_held());
    }
  }

  /// Runs the first operation of a stream that is not among the ready ones any more. The calling thread looks for work
  /// before and after that.
  void run_first(const std::shared_ptr<Stream>& stream) WARPFIBER_REQUIRES(queues_mutex()) {
    executors_.end_looking();
    QueuedOperation& operation = stream->queue.front();
    unsigned& running = operation.work == Work::kernel ? kernels_running_ : others_running_;
    ++running;
    stream->active = true;
    stream->listed = false;
    {
      const base::BrieflyUnlocked meanwhile(queues_mutex());
      const Error error =
          operation.work == Work::host_function ? run_host_function(*stream, operation) : carry_out(*stream, operation);
      operation.task.reset();
      process::report_device_error(stream->device, error);
      if (process::device_error(stream->device) != Error::success) engine::cancel_launches(stream->device);
    }
    executors_.begin_looking();
    --running;
    ++completions_;
    stream->active = false;
    complete_first(*stream);
    finished_one_.notify_all();
    if (executors_.are_dismissed()) {
      discard(*stream);
      return;
    }
    if (!stream->queue.empty()) list(stream);
    refresh();
  }

  static void discard(Stream& stream) WARPFIBER_REQUIRES(queues_mutex()) {
    while (stream.queue.size() > (stream.active ? 1U : 0U)) {
      stream.queue.pop_back();
      memory::end_device_use();
      ++stream.completed;
    }
    stream.changed.notify_all();
  }

  base::Condition finished_one_;                                                      // for whoever ends the process
  std::vector<std::shared_ptr<Stream>> listed_ WARPFIBER_GUARDED_BY(queues_mutex());  // have work that has not started
  Ready ready_ WARPFIBER_GUARDED_BY(queues_mutex());  // have work that can start, in the order of becoming so
  std::vector<Waiting> waiting_ WARPFIBER_GUARDED_BY(queues_mutex());
  HostFunctionWatch host_functions_;
  Executors executors_{end_streams_at_exit, [this](Executor& executor) { serve(executor); }};
  std::atomic<std::uint64_t> arrivals_{0};  // written under the mutex: changes when some work gets ready
  unsigned kernels_running_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;
  unsigned others_running_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;
  unsigned leaving_ WARPFIBER_GUARDED_BY(queues_mutex()) =
      0;  // of others_running_: is about to end the process, and does nothing else
  std::uint64_t completions_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;
  std::uint64_t submissions_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;
  std::uint64_t released_ WARPFIBER_GUARDED_BY(queues_mutex()) =
      0;  // operations up to this number are not held, whatever they say
  bool held_ WARPFIBER_GUARDED_BY(queues_mutex()) = false;  // some operation may be
};

bool append(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task, std::vector<StreamPos> after,
            StreamPos* mark) {
  const record::OperationFacts what = describe(*task);
  const Work work = work_of(task->operation);
  return Scheduler::of_process().append(stream, QueuedOperation{work, 0, std::move(task), std::move(after), what},
                                        mark);
}

bool is_complete(const StreamPos& mark) {
  return Scheduler::is_complete(mark);
}

bool demand_complete(const StreamPos& mark) {
  return Scheduler::of_process().demand_complete(mark);
}

void wait_for(const StreamPos& mark) {
  Scheduler::of_process().wait_for(mark);
}

void finish(const std::vector<StreamPos>& marks) {
  Scheduler::of_process().finish(marks);
}

std::vector<record::OperationFacts> kernels_left(const Stream& stream) {
  return Scheduler::of_process().kernels_left(stream);
}

StreamPos end_of(const std::shared_ptr<Stream>& stream) {
  return Scheduler::of_process().end_of(stream);
}

bool work_can_go_on(unsigned launches) {
  return Scheduler::of_process().work_can_go_on(launches);
}

void watch_host_functions(void (*end)(record::Finding finding)) {
  Scheduler::of_process().watch_host_functions(end);
}

bool inside_host_function() {
  return process::HostThreadState::of_caller().runs_host_function;
}

void end_streams_at_exit() {
  struct Guard {
    Guard() { engine::keep_team(); }
    ~Guard() {
      if (base::is_forked_child()) return;
      judge_launched_work();
      Scheduler::of_process().end();
    }
  };
  static const Guard guard;
  static_cast<void>(guard);
}

bool streams_have_ended() {
  return Scheduler::of_process().ended();
}

}  // namespace warpfiber::streams
