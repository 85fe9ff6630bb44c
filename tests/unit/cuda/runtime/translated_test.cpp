// SPDX-License-Identifier: Apache-2.0
// Kernels as the translator writes them: registered before main, launched by a call with a pending configuration.
#include <warpfiber/translated/kernels.hpp>

#include <algorithm>
#include <string>

#include "launches/kernels/kernel_attributes.hpp"
#include "process/kernels.hpp"
#include "process/variables.hpp"
#include "streams/streams.hpp"
#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace warpfiber::test::kernels {

template <class T, int kFactor>
void store_ranks(T* out, const T add, unsigned char) {
  auto warpfiber_body = [](T* to, const T plus, unsigned char) -> void {
    to[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x) * kFactor + plus;
  };
  ABOUT_KERNEL("store_ranks", , store_ranks<T, kFactor>);
  unsigned char warpfiber_1 = 0;
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, out, add, warpfiber_1);
}

struct Tracked {
  explicit Tracked(int* count) : copies(count) { ++*copies; }
  Tracked(const Tracked& other) : copies(other.copies), generation(other.generation + 1) { ++*copies; }
  Tracked& operator=(const Tracked&) = delete;
  ~Tracked() { --*copies; }
  int* copies;
  int generation = 0;
};

void look_at(Tracked tracked, int* most) {
  auto warpfiber_body = [](Tracked mine, int* largest) -> void { *largest = std::max(*largest, mine.generation); };
  ABOUT_KERNEL("look_at", .launch(64, 2), look_at);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, tracked, most);
}

extern "C" {
static void launches_itself(int depth) {
  auto warpfiber_body = [](int left) -> void { (cuda::configure(1, 1), launches_itself(left - 1)); };
  ABOUT_KERNEL("launches_itself", .cluster(2).registers(16), launches_itself);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, depth);
}
}

template <class... Values>
void sum_of(long* out, Values... values) {
  auto warpfiber_body = [](long* to, Values... summands) -> void { *to = (0L + ... + summands); };
  ABOUT_KERNEL("sum_of", , sum_of<Values...>);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, out, values...);
}

int counter = 7;
[[maybe_unused]] static const cuda::Variable warpfiber_variable_counter_1{counter, "counter",
                                                                          cuda::VariableKind::device};

}  // namespace warpfiber::test::kernels

using namespace warpfiber::test::kernels;

namespace {

void wait() {
  CHECK(streams::synchronize_device(0) == Error::success);
}

const void* address_of(void (*kernel)(int*, int, unsigned char)) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace

TEST_CASE("a call with a pending configuration launches the kernel") {
  last_error();
  std::vector<int> out(64, -1);
  (cuda::configure(4, dim3(4, 1, 1)), store_ranks<int, 3>(out.data(), 5, 0));

  wait();
  CHECK(last_error() == Error::success);
  for (int i = 0; i < 16; ++i) CHECK(out[static_cast<std::size_t>(i)] == 3 * i + 5);
  CHECK(out[16] == -1);
}

TEST_CASE("configurations nest as calls in arguments do") {
  std::vector<int> out(4, 0);
  const auto inner = [&out] {
    (cuda::configure(1, 2), store_ranks<int, 1>(out.data() + 2, 40, 0));
    wait();
    return out[3];
  };
  (cuda::configure(1, 1), store_ranks<int, 1>(out.data(), inner(), 0));

  wait();
  CHECK(out == std::vector<int>{41, 0, 40, 41});
}

TEST_CASE("threads are handed the bytes of objects, which the host alone copies and destroys") {
  int copies = 0;
  int most = 0;
  {
    const Tracked tracked(&copies);
    (cuda::configure(1, 3), look_at(tracked, &most));
  }

  wait();
  CHECK(most == 1);  // the parameter of the call, which the host copied
  CHECK(copies == 0);
}

TEST_CASE("a kernel that is called without a configuration is refused") {
  last_error();
  std::vector<int> out(1, -1);
  store_ranks<int, 3>(out.data(), 5, 0);
  CHECK(last_error() == Error::missing_configuration);
  CHECK(out[0] == -1);
}

TEST_CASE("the native launch refuses a translated kernel and names what starts it") {
  Buffer<int> out(1);
  out.fill(7);
  const LaunchResult result = launch({}, kernels::store_ranks<int, 1>, out.data(), 1, static_cast<unsigned char>(0));
  CHECK(result.error() == Error::invalid_device_function);
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("kernel<<<grid, block>>>(...)"));
  CHECK(out.download() == std::vector<int>{7});
  static_cast<void>(last_error());
}

TEST_CASE("a launch from inside a kernel is refused, which the next synchronisation returns") {
  last_error();
  (cuda::configure(2, 1), launches_itself(3));
  CHECK(streams::synchronize_device(0) == Error::not_supported);
  CHECK(streams::synchronize_device(0) == Error::success);
  CHECK(last_error() == Error::success);
}

TEST_CASE("packs and conversions reach the kernel") {
  long sum = 0;
  (cuda::configure(1, 1), sum_of<int, char, long>(&sum, 1, 2, 3));

  wait();
  CHECK(sum == 6);
}

TEST_CASE("a block larger than the launch bounds is refused") {
  last_error();
  int copies = 0;
  int most = 0;
  (cuda::configure(1, 65), look_at(Tracked(&copies), &most));
  CHECK(last_error() == Error::invalid_value);
  CHECK(most == 0);
}

TEST_CASE("a kernel is known by its address, with its name, its bounds and its parameters") {
  const auto* record = process::find_kernel(address_of(&store_ranks<int, 3>));
  REQUIRE(record != nullptr);
  CHECK(process::kernel_name(record->stub()) == "warpfiber::test::kernels::store_ranks<int, 3>");
  CHECK(std::string(process::mangled_name(*record)).starts_with("_ZN9warpfiber4test7kernels11store_ranksIiLi3EEE"));
  std::vector<std::size_t> bytes;
  for (std::size_t i = 0; i < record->parameters; ++i) bytes.push_back(record->parameter[i].bytes);
  CHECK(bytes == std::vector<std::size_t>{8, 4, 1});
  const auto* bounded = process::find_kernel(reinterpret_cast<const void*>(&look_at));
  REQUIRE(bounded != nullptr);
  CHECK(launches::attributes_of(bounded->stub()).max_threads_per_block == 64);
  const auto* c_linkage = process::find_kernel(reinterpret_cast<const void*>(&launches_itself));
  REQUIRE(c_linkage != nullptr);
  CHECK(process::kernel_name(c_linkage->stub()) == "launches_itself");
  CHECK(std::string(process::mangled_name(*c_linkage)) == "launches_itself");
  CHECK(launches::attributes_of(c_linkage->stub()).cluster_x == 2);
  CHECK(launches::attributes_of(c_linkage->stub()).registers_per_thread == 16);
  CHECK(process::find_kernel(&record) == nullptr);
}

TEST_CASE("pointers to arguments make the same call") {
  std::vector<int> out(2, 0);
  int* to = out.data();
  int plus = 9;
  unsigned char unused = 0;
  void* arguments[] = {&to, &plus, &unused};
  const auto* record = process::find_kernel(address_of(&store_ranks<int, 3>));
  REQUIRE(record != nullptr);
  cuda::configure(1, 2);
  cuda::detail::launch_configured(*record, arguments);

  wait();
  CHECK(out == std::vector<int>{9, 12});
}

TEST_CASE("a variable is found by its address, and device 0 uses it itself") {
  const process::DeviceVariable* variable = process::find_variable(&counter);
  REQUIRE(variable != nullptr);
  CHECK(std::string(variable->name) == "counter");
  CHECK(variable->bytes == sizeof(int));
  CHECK(process::instance_of(*variable, 0) == &counter);
  CHECK(&cuda::here(counter) == &counter);
  CHECK(process::find_variable(&variable) == nullptr);
  CHECK_FALSE(cuda::on_device());
}
