#include "bench/call_source.hpp"

#include <algorithm>
#include <utility>

#include "core/seed.hpp"
#include "device/openmp.hpp"
#include "tensor/generator.hpp"
#include "tensor/gradients.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

namespace robust_kbench {
CallSource::CallSource(const Workload& workload, std::uint64_t key, c10::Device device)
    : m_workload(workload), m_key(key), m_device(device) {
  for (TensorSpec& spec : workload.tensor_specs()) m_sources.push_back({varied(std::move(spec))});
  if (workload.direction == Direction::backward) {
    on_device([&] { add_gradients(); });
  }
  std::uint64_t bytes = 0;
  for (const Source& source : m_sources) bytes += bytes_of(source.spec);
  m_bytes_per_call = std::max<std::uint64_t>(1, bytes);
}

std::vector<Tensors> CallSource::batch(std::size_t calls) {
  std::vector<Tensors> batch;
  on_device([&] { batch = make(calls); });
  // Idle threads of OpenMP would spin for milliseconds.
  stop_openmp_threads();
  return batch;
}

template <typename Work>
void CallSource::on_device(const Work& work) const {
  if (!m_device.is_cuda()) return work();
  load_torch_cuda();
  with_gpu_memory(work);
}

// The shapes of the gradients are those of the outputs of any call.
void CallSource::add_gradients() {
  Tensors call;
  for (const Source& source : m_sources) {
    call.set(source.spec.name, generate(source.spec, next_random(), m_device));
  }
  for (TensorSpec& spec : gradient_specs(m_workload, call)) m_sources.push_back({std::move(spec)});
}

std::uint64_t CallSource::next_random() {
  return derived_key(m_key, "timed content", m_counter++);
}

std::vector<Tensors> CallSource::make(std::size_t calls) {
  std::vector<Tensors> batch(calls);
  for (Source& source : m_sources) draw(source, batch);
  if (m_workload.direction == Direction::backward) mask_gradients_of_batch(m_workload, batch);
  return batch;
}

void CallSource::draw(Source& source, std::vector<Tensors>& batch) {
  if (!source.spec.present) {
    for (Tensors& call : batch) call.set(source.spec.name, {});
    return;
  }
  const at::Tensor memory = memory_of(source, batch.size());
  const auto calls = static_cast<std::int64_t>(batch.size());
  generate_into(for_calls(source.spec, calls), next_random(), memory.narrow(0, 0, calls));
  const std::uint64_t bytes = bytes_of(source.spec);
  auto* next = static_cast<std::byte*>(memory.data_ptr());
  for (Tensors& call : batch) {
    // This replaces select(), which dispatches several times, since a batch has thousands of
    // tensors.
    call.set(source.spec.name, at::from_blob(
                                   next, source.spec.shape, [memory](void*) {}, memory.options()));
    next += bytes;
  }
}

at::Tensor CallSource::memory_of(Source& source, std::size_t calls) const {
  const auto unused = [](const at::Tensor& memory) { return memory.use_count() == 1; };
  const auto fits = [&](const at::Tensor& memory) {
    return unused(memory) && memory.size(0) >= static_cast<std::int64_t>(calls);
  };
  const auto found = std::find_if(source.memory.begin(), source.memory.end(), fits);
  if (found != source.memory.end()) return *found;
  std::erase_if(source.memory, unused);
  const at::TensorOptions options = at::TensorOptions(dtype_of(source.spec)).device(m_device);
  return source.memory.emplace_back(
      at::empty(for_calls(source.spec, static_cast<std::int64_t>(calls)).shape, options));
}

}  // namespace robust_kbench
