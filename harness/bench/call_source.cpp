#include "bench/call_source.hpp"

#include <algorithm>
#include <chrono>

#include "core/seed.hpp"
#include "tensor/generator.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mul.h>

namespace robust_kbench {
namespace {

// Enough places for windows of small tensors, without making much of large ones.
constexpr std::size_t pool_bytes = std::size_t{256} << 10;
constexpr std::size_t min_calls = 2;
constexpr std::size_t max_calls = 32;

// Whole calls cost a float64 forward each.
constexpr std::size_t min_whole_calls = 4;
constexpr std::uint64_t factor_places = std::uint64_t{1} << 16;
constexpr std::chrono::milliseconds whole_calls_time{40};

std::size_t bytes_of(const Tensors& tensors) {
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : tensors.all()) {
    if (tensor.defined()) bytes += tensor.nbytes();
  }
  return bytes;
}

}  // namespace

CallSource::CallSource(const Workload& workload, std::uint64_t key, c10::Device device)
    : m_workload(workload),
      m_key(key),
      m_device(device),
      m_whole_calls(workload.direction == Direction::backward && workload.task.near_kink) {
  const auto start = std::chrono::steady_clock::now();
  m_calls.push_back(make());
  m_bytes_per_call = std::max<std::size_t>(1, bytes_of(m_calls.front()));
  if (m_whole_calls) {
    while (m_calls.size() < min_whole_calls ||
           (m_calls.size() < max_calls &&
            std::chrono::steady_clock::now() - start < whole_calls_time)) {
      m_calls.push_back(make());
    }
    std::int64_t longest = 0;
    for (const auto& [name, output] : incoming_gradients(workload.task)) {
      longest = std::max(longest, m_calls.front()[name].numel());
    }
    m_factors = generate(
        {"factors", {longest + static_cast<std::int64_t>(factor_places)}, uniform(0.5, 1.0)},
        next_random(), device);
    return;
  }
  const std::size_t calls = std::clamp(pool_bytes / m_bytes_per_call, min_calls, max_calls);
  while (m_calls.size() < calls) m_calls.push_back(make());
  for (const auto& [name, tensor] : m_calls.front().all()) {
    Pool pool{.name = name, .elements = {}, .shape = {}};
    if (tensor.defined()) {
      std::vector<at::Tensor> parts;
      for (const Tensors& call : m_calls) parts.push_back(call[name].flatten());
      pool.elements = at::cat(parts);
      pool.shape = tensor.sizes().vec();
    }
    m_pools.push_back(std::move(pool));
  }
  m_calls.clear();
}

std::vector<Tensors> CallSource::batch(std::size_t calls) {
  if (m_whole_calls) {
    m_renewed = (m_renewed + 1) % m_calls.size();
    m_calls[m_renewed] = make();
  }
  std::vector<Tensors> batch;
  batch.reserve(calls);
  for (std::size_t i = 0; i < calls; ++i) batch.push_back(m_whole_calls ? scaled() : windows());
  return batch;
}

std::uint64_t CallSource::next_random() {
  return mix(m_key + mix(m_counter++));
}

Tensors CallSource::make() {
  return make_tensors(m_workload, next_random(), m_device);
}

Tensors CallSource::windows() {
  Tensors tensors;
  for (const Pool& pool : m_pools) {
    at::Tensor window;
    if (pool.elements.defined()) {
      std::int64_t count = 1;
      for (const std::int64_t size : pool.shape) count *= size;
      const auto places = static_cast<std::uint64_t>(pool.elements.numel() - count + 1);
      const auto place = static_cast<std::int64_t>(next_random() % places);
      // Not narrow() and view(), which dispatch ten times: a batch has thousands of windows.
      window = at::from_blob(
          static_cast<std::byte*>(pool.elements.data_ptr()) + place * pool.elements.element_size(),
          pool.shape, pool.elements.options());
    }
    tensors.set(pool.name, std::move(window));
  }
  return tensors;
}

Tensors CallSource::scaled() {
  // Never the same call twice in a row.
  m_last = (m_last + 1 + next_random() % (m_calls.size() - 1)) % m_calls.size();
  Tensors tensors = m_calls[m_last];
  for (const auto& [name, output] : incoming_gradients(m_workload.task)) {
    const at::Tensor& gradient = tensors[name];
    const auto place = static_cast<std::int64_t>(next_random() % factor_places);
    const at::Tensor factors = m_factors.narrow(0, place, gradient.numel()).view(gradient.sizes());
    tensors.set(name, at::mul(gradient, factors).to(gradient.scalar_type()));
  }
  return tensors;
}

}  // namespace robust_kbench
