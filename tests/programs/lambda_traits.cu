// SPDX-License-Identifier: Apache-2.0
//
// Which qualifiers a lambda has, as a template asks (extended lambdas); and that it is a lambda otherwise.
#include "common.h"

template <class Function>
std::vector<int> kinds_of(const Function &)
{
    return {__nv_is_extended_device_lambda_closure_type(Function),
            __nv_is_extended_device_lambda_with_preserved_return_type(Function),
            __nv_is_extended_host_device_lambda_closure_type(Function)};
}

template <class Function>
__global__ void apply(int *values, Function function)
{
    values[threadIdx.x] = function(static_cast<int>(threadIdx.x));
}

struct Plain {
    int operator()(int i) const { return i; }
};

int main()
{
    const int offset = 3;
    const auto on_device = [offset] __device__(int i) { return i + offset; };
    const auto with_result = [=] __device__(int i) -> int { return i * offset; };
    const auto on_both = [=] __host__ __device__(int i) { return i - offset; };
    const auto on_host = [=](int i) { return i; };
    bool passed = same("device", kinds_of(on_device), std::vector<int>{1, 0, 0});
    passed = same("with result", kinds_of(with_result), std::vector<int>{1, 1, 0}) && passed;
    passed = same("both", kinds_of(on_both), std::vector<int>{0, 0, 1}) && passed;
    passed = same("host", kinds_of(on_host), std::vector<int>{0, 0, 0}) && passed;
    passed = same("class", kinds_of(Plain()), std::vector<int>{0, 0, 0}) && passed;
    std::vector<int> want(32);
    int *values = device_copy(want);
    for (int i = 0; i < 32; ++i) want[i] = i + offset;
    apply<<<1, 32>>>(values, on_device);
    passed = same("values of a device's", host_copy(values, 32), want) && passed;
    for (int i = 0; i < 32; ++i) want[i] = on_both(i);
    apply<<<1, 32>>>(values, on_both);
    passed = same("values of both sides'", host_copy(values, 32), want) && passed;
    CHECK(cudaFree(values));
    return verdict(passed);
}
