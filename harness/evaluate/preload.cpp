#include "evaluate/preload.hpp"

#include <algorithm>
#include <exception>

#include "check/batch.hpp"
#include "check/bytes.hpp"
#include "check/call_checker.hpp"
#include "check/output_check.hpp"
#include "device/gpu_lock.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"
#include "tensor/yardstick.hpp"

#include <ATen/ops/arange.h>

namespace robust_kbench {

void preload_operators(const Task& task, Direction direction, const std::vector<Case>& cases) try {
  if (cases.empty()) return;
  const auto arena = [&](const Case& of) {
    return arena_bytes({task, direction, of.config.params}, 1, /*gpu=*/true);
  };
  const auto smallest =
      std::min_element(cases.begin(), cases.end(),
                       [&](const Case& a, const Case& b) { return arena(a) < arena(b); });
  const Workload workload{task, direction, smallest->config.params};
  const GpuLock share(GpuLock::Use::shared);
  const Content content = make_content(workload, 1, device_for(/*gpu=*/true));
  const auto limits = measure_limits(workload, std::nullopt, [&](std::uint64_t) {
    return Draw{content.tensors, content.references};
  });
  check_outputs(workload.contract(), limits, eager(workload, content.tensors), content.references);
  const Arena looked_at = Arena::create_on_gpu(std::size_t{1} << 20);
  words_at(looked_at, {0});
  words_equal(looked_at, {0}, {-1}, 0).any().item<bool>();
  const at::Tensor bytes = bytes_at(looked_at, 0, sizeof(std::int64_t));
  same_bytes(bytes,
             bytes.index_select(0, at::arange(bytes.numel(), bytes.options().dtype(at::kLong))));
  bytes.view(at::kLong).eq(0).all().item<bool>();
} catch (const std::exception&) {
}

}  // namespace robust_kbench
