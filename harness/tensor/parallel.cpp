#include "tensor/parallel.hpp"

#include <ATen/Parallel.h>

namespace robust_kbench {

void in_parallel(std::int64_t count, std::int64_t per_thread,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& work) {
  at::parallel_for(0, count, per_thread, work);
}

}  // namespace robust_kbench
