#include "tensor/scoped_torch_threads.hpp"

#include <ATen/Parallel.h>

namespace robust_kbench {

ScopedTorchThreads::ScopedTorchThreads(int threads) : m_before(at::get_num_threads()) {
  at::set_num_threads(threads);
}

ScopedTorchThreads::~ScopedTorchThreads() {
  at::set_num_threads(m_before);
}

}  // namespace robust_kbench
