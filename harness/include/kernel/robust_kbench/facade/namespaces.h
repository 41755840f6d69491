#pragma once

#include <robust_kbench/facade/dispatch.h>
#include <robust_kbench/facade/functions.h>
#include <robust_kbench/facade/parallel.h>
#include <robust_kbench/facade/python.h>

// Everything is defined once, in namespace rkb, and found under torch's names.
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

namespace pybind11 {
using namespace ::rkb::python;
namespace literals {
using namespace ::rkb::python::literals;
}  // namespace literals
}  // namespace pybind11

namespace py = pybind11;
