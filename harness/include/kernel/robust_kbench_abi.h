#pragma once

/* The interface between a kernel's shared object and the worker that loads it. It is plain C, so
 * that a kernel needs no torch at compile or link time. Kernels include torch/extension.h beside
 * this file, which wraps it. Only the worker implements the table.
 *
 * Errors: a function that fails returns NULL or non-zero and leaves its message in `last_error()`.
 * The shim turns it into a C++ exception. The wrapper of a kernel's function turns every exception
 * into an rkb_status, so that none crosses the boundary. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RKB_ABI_VERSION = 1 };

/* Values of c10::ScalarType. */
typedef enum rkb_dtype {
  RKB_UINT8 = 0,
  RKB_INT8 = 1,
  RKB_INT16 = 2,
  RKB_INT32 = 3,
  RKB_INT64 = 4,
  RKB_FLOAT16 = 5,
  RKB_FLOAT32 = 6,
  RKB_FLOAT64 = 7,
  RKB_BOOL = 11,
  RKB_BFLOAT16 = 15
} rkb_dtype;

/* Values of c10::DeviceType. */
typedef enum rkb_device_type { RKB_CPU = 0, RKB_CUDA = 1 } rkb_device_type;

/* A reference-counted tensor. The kernel may read it, but only the table changes it. Strides count
 * elements. `data` is the address of element 0, with the storage offset included. */
typedef struct rkb_tensor {
  void* data;
  const int64_t* sizes;
  const int64_t* strides;
  int64_t numel;
  int32_t dim;
  int32_t dtype;       /* rkb_dtype */
  int32_t device_type; /* rkb_device_type */
  int32_t device_index;
  int64_t storage_offset;
} rkb_tensor;

typedef enum rkb_kind {
  RKB_NONE = 0,
  RKB_TENSOR,
  RKB_INT,
  RKB_DOUBLE,
  RKB_BOOLEAN,
  RKB_STRING,
  RKB_INT_LIST,
  RKB_DOUBLE_LIST,
  RKB_TUPLE, /* items of any kind; also a list of tensors */
  RKB_DTYPE,
  RKB_DEVICE
} rkb_kind;

/* One argument or result. Lists belong to the maker of the value and outlive the call. A tensor in
 * an argument is borrowed, and one in a result is owned by the receiver. */
typedef struct rkb_value {
  int32_t kind; /* rkb_kind */
  int32_t length;
  union {
    rkb_tensor* tensor;
    int64_t integer; /* also boolean, dtype, and device (type in the low, index in the high half) */
    double real;
    const char* string;
    const int64_t* integers;
    const double* reals;
    const struct rkb_value* items;
  } as;
} rkb_value;

typedef enum rkb_status {
  RKB_OK = 0,
  RKB_EXCEPTION = 1,     /* the kernel threw; the message is in last_error() */
  RKB_OUT_OF_MEMORY = 2, /* std::bad_alloc or an allocation that the table refused */
  RKB_BAD_ARGUMENTS = 3  /* the arguments do not fit the function's signature */
} rkb_status;

/* The worker's functions. A kernel checks `version` and `size` before the first use. */
typedef struct rkb_table {
  uint32_t version;
  uint32_t size; /* sizeof(rkb_table) of the worker */

  const char* (*last_error)(void);
  void (*set_error)(const char* message);

  void (*retain)(rkb_tensor* tensor);
  void (*release)(rkb_tensor* tensor);

  /* A tensor of uninitialised memory, which stays until the worker's batch of calls ends, even if
   * the tensor is released. NULL on failure: last_error() is empty if no memory is left, and says
   * what is wrong otherwise. */
  rkb_tensor* (*empty_strided)(const int64_t* sizes, const int64_t* strides, int32_t dim,
                               int32_t dtype, int32_t device_type, int32_t device_index);
  /* A tensor over memory that the caller keeps alive. */
  rkb_tensor* (*from_blob)(void* data, const int64_t* sizes, const int64_t* strides, int32_t dim,
                           int32_t dtype, int32_t device_type, int32_t device_index);
  /* Another view of the same storage; `storage_offset` counts elements from its start. */
  rkb_tensor* (*as_strided)(rkb_tensor* tensor, const int64_t* sizes, const int64_t* strides,
                            int32_t dim, int64_t storage_offset);
  /* Copies and converts each element. Shapes must be equal. Asynchronous on a GPU. */
  int32_t (*copy)(rkb_tensor* destination, rkb_tensor* source);
  int32_t (*fill)(rkb_tensor* tensor, double value);
  /* Gives element 0 as double or int64. Waits for the device. */
  int32_t (*item)(rkb_tensor* tensor, double* real, int64_t* integer);

  /* Calls an operator of torch by schema name, "aten::conv2d" with overload "". Arguments are
   * positional in the schema's order. Those left out at the end have its defaults. The worker loads
   * torch at the first such call. The caller owns the results, one for each tensor of a list. */
  int32_t (*call)(const char* name, const char* overload, const rkb_value* arguments,
                  int32_t argument_count, rkb_value* results, int32_t max_results,
                  int32_t* result_count);

  /* Functions for CUDA, which return NULL or non-zero on a machine without it. Streams are
   * cudaStream_t, and handles are cublasHandle_t. */
  void* (*current_stream)(int32_t device_index);
  int32_t (*set_stream)(void* stream, int32_t device_index);
  void* (*blas_handle)(void);
  int32_t (*current_device)(void);
  int32_t (*set_device)(int32_t device_index);
} rkb_table;

/* One parameter of a registered function, as pybind would see it. */
typedef struct rkb_parameter {
  const char* name; /* NULL if the kernel gives none */
  int32_t kind;     /* the rkb_kind it converts from; RKB_TENSOR also for optional tensors */
  int32_t optional; /* takes None */
  int32_t has_default;
} rkb_parameter;

typedef struct rkb_function {
  const char* name;
  const char* doc;
  const rkb_parameter* parameters;
  int32_t parameter_count;
  /* Calls the kernel. More results than `max_results` give RKB_EXCEPTION. */
  int32_t (*call)(const struct rkb_function* self, const rkb_value* arguments,
                  int32_t argument_count, rkb_value* results, int32_t max_results,
                  int32_t* result_count);
  const void* state; /* the kernel's own */
} rkb_function;

typedef struct rkb_module {
  uint32_t version; /* RKB_ABI_VERSION of the kernel */
  int32_t function_count;
  const rkb_function* functions;
  const char* headers; /* "shim" or "torch" */
} rkb_module;

/* The only symbol that a kernel exports, defined by PYBIND11_MODULE. If the table does not fit, or
 * the module's body threw, it returns NULL and sets last_error(). */
__attribute__((visibility("default"))) const rkb_module* rkb_kernel_module(const rkb_table* table);
#define RKB_KERNEL_MODULE_SYMBOL "rkb_kernel_module"

#ifdef __cplusplus
}
#endif
