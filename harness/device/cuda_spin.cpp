#include "device/cuda_spin.hpp"

#include <array>

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

constexpr const char* spin_source = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry spin(.param .u64 cycles)
{
  .reg .pred %early;
  .reg .b64 %least, %begin, %passed;
  ld.param.u64 %least, [cycles];
  mov.u64 %begin, %clock64;
next:
  mov.u64 %passed, %clock64;
  sub.u64 %passed, %passed, %begin;
  setp.lt.u64 %early, %passed, %least;
  @%early bra next;
  ret;
}
)";

}  // namespace

CudaSpin::CudaSpin() {
  const CudaDriver& driver = cuda_driver();
  void* module = nullptr;
  driver.check(driver.load_module(&module, spin_source), "cuModuleLoadData");
  driver.check(driver.get_function(&m_kernel, module, "spin"), "cuModuleGetFunction");
}

void CudaSpin::run(std::uint64_t cycles, void* stream) const {
  const CudaDriver& driver = cuda_driver();
  std::array<void*, 1> parameters{&cycles};
  driver.check(driver.launch(m_kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters.data(), nullptr),
               "cuLaunchKernel");
}

}  // namespace robust_kbench
