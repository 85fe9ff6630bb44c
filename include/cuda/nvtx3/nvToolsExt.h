// SPDX-License-Identifier: Apache-2.0
// NVIDIA's marks and ranges for its profilers. There is none here, so every function does nothing and returns what it
// returns without a profiler. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_API
#define NVTX_INLINE_STATIC static inline
#define NVTX_DECLSPEC NVTX_INLINE_STATIC
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

// A function that takes `parameters`, ignores them and returns `result`.
#define WARPFIBER_NO_OP(Result, name, parameters, arguments, result) \
  static inline Result name parameters {                             \
    arguments;                                                       \
    return result;                                                   \
  }
#define WARPFIBER_IGNORE_1(a) (void)a
#define WARPFIBER_IGNORE_2(a, b) (void)a, (void)b
#define WARPFIBER_IGNORE_3(a, b, c) (void)a, (void)b, (void)c
#define WARPFIBER_NO_OP_1(Result, name, A, result) WARPFIBER_NO_OP(Result, name, (A a), WARPFIBER_IGNORE_1(a), result)
#define WARPFIBER_NO_OP_2(Result, name, A, B, result) \
  WARPFIBER_NO_OP(Result, name, (A a, B b), WARPFIBER_IGNORE_2(a, b), result)
#define WARPFIBER_NO_OP_3(Result, name, A, B, C, result) \
  WARPFIBER_NO_OP(Result, name, (A a, B b, C c), WARPFIBER_IGNORE_3(a, b, c), result)

WARPFIBER_NO_OP_1(void, nvtxInitialize, const void*, )
WARPFIBER_NO_OP_1(void, nvtxMarkEx, const nvtxEventAttributes_t*, )
WARPFIBER_NO_OP_1(void, nvtxMarkA, const char*, )
WARPFIBER_NO_OP_1(void, nvtxMarkW, const wchar_t*, )
WARPFIBER_NO_OP_2(void, nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*, )
WARPFIBER_NO_OP_1(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t*, 0)
WARPFIBER_NO_OP_1(nvtxRangeId_t, nvtxRangeStartA, const char*, 0)
WARPFIBER_NO_OP_1(nvtxRangeId_t, nvtxRangeStartW, const wchar_t*, 0)
WARPFIBER_NO_OP_2(nvtxRangeId_t, nvtxDomainRangeStartEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*, 0)
WARPFIBER_NO_OP_1(void, nvtxRangeEnd, nvtxRangeId_t, )
WARPFIBER_NO_OP_2(void, nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t, )
WARPFIBER_NO_OP_1(int, nvtxRangePushEx, const nvtxEventAttributes_t*, NVTX_NO_PUSH_POP_TRACKING)
WARPFIBER_NO_OP_1(int, nvtxRangePushA, const char*, NVTX_NO_PUSH_POP_TRACKING)
WARPFIBER_NO_OP_1(int, nvtxRangePushW, const wchar_t*, NVTX_NO_PUSH_POP_TRACKING)
WARPFIBER_NO_OP_2(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*,
                  NVTX_NO_PUSH_POP_TRACKING)
static inline int nvtxRangePop(void) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
WARPFIBER_NO_OP_1(int, nvtxDomainRangePop, nvtxDomainHandle_t, NVTX_NO_PUSH_POP_TRACKING)
WARPFIBER_NO_OP_2(void, nvtxNameCategoryA, uint32_t, const char*, )
WARPFIBER_NO_OP_2(void, nvtxNameCategoryW, uint32_t, const wchar_t*, )
WARPFIBER_NO_OP_3(void, nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char*, )
WARPFIBER_NO_OP_3(void, nvtxDomainNameCategoryW, nvtxDomainHandle_t, uint32_t, const wchar_t*, )
WARPFIBER_NO_OP_2(void, nvtxNameOsThreadA, uint32_t, const char*, )
WARPFIBER_NO_OP_2(void, nvtxNameOsThreadW, uint32_t, const wchar_t*, )
WARPFIBER_NO_OP_2(nvtxStringHandle_t, nvtxDomainRegisterStringA, nvtxDomainHandle_t, const char*, NULL)
WARPFIBER_NO_OP_2(nvtxStringHandle_t, nvtxDomainRegisterStringW, nvtxDomainHandle_t, const wchar_t*, NULL)
WARPFIBER_NO_OP_1(nvtxDomainHandle_t, nvtxDomainCreateA, const char*, NULL)
WARPFIBER_NO_OP_1(nvtxDomainHandle_t, nvtxDomainCreateW, const wchar_t*, NULL)
WARPFIBER_NO_OP_1(void, nvtxDomainDestroy, nvtxDomainHandle_t, )
WARPFIBER_NO_OP_1(void, nvtxDomainResourceDestroy, nvtxResourceHandle_t, )

#undef WARPFIBER_NO_OP
#undef WARPFIBER_IGNORE_1
#undef WARPFIBER_IGNORE_2
#undef WARPFIBER_IGNORE_3
#undef WARPFIBER_NO_OP_1
#undef WARPFIBER_NO_OP_2
#undef WARPFIBER_NO_OP_3

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainCreate nvtxDomainCreateA
