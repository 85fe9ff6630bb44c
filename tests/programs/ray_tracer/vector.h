// SPDX-License-Identifier: Apache-2.0
//
// Vectors of three floats for host and device, with the qualifiers hidden from a plain C++ compiler.
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

struct Vector {
  float x, y, z;
};

HOST_DEVICE inline Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HOST_DEVICE inline Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HOST_DEVICE inline Vector operator*(float s, Vector a) {
  return {s * a.x, s * a.y, s * a.z};
}
HOST_DEVICE inline float dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HOST_DEVICE inline Vector unit(Vector a) {
  return (1.0f / sqrtf(dot(a, a))) * a;
}

struct Sphere {
  Vector centre;
  float radius, brightness;
};
