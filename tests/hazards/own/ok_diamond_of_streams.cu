// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: two streams work on halves between events of a third, and a host function reads what they have left in pinned memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Half {
  float* at;
  int n;
};
__global__ void fill(float* p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = float(i);
}
__global__ void scale(Half half, float by) {
  for (int i = threadIdx.x; i < half.n; i += blockDim.x) half.at[i] *= by;
}
struct Check {
  const float* at;
  int bad;
};
void CUDART_CB look(void* data) {
  Check& check = *static_cast<Check*>(data);
  for (int i = 0; i < 128; ++i) check.bad += check.at[i] != float(i) * (i < 64 ? 2.0f : 3.0f);
}

int main() {
  float *p, *pinned;
  cudaStream_t main_line, left, right;
  cudaEvent_t begun, left_done, right_done;
  CK(cudaMalloc(&p, 128 * sizeof(float)));
  CK(cudaMallocHost(&pinned, 128 * sizeof(float)));
  CK(cudaStreamCreateWithFlags(&main_line, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  CK(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
  CK(cudaEventCreateWithFlags(&left_done, cudaEventDisableTiming));
  CK(cudaEventCreateWithFlags(&right_done, cudaEventDisableTiming));
  fill<<<1, 64, 0, main_line>>>(p, 128);
  CK(cudaEventRecord(begun, main_line));
  CK(cudaStreamWaitEvent(left, begun, 0));
  CK(cudaStreamWaitEvent(right, begun, 0));
  scale<<<1, 32, 0, left>>>(Half{p, 64}, 2);
  scale<<<1, 32, 0, right>>>(Half{p + 64, 64}, 3);
  CK(cudaEventRecord(left_done, left));
  CK(cudaEventRecord(right_done, right));
  CK(cudaStreamWaitEvent(main_line, left_done, 0));
  CK(cudaStreamWaitEvent(main_line, right_done, 0));
  CK(cudaMemcpyAsync(pinned, p, 128 * sizeof(float), cudaMemcpyDeviceToHost, main_line));
  Check check{pinned, 0};
  CK(cudaLaunchHostFunc(main_line, look, &check));
  CK(cudaStreamSynchronize(main_line));
  const int bad = check.bad;
  CK(cudaFree(p));
  CK(cudaFreeHost(pinned));
  for (cudaStream_t each : {main_line, left, right}) CK(cudaStreamDestroy(each));
  for (cudaEvent_t each : {begun, left_done, right_done}) CK(cudaEventDestroy(each));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
