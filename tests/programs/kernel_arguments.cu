// SPDX-License-Identifier: Apache-2.0
//
// What kernels take besides numbers and pointers: references to managed objects, and objects with constructors and a
// destructor, of which the device has the bytes and the host all the calls.
#include "common.h"

#include <cstring>

static int copies = 0, destroyed = 0;

// Owns managed memory; copying it is the host's business.
class Text
{
public:
    explicit Text(const char *from) { assign(from); }
    Text(const Text &other)
    {
        ++copies;
        assign(other.data);
    }
    ~Text()
    {
        ++destroyed;
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(data));
    }
    __host__ __device__ char &operator[](int i) { return data[i]; }
    __host__ __device__ int size() const { return length; }
    __host__ __device__ void forget() { length = 0; }

private:
    void assign(const char *from)
    {
        length = (int)strlen(from);
        CHECK(cudaMallocManaged(&data, length + 1));
        strcpy(data, from);
    }
    int length = 0;
    char *data = nullptr;
};

struct Record
{
    int values[96];
    double sum;
};

// Only moved: passed as its bytes as well.
struct Ticket
{
    explicit Ticket(int n) : number(n) {}
    Ticket(const Ticket &) = delete;
    Ticket(Ticket &&other) : number(other.number) { other.number = -1; }
    int number;
};

// Threads change their own copy of the object, and all see the same memory behind it.
__global__ void upper_case(Text text, int *sizes)
{
    const int i = threadIdx.x;
    sizes[i] = text.size();
    if (text[i] >= 'a' && text[i] <= 'z')
        text[i] -= 'a' - 'A';
    text.forget();
}

__global__ void add_to(Record &record, const int &step, int times)
{
    record.values[threadIdx.x] += step * times;
    atomicAdd(&record.sum, (double)step);
}

template <typename T>
__global__ void increment(T &value)
{
    value = value + T(1);
}

__global__ void read_ticket(Ticket ticket, int *number)
{
    *number = ticket.number;
}

static bool check_objects(int *numbers)
{
    Text text("quick brown fox");
    const int n = text.size();
    copies = destroyed = 0;
    upper_case<<<1, n>>>(text, numbers);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    bool passed = same("sizes that threads saw", std::vector<int>(numbers, numbers + n), std::vector<int>(n, n));
    passed &= expect(copies > 0 && copies == destroyed, "copies are made and destroyed on the host");
    passed &= expect(text[0] == 'q', "the copy for the launch has memory of its own");
    read_ticket<<<1, 1>>>(Ticket(42), numbers);
    CHECK(cudaDeviceSynchronize());
    return passed & expect(numbers[0] == 42, "an object that can only be moved arrives");
}

static bool check_references()
{
    Record *record;
    int *step;
    CHECK(cudaMallocManaged(&record, sizeof(Record)));
    CHECK(cudaMallocManaged(&step, sizeof(int)));
    std::vector<int> want(96);
    for (int i = 0; i < 96; ++i) {
        record->values[i] = i;
        want[i] = i + 7 * 3 + 8 * 2;
    }
    record->sum = 0;
    *step = 7;
    add_to<<<1, 96>>>(*record, *step, 3);
    CHECK(cudaDeviceSynchronize());
    increment<<<1, 1>>>(*step);
    CHECK(cudaDeviceSynchronize());
    int times = 2;
    void *arguments[] = {&record, &step, &times};  // of a reference, its address
    CHECK(cudaLaunchKernel((const void *)add_to, dim3(1), dim3(96), arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    bool passed = same("values", std::vector<int>(record->values, record->values + 96), want);
    passed &= expect(*step == 8 && record->sum == 96 * (7 + 8), "kernels change what a reference names");
    CHECK(cudaFree(record));
    CHECK(cudaFree(step));
    return passed;
}

int main()
{
    int *numbers;
    CHECK(cudaMallocManaged(&numbers, 64 * sizeof(int)));
    bool passed = check_objects(numbers);
    passed &= check_references();
    CHECK(cudaFree(numbers));
    return verdict(passed);
}
