// SPDX-License-Identifier: Apache-2.0
//
// y = A x for a sparse matrix: a thread a row, a group of lanes a row (the group's size follows the mean row length),
// and by coordinates with atomics.
#include "common.h"

template <typename VALUE, typename INDEX>
struct Csr
{
    INDEX rows;
    const INDEX *start, *column;
    const VALUE *value;
};

template <typename VALUE, typename INDEX>
__global__ void spmv_scalar(Csr<VALUE, INDEX> a, const VALUE *__restrict__ x, VALUE *__restrict__ y)
{
    const INDEX row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.rows)
        return;
    VALUE sum = 0;
    for (INDEX i = a.start[row]; i < a.start[row + 1]; ++i)
        sum += a.value[i] * __ldg(&x[a.column[i]]);
    __stcs(&y[row], sum);
}

// LANES consecutive lanes share a row; rows of the last warp that do not exist take part with empty sums.
template <typename VALUE, typename INDEX, int LANES>
__global__ void spmv_vector(Csr<VALUE, INDEX> a, const VALUE *__restrict__ x, VALUE *__restrict__ y)
{
    const INDEX row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    const int lane = threadIdx.x % LANES;
    VALUE sum = 0;
    if (row < a.rows)
        for (INDEX i = __ldg(a.start + row) + lane; i < __ldg(a.start + row + 1); i += LANES)
            sum += __ldg(a.value + i) * __ldg(x + a.column[i]);
#pragma unroll
    for (int offset = LANES / 2; offset; offset /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, offset, LANES);
    if (row < a.rows && lane == 0)
        y[row] = sum;
}

template <typename VALUE, typename INDEX>
__global__ void spmv_coordinates(INDEX entries, const INDEX *row, const INDEX *column, const VALUE *value, const VALUE *x,
                                 VALUE *y)
{
    for (INDEX i = blockIdx.x * blockDim.x + threadIdx.x; i < entries; i += gridDim.x * blockDim.x)
        atomicAdd(y + row[i], __ldcs(value + i) * __ldcg(x + column[i]));
}

template <typename VALUE, typename INDEX>
void spmv_by_row_length(Csr<VALUE, INDEX> a, INDEX entries, const VALUE *x, VALUE *y)
{
    const int threads = 128;
    const INDEX mean = entries / a.rows;
    if (mean <= 2)
        spmv_vector<VALUE, INDEX, 2><<<(a.rows * 2 + threads - 1) / threads, threads>>>(a, x, y);
    else if (mean <= 8)
        spmv_vector<VALUE, INDEX, 8><<<(a.rows * 8 + threads - 1) / threads, threads>>>(a, x, y);
    else
        spmv_vector<VALUE, INDEX, 32><<<(a.rows * 32 + threads - 1) / threads, threads>>>(a, x, y);
}

template <typename VALUE>
bool run(const char *name, int rows, int longest, double tolerance)
{
    std::vector<int> start(1, 0), row, column;
    std::vector<VALUE> value, x(rows);
    std::vector<double> want(rows, 0.0);
    Random random(rows + longest);
    for (auto &v : x)
        v = random.uniform();
    for (int r = 0; r < rows; ++r) {
        for (int left = random.below(longest + 1); left > 0; --left) {
            row.push_back(r);
            column.push_back(random.below(rows));
            value.push_back(random.uniform() - 0.5f);
            want[r] += double(value.back()) * x[column.back()];
        }
        start.push_back(int(column.size()));
    }
    int *dStart = device_copy(start), *dRow = device_copy(row), *dColumn = device_copy(column);
    VALUE *dValue = device_copy(value), *dX = device_copy(x), *y = device_zeros<VALUE>(rows);
    const int entries = int(column.size());
    const Csr<VALUE, int> a = {rows, dStart, dColumn, dValue};

    spmv_scalar<<<(rows + 127) / 128, 128>>>(a, dX, y);
    bool passed = near(name, host_copy(y, rows), want, tolerance);
    CHECK(cudaMemset(y, 0xff, rows * sizeof(VALUE)));
    spmv_by_row_length(a, entries, dX, y);
    passed &= near(name, host_copy(y, rows), want, tolerance);
    CHECK(cudaMemset(y, 0, rows * sizeof(VALUE)));
    spmv_coordinates<VALUE, int><<<16, 64>>>(entries, dRow, dColumn, dValue, dX, y);
    passed &= near(name, host_copy(y, rows), want, tolerance);
    for (void *buffer : {(void *)dStart, (void *)dRow, (void *)dColumn, (void *)dValue, (void *)dX, (void *)y})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = true;
    for (int longest : {3, 12, 80}) {
        passed &= run<float>("float", 333, longest, 1e-5);
        passed &= run<double>("double", 333, longest, 1e-13);
    }
    return verdict(passed);
}
