// SPDX-License-Identifier: Apache-2.0
//
// Buffers of OpenGL that kernels write, in the ways of NVIDIA's samples: registered, mapped, written, and read by OpenGL
// again; wrong calls; the functions before CUDA 3.0 and the driver's. Started once more with the word "window" it opens
// one, which has to end it with a line that says what to do.
#include <GL/glew.h>
#include <GL/freeglut.h>
#include <cudaGL.h>
#include <cuda_gl_interop.h>
#include <sys/wait.h>

#include <cstring>
#include <string>

#include "common.h"

namespace {

constexpr int kNumbers = 1000;
constexpr size_t kBytes = kNumbers * sizeof(int);
int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  printf("wrong: %s\n", what);
  ++failures;
}

void expect(cudaError_t got, cudaError_t wanted, const char* what) {
  if (got == wanted) return;
  printf("wrong: %s returns %s\n", what, cudaGetErrorName(got));
  ++failures;
}

__global__ void multiply(int* numbers, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kNumbers) numbers[i] = numbers[i] * by + i;
}

__global__ void fill(int* numbers, int with) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kNumbers) numbers[i] = with;
}

GLuint buffer_of(int value) {
  const std::vector<int> numbers(kNumbers, value);
  GLuint name = 0;
  glGenBuffers(1, &name);
  glBindBuffer(GL_ARRAY_BUFFER, name);
  glBufferData(GL_ARRAY_BUFFER, kBytes, numbers.data(), GL_DYNAMIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return name;
}

/// Whether element i is `value` plus i times `step`.
bool holds(GLuint name, int value, int step) {
  glBindBuffer(GL_ARRAY_BUFFER, name);
  const int* const numbers = static_cast<const int*>(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY));
  bool right = numbers != nullptr;
  for (int i = 0; right && i < kNumbers; ++i) right = numbers[i] == value + i * step;
  right = glUnmapBuffer(GL_ARRAY_BUFFER) == GL_TRUE && right;
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return right;
}

int* mapped(cudaGraphicsResource* resource, cudaStream_t stream = 0) {
  int* numbers = nullptr;
  size_t bytes = 0;
  CHECK(cudaGraphicsMapResources(1, &resource, stream));
  CHECK(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&numbers), &bytes, resource));
  expect(bytes == kBytes, "the size of a mapped buffer");
  return numbers;
}

void test_kernels_write_buffers() {
  const GLuint name = buffer_of(7);
  const GLuint other = buffer_of(1);
  cudaGraphicsResource* resource = nullptr;
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, name, cudaGraphicsRegisterFlagsNone));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  glBindBuffer(GL_ARRAY_BUFFER, other);
  multiply<<<8, 128, 0, stream>>>(mapped(resource, stream), 3);
  expect(holds(name, 7, 0), "what OpenGL has while a buffer is mapped");
  glBindBuffer(GL_ARRAY_BUFFER, other);
  CHECK(cudaGraphicsUnmapResources(1, &resource, stream));
  GLint bound = 0;
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
  expect(bound == static_cast<GLint>(other), "the program's buffer stays bound");
  expect(holds(name, 21, 1), "what a kernel has written");

  CHECK(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly));
  fill<<<8, 128>>>(mapped(resource), 5);
  CHECK(cudaGraphicsUnmapResources(1, &resource, 0));
  expect(holds(name, 21, 1), "a buffer that was mapped to be read");
  CHECK(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsWriteDiscard));
  fill<<<8, 128>>>(mapped(resource), 5);
  CHECK(cudaGraphicsUnmapResources(1, &resource, 0));
  expect(holds(name, 5, 0), "a buffer that was mapped to be written");
  CHECK(cudaGraphicsUnregisterResource(resource));
  CHECK(cudaStreamDestroy(stream));
  glDeleteBuffers(1, &name);
  glDeleteBuffers(1, &other);
}

void test_wrong_calls() {
  cudaGraphicsResource* resource = nullptr;
  const GLuint name = buffer_of(1);
  void* memory = nullptr;
  cudaArray_t array = nullptr;
  expect(cudaGraphicsGLRegisterBuffer(&resource, 12345, 0), cudaErrorInvalidValue, "a buffer that is none");
  expect(cudaGraphicsGLRegisterBuffer(&resource, name, 64), cudaErrorInvalidValue, "unknown flags");
  expect(cudaGraphicsGLRegisterImage(&resource, 1, GL_TEXTURE_2D, 0), cudaErrorInvalidValue, "a texture that is none");
  expect(cudaGraphicsUnregisterResource(resource), cudaErrorInvalidResourceHandle, "no resource");
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, name, 0));
  expect(cudaGraphicsResourceGetMappedPointer(&memory, nullptr, resource), cudaErrorNotMapped, "a pointer before mapping");
  expect(cudaGraphicsUnmapResources(1, &resource, 0), cudaErrorNotMapped, "unmapping first");
  expect(cudaGraphicsMapResources(0, &resource, 0), cudaErrorInvalidValue, "mapping nothing");
  CHECK(cudaGraphicsMapResources(1, &resource, 0));
  expect(cudaGraphicsMapResources(1, &resource, 0), cudaErrorAlreadyMapped, "mapping twice");
  expect(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0), cudaErrorNotMappedAsArray, "an array of a buffer");
  CHECK(cudaGraphicsUnmapResources(1, &resource, 0));
  glBindBuffer(GL_ARRAY_BUFFER, name);
  glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY);
  expect(cudaGraphicsMapResources(1, &resource, 0), cudaErrorMapBufferObjectFailed, "what OpenGL has mapped");
  glUnmapBuffer(GL_ARRAY_BUFFER);
  CHECK(cudaGraphicsUnregisterResource(resource));
  static_cast<void>(cudaGetLastError());
}

void test_older_functions() {
  const GLuint name = buffer_of(2);
  CHECK(cudaGLSetGLDevice(0));
  CHECK(cudaGLRegisterBufferObject(name));
  void* memory = nullptr;
  CHECK(cudaGLMapBufferObject(&memory, name));
  multiply<<<8, 128>>>(static_cast<int*>(memory), 2);
  CHECK(cudaGLUnmapBufferObject(name));
  expect(holds(name, 4, 1), "the functions before CUDA 3.0");
  CHECK(cudaGLUnregisterBufferObject(name));
  expect(cudaGLUnmapBufferObject(name), cudaErrorInvalidResourceHandle, "a buffer that is not registered");
  static_cast<void>(cudaGetLastError());
  unsigned count = 0;
  int device = -1;
  CHECK(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
  expect(count == 1 && device == 0, "the device that draws");
}

void test_driver() {
  const GLuint name = buffer_of(3);
  CUgraphicsResource resource = nullptr;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  expect(cuInit(0) == CUDA_SUCCESS, "cuInit");
  expect(cuGraphicsGLRegisterBuffer(&resource, name, CU_GRAPHICS_REGISTER_FLAGS_NONE) == CUDA_SUCCESS, "registering");
  expect(cuGraphicsResourceGetMappedPointer(&address, &bytes, resource) == CUDA_ERROR_NOT_MAPPED, "not mapped");
  expect(cuGraphicsMapResources(1, &resource, 0) == CUDA_SUCCESS, "mapping");
  expect(cuGraphicsResourceGetMappedPointer(&address, &bytes, resource) == CUDA_SUCCESS, "the pointer");
  expect(bytes == kBytes && cuMemsetD32(address, 9, kNumbers) == CUDA_SUCCESS, "writing");
  expect(cuGraphicsUnmapResources(1, &resource, 0) == CUDA_SUCCESS, "unmapping");
  expect(cuGraphicsUnregisterResource(resource) == CUDA_SUCCESS, "the end of a resource");
  expect(holds(name, 9, 0), "what the driver has written");
}

/// What OpenGL itself answers where nothing can be drawn.
void test_opengl() {
  expect(glewInit() == GLEW_OK, "glewInit");
  expect(glGetError() == GL_NO_ERROR, "no error of OpenGL before");
  glBindBuffer(1, 1);
  expect(glGetError() == GL_INVALID_ENUM, "a target that is none");
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBufferSubData(GL_ARRAY_BUFFER, 0, 1, "");
  expect(glGetError() == GL_INVALID_OPERATION, "no buffer is bound");
  const GLuint name = buffer_of(4);
  glBindBuffer(GL_COPY_READ_BUFFER, name);
  int numbers[2] = {1, 2};
  glBufferSubData(GL_COPY_READ_BUFFER, kBytes - 4, 8, numbers);
  expect(glGetError() == GL_INVALID_VALUE, "beyond the end");
  glGetBufferSubData(GL_COPY_READ_BUFFER, kBytes - 8, 8, numbers);
  expect(numbers[0] == 4 && numbers[1] == 4 && glGetError() == GL_NO_ERROR, "reading a part");
  glDeleteBuffers(1, &name);
  expect(glIsBuffer(name) == GL_FALSE, "a deleted buffer");
  glDrawArrays(GL_POINTS, 0, 1);
  expect(glGetError() == GL_INVALID_OPERATION && glGetError() == GL_NO_ERROR, "drawing is an error");
}

void test_windows(const char* program) {
  FILE* const output = popen((std::string(program) + " window 2>&1").c_str(), "r");
  std::string text;
  for (int letter = fgetc(output); letter != EOF; letter = fgetc(output)) text += static_cast<char>(letter);
  const int status = pclose(output);
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "the status of a program that opens a window");
  expect(text.rfind("before\nwarpfiber: glutCreateWindow: this program opens a window by OpenGL", 0) == 0, text.c_str());
}

void open_window(int* argc, char** argv) {
  glutInit(argc, argv);
  glutInitDisplayMode(GLUT_RGB | GLUT_DOUBLE);
  glutInitWindowSize(512, 512);
  printf("before\n");
  fflush(stdout);
  glutCreateWindow(argv[1]);
  printf("a window was opened\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "window") == 0) {
    open_window(&argc, argv);
    return 0;
  }
  test_kernels_write_buffers();
  test_wrong_calls();
  test_older_functions();
  test_driver();
  test_opengl();
  test_windows(argv[0]);
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? 0 : 1;
}
