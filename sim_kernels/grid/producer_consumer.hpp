// SPDX-License-Identifier: Apache-2.0
// A persistent kernel: block 0, the master, hands out tasks through a bounded queue, all other blocks take one after
// the other until they are told to stop, and the master adds up what they made. All blocks have to be resident at once,
// so the launch is cooperative, though there is no grid barrier in it. The queue has one ticket a task: slot t % kSlots
// holds task t while its `turn` is t + 1 and is free for task t while its `turn` is t. Source: D. Vyukov, "Bounded MPMC
// queue", with a single producer.
#pragma once

#include "../cooperative_groups/tree_sum.hpp"
#include "strong_load.hpp"

namespace gallery {

/// slots[i].turn begins as i, next_ticket and finished as 0.
struct TaskQueue {
  static constexpr unsigned kSlots = 8;
  static constexpr unsigned kStop = ~0U;

  struct Slot {
    unsigned turn;
    unsigned task;
  };
  Slot slots[kSlots];
  unsigned next_ticket;
  unsigned finished;
};

/// Called by one thread, with consecutive tickets.
__device__ inline void put_task(TaskQueue* queue, unsigned ticket, unsigned task) {
  TaskQueue::Slot& slot = queue->slots[ticket % TaskQueue::kSlots];
  while (strong_load(&slot.turn) != ticket) __nanosleep(20);
  __threadfence();
  slot.task = task;
  __threadfence();
  atomicExch(&slot.turn, ticket + 1);
}

/// Called by one thread of a block; waits for a task.
__device__ inline unsigned take_task(TaskQueue* queue) {
  const unsigned ticket = atomicAdd(&queue->next_ticket, 1U);
  TaskQueue::Slot& slot = queue->slots[ticket % TaskQueue::kSlots];
  while (strong_load(&slot.turn) != ticket + 1) __nanosleep(20);
  __threadfence();
  const unsigned task = slot.task;
  __threadfence();
  atomicExch(&slot.turn, ticket + TaskQueue::kSlots);
  return task;
}

/// What a task is here: the sum of the numbers 1 to task + 1, by a whole block.
__device__ inline unsigned work_on(unsigned task, unsigned* scratch) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i <= task; i += blockDim.x) sum += i + 1;
  return tree_sum(BlockGroup{}, scratch, sum);
}

__device__ inline void consume(TaskQueue* queue, unsigned* results, unsigned* scratch) {
  WARPFIBER_SHARED(unsigned, taken);
  for (;;) {
    if (threadIdx.x == 0) taken = take_task(queue);
    __syncthreads();
    const unsigned task = taken;
    if (task == TaskQueue::kStop) return;
    const unsigned result = work_on(task, scratch);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    results[task] = result;
    __threadfence();
    atomicAdd(&queue->finished, 1U);
  }
}

__device__ inline void produce(TaskQueue* queue, unsigned tasks) {
  if (threadIdx.x == 0) {
    unsigned ticket = 0;
    for (unsigned task = 0; task < tasks; ++task) put_task(queue, ticket++, task);
    for (unsigned block = 1; block < gridDim.x; ++block) put_task(queue, ticket++, TaskQueue::kStop);
    while (strong_load(&queue->finished) != tasks) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

/// results[t] = result of task t, *total = their sum. The grid has at least two blocks.
static __global__ void producer_consumer(TaskQueue* queue, unsigned tasks, unsigned* results, unsigned* total) {
  WARPFIBER_SHARED(unsigned[kMostThreads], scratch);
  if (blockIdx.x != 0) {
    consume(queue, results, &scratch[0]);
    return;
  }
  produce(queue, tasks);
  unsigned sum = 0;
  for (unsigned task = threadIdx.x; task < tasks; task += blockDim.x) sum += results[task];
  sum = tree_sum(BlockGroup{}, &scratch[0], sum);
  if (threadIdx.x == 0) *total = sum;
}

}  // namespace gallery
