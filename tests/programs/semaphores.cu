// SPDX-License-Identifier: Apache-2.0
//
// Latches and semaphores: a start that all threads wait for, rooms with few places, a bounded buffer between blocks, and
// a host that lets a kernel go on.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/latch>

#include "common.h"

using Latch = cuda::latch<cuda::thread_scope_device>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device>;
using Binary = cuda::binary_semaphore<cuda::thread_scope_device>;

struct Shared {
    Latch ready;
    Latch done;
    Semaphore places;
    Binary door;
    cuda::atomic<int, cuda::thread_scope_device> inside, most;
    int behind_door;
    int result;

    __device__ Shared(int blocks, int count) : ready(blocks), done(blocks), places(count), door(1), inside(0), most(0), behind_door(0), result(0) {}
};

__global__ void make(Shared *shared, int blocks, int places)
{
    new (shared) Shared(blocks, places);
}

__global__ void visit(Shared *shared, int *order)
{
    if (threadIdx.x != 0) return;
    order[blockIdx.x] = blockIdx.x + 1;
    shared->ready.arrive_and_wait();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += order[i];
    shared->places.acquire();
    const int now = ++shared->inside;
    shared->most.fetch_max(now);
    while (!shared->door.try_acquire()) {
    }
    shared->behind_door += sum;
    shared->door.release();
    --shared->inside;
    shared->places.release();
    shared->done.count_down();
    if (blockIdx.x == 0) {
        shared->done.wait();
        shared->result = shared->behind_door;
    }
}

bool check_rooms()
{
    const int blocks = 10, places = 3;
    Shared *shared = reinterpret_cast<Shared *>(device_zeros<char>(sizeof(Shared)));
    int *order = device_zeros<int>(blocks);
    make<<<1, 1>>>(shared, blocks, places);
    visit<<<blocks, 32>>>(shared, order);
    CHECK(cudaGetLastError());
    std::vector<char> raw(sizeof(Shared));
    CHECK(cudaMemcpy(raw.data(), shared, sizeof(Shared), cudaMemcpyDeviceToHost));
    const Shared &after = *reinterpret_cast<const Shared *>(raw.data());
    const bool passed = after.result == blocks * (blocks * (blocks + 1) / 2) && after.most <= places && after.most >= 1;
    CHECK(cudaFree(shared));
    CHECK(cudaFree(order));
    if (!passed) printf("rooms: %d, %d\n", after.result, (int)after.most);
    return passed;
}

// Blocks of one kind produce into a ring, blocks of the other consume from it.
struct Ring {
    static constexpr int kPlaces = 4;
    Semaphore free, filled;
    Binary head_lock, tail_lock;
    int head, tail;
    int value[kPlaces];

    __device__ Ring() : free(kPlaces), filled(0), head_lock(1), tail_lock(1), head(0), tail(0) {}
};

__global__ void make_ring(Ring *ring)
{
    new (ring) Ring();
}

__global__ void produce_and_consume(Ring *ring, int items, unsigned long long *sums)
{
    if (threadIdx.x != 0) return;
    const bool producer = blockIdx.x % 2 == 0;
    for (int i = 0; i < items; ++i) {
        if (producer) {
            const int value = blockIdx.x * 1000 + i;
            ring->free.acquire();
            ring->head_lock.acquire();
            ring->value[ring->head] = value;
            ring->head = (ring->head + 1) % Ring::kPlaces;
            ring->filled.release();
            ring->head_lock.release();
            atomicAdd(&sums[0], (unsigned long long)value);
        } else {
            ring->filled.acquire();
            ring->tail_lock.acquire();
            const int value = ring->value[ring->tail];
            ring->tail = (ring->tail + 1) % Ring::kPlaces;
            ring->tail_lock.release();
            ring->free.release();
            atomicAdd(&sums[1], (unsigned long long)value);
        }
    }
}

bool check_ring()
{
    const int pairs = 3, items = 20;
    Ring *ring = reinterpret_cast<Ring *>(device_zeros<char>(sizeof(Ring)));
    unsigned long long *sums = device_zeros<unsigned long long>(2);
    make_ring<<<1, 1>>>(ring);
    produce_and_consume<<<2 * pairs, 32>>>(ring, items, sums);
    CHECK(cudaGetLastError());
    unsigned long long want = 0;
    for (int pair = 0; pair < pairs; ++pair)
        for (int i = 0; i < items; ++i) want += 2 * pair * 1000 + i;
    const bool passed = same("ring", host_copy(sums, 2), std::vector<unsigned long long>(2, want));
    CHECK(cudaFree(ring));
    CHECK(cudaFree(sums));
    return passed;
}

// The host releases what the kernel waits for.
struct Gate {
    cuda::counting_semaphore<cuda::thread_scope_system> tickets;
    cuda::latch<cuda::thread_scope_system> through;
    Gate() : tickets(0), through(4) {}
};

__global__ void pass_gate(Gate *gate, int *passed)
{
    gate->tickets.acquire();
    atomicAdd(passed, (int)threadIdx.x + 1);
    gate->through.count_down();
}

bool check_gate()
{
    Gate *gate;
    CHECK(cudaMallocHost(&gate, sizeof *gate));
    new (gate) Gate();
    int *passed = device_zeros<int>(1);
    pass_gate<<<1, 4>>>(gate, passed);
    CHECK(cudaGetLastError());
    gate->tickets.release();
    gate->tickets.release(3);
    gate->through.wait();
    CHECK(cudaDeviceSynchronize());
    const bool right = expect(host_copy(passed, 1)[0] == 10, "four threads passed the gate");
    CHECK(cudaFreeHost(gate));
    CHECK(cudaFree(passed));
    return right;
}

int main()
{
    bool passed = expect(sizeof(Latch) == 8 && sizeof(Semaphore) == 8 && sizeof(Binary) == 4, "sizes of libcu++");
    cuda::std::latch latch(2);
    latch.count_down(2);
    passed &= expect(latch.try_wait(), "a latch of two that is counted down by two is open");
    passed &= check_rooms();
    passed &= check_ring();
    passed &= check_gate();
    return verdict(passed);
}
