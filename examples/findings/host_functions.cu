// SPDX-License-Identifier: Apache-2.0
//
// A host function of a stream waits for main(), which waits for the stream;
// corrected, main() signals first.
#include <cstdio>
#include <cstring>
#include <future>

std::promise<void> ready;

void wait_until_ready(void*) {
  ready.get_future().wait();
}

int main(int count, char** arguments) {
  const bool corrected = count > 1 && std::strcmp(arguments[1], "corrected") == 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, wait_until_ready, nullptr);
  if (corrected) ready.set_value();
  cudaStreamSynchronize(stream);
  if (!corrected) ready.set_value();
  std::puts("finished");
}
