#include "tensor/fill_on_device.hpp"

#include <array>
#include <cmath>

#include "device/cuda_driver.hpp"
#include "tensor/fill.hpp"
#include "tensor/fill_source.hpp"

#include <ATen/ops/empty.h>

namespace robust_kbench {
namespace {

constexpr std::int64_t threads_per_block = 128;

struct Kernels {
  void* normal = nullptr;
  void* uniform = nullptr;
};

const Kernels& kernels() {
  static const Kernels loaded = [] {
    const CudaDriver& driver = cuda_driver();
    void* module = nullptr;
    Kernels found;
    driver.check(driver.load_module(&module, fill_source().c_str()), "cuModuleLoadData");
    driver.check(driver.get_function(&found.normal, module, "normal"), "cuModuleGetFunction");
    driver.check(driver.get_function(&found.uniform, module, "uniform"), "cuModuleGetFunction");
    return found;
  }();
  return loaded;
}

}  // namespace

at::Tensor fill_on_device(const Distribution& distribution, std::uint64_t key, std::int64_t count,
                          c10::Device device) {
  const at::Tensor filled = at::empty({count}, at::TensorOptions(at::kFloat).device(device));
  if (count == 0) return filled;
  const bool normal = distribution.kind == Distribution::Kind::normal;
  const auto a = static_cast<float>(distribution.a);
  const auto b = static_cast<float>(distribution.b);
  std::array<float, 3> numbers =
      normal ? std::array{a, b, 0.0F} : std::array{a, b - a, std::nextafter(b, a)};
  CudaDriver::Address elements = CudaDriver::address_of(filled.mutable_data_ptr());
  std::array<void*, 6> parameters{&elements, &count, &key, &numbers[0], &numbers[1], &numbers[2]};
  const std::int64_t threads = (count + block_elements - 1) / block_elements * cipher_lanes;
  const auto blocks = static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.launch(normal ? kernels().normal : kernels().uniform, blocks, 1, 1,
                             threads_per_block, 1, 1, 0, nullptr, parameters.data(), nullptr),
               "cuLaunchKernel");
  return filled;
}

}  // namespace robust_kbench
