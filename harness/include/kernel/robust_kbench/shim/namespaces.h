#pragma once

#include <robust_kbench/shim/dispatch.h>
#include <robust_kbench/shim/factories.h>
#ifndef RKB_WITHOUT_OPERATORS
#include <robust_kbench/shim/functions.h>
#endif
#include <robust_kbench/python/module.h>
#include <robust_kbench/shim/parallel.h>
#include <robust_kbench/shim/stream.h>

// All names are defined once, in namespace rkb. Here torch's namespaces get them.
namespace rkb {

struct NoGradGuard {
  NoGradGuard() {}
};
struct AutoGradMode {
  explicit AutoGradMode(bool) {}
};

}  // namespace rkb

namespace c10 {
using namespace ::rkb;
}  // namespace c10

namespace at {
using namespace ::rkb;
}  // namespace at

namespace torch {
using namespace ::rkb;
}  // namespace torch

// Torch's own registration is not supported. The body that follows is parsed as a template, so that
// this message is the only error.
#define TORCH_LIBRARY(library, variable)                                                \
  static_assert(false,                                                                  \
                "TORCH_LIBRARY is not supported: register the kernel's functions with " \
                "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)");                            \
  template <typename Library>                                                           \
  void rkb_unsupported_library_##library([[maybe_unused]] Library& variable)
#define TORCH_LIBRARY_FRAGMENT(library, variable) TORCH_LIBRARY(library, variable)
#define TORCH_LIBRARY_IMPL(library, key, variable) TORCH_LIBRARY(library##key, variable)
