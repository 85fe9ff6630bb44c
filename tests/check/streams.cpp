// SPDX-License-Identifier: Apache-2.0
// Streams of the native API: one kernel writes what a kernel of another stream reads; with an argument, nothing is
// wrong with it.
#include <warpfiber/warpfiber.hpp>

__global__ void produce(int* to) {
  to[threadIdx.x] = static_cast<int>(threadIdx.x);
}

__global__ void consume(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];
}

int main(int argc, char**) {
  warpfiber::Buffer<int> first(64), second(64);
  warpfiber::PinnedBuffer<int> result(64);
  warpfiber::Stream producer, consumer;
  warpfiber::Event ready;
  warpfiber::launch({.block = 64, .stream = producer}, produce, first.data());
  producer.record(ready);
  if (argc > 1) consumer.wait(ready);
  warpfiber::launch({.block = 64, .stream = consumer}, consume, first.data(), second.data());
  second.download(result, consumer);
  return consumer.synchronize().ok() && producer.synchronize().ok() ? 0 : 1;
}
