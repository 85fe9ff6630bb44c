// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: new-expressions of host code in the forms of the language, in managed memory and elsewhere
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Shape {
  float side;
  __host__ __device__ explicit Shape(float s) : side(s) {}
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual float edge() const { return side; }
  __host__ __device__ virtual float area() const { return side; }
};

struct Square : Shape {
  __host__ __device__ explicit Square(float s) : Shape(s) {}
  __host__ __device__ float area() const override { return side * side; }
};

template <class T> struct Holder {
  T value{};
  Holder* next = nullptr;
  virtual T get() const { return value; }
};
struct Pair {
  std::string name;
  int number;
};
template <class T> struct ManagedAllocator {
  using value_type = T;
  ManagedAllocator() = default;
  template <class U> ManagedAllocator(const ManagedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* memory = nullptr;
    CK(cudaMallocManaged(&memory, n * sizeof(T)));
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { cudaFree(memory); }
  bool operator==(const ManagedAllocator&) const { return true; }
  bool operator!=(const ManagedAllocator&) const { return false; }
};
template <class T, class... A> T* make_in(void* at, A&&... a) { return ::new (at) T(static_cast<A&&>(a)...); }
constexpr bool made(void* at) { return noexcept(::new (at) Square(1)); }

__global__ void grow(Square* shapes) { shapes[threadIdx.x].side += 1; }

int main() {
  using Ints = std::vector<int>;
  std::unique_ptr<Ints> ints(new Ints{1, 2, 3});
  std::unique_ptr<Holder<Ints>> held(new Holder<Ints>);
  std::unique_ptr<Holder<float>[]> many(new Holder<float>[3]);
  std::unique_ptr<int[]> plain(new int[4]{1, 2, 3, 4});
  std::unique_ptr<Pair> pair(new Pair{"pair", 7});
  std::unique_ptr<const Square> fixed(new const Square(2));
  std::unique_ptr<Shape*[]> pointers(new Shape*[2]());
  std::unique_ptr<Square> quiet(new (std::nothrow) Square(4));
  auto* number = new auto(5);
  void* memory;
  CK(cudaMallocManaged(&memory, 3 * sizeof(Square)));
  Square* const first = make_in<Square>(memory, 2.0f);
  std::vector<Square, ManagedAllocator<Square>> kept;
  for (int i = 0; i < 5; ++i) kept.emplace_back(i);
  grow<<<1, 5>>>(kept.data());
  grow<<<1, 1>>>(first);
  CK(cudaDeviceSynchronize());
  const Shape* shape = first;
  const Shape* last = &kept[4];
  bool good = shape->area() == 9 && last->area() == 25 && quiet->area() == 16 && many[2].get() == 0 && *number == 5;
  good = good && ints->size() == 3 && held->get().empty() && pair->name == "pair" && plain[3] == 4;
  good = good && fixed->area() == 4 && pointers[1] == nullptr;
  good = good && noexcept(::new (memory) Square(1)) == made(memory);
  delete number;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
