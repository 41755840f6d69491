#include "kernel_fixture.hpp"

#include <kernel/robust_kbench_abi.h>
#include <numeric>

#include "device/gpu_memory_wait.hpp"
#include "worker/elements.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 20;

std::vector<std::int64_t> contiguous(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

}  // namespace

TestInputs::TestInputs(Arena& arena) : m_arena(arena), m_next(arena.inputs_begin()) {
  ArenaHeader& header = m_arena.header();
  header.kernel_begin = header.cursor = header.poisoned_until =
      align_up(m_next + input_bytes, m_arena.alignment());
  header.poison = poison_word(1);
}

ArgumentValue TestInputs::floats(std::vector<std::int64_t> sizes,
                                 const std::vector<float>& values) {
  TensorRef ref{.offset = m_next,
                .sizes = std::move(sizes),
                .dtype = RKB_FLOAT32,
                .device_type = m_arena.on_gpu() ? RKB_CUDA : RKB_CPU};
  ref.strides = contiguous(ref.sizes);
  m_arena.write(m_next, values.data(), values.size() * sizeof(float));
  m_arena.synchronize();
  m_next = align_up(m_next + values.size() * sizeof(float), m_arena.alignment());
  return {ref};
}

ArgumentValue TestInputs::counting(std::vector<std::int64_t> sizes) {
  std::size_t count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<std::size_t>(size);
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return floats(std::move(sizes), values);
}

Output TestInputs::read(const ResultValue& result) const {
  const auto& ref = std::get<TensorRef>(result);
  Output output{.sizes = ref.sizes, .strides = ref.strides, .dtype = ref.dtype};
  const TensorLayout layout{.sizes = ref.sizes, .strides = ref.strides, .dtype = ref.dtype};
  std::vector<std::byte> bytes(layout_bytes(layout).value());
  m_arena.read(ref.offset, bytes.data(), bytes.size());
  const TensorReference source(make_tensor(bytes.data(), layout));
  output.values.resize(static_cast<std::size_t>(source.get()->numel));
  const std::vector<std::int64_t> dense = contiguous(ref.sizes);
  const TensorReference copy(
      make_tensor(reinterpret_cast<std::byte*>(output.values.data()),
                  {.sizes = ref.sizes, .strides = dense, .dtype = RKB_FLOAT64}));
  copy_elements(*copy.get(), *source.get());
  return output;
}

std::vector<ResultValue> KernelTest::call(const std::string& kernel, const std::string& entry,
                                          std::vector<ArgumentValue> arguments) {
  load(kernel, entry);
  m_subject.prepare({Call{std::move(arguments)}});
  m_subject.call(0);
  return m_subject.collect().at(0);
}

std::vector<Output> KernelTest::call_tensors(const std::string& kernel, const std::string& entry,
                                             std::vector<ArgumentValue> arguments) {
  std::vector<Output> outputs;
  for (const ResultValue& result : call(kernel, entry, std::move(arguments))) {
    outputs.push_back(m_memory.read(result));
  }
  return outputs;
}

SubjectError KernelTest::failure(const std::string& kernel, const std::string& entry,
                                 std::vector<ArgumentValue> arguments) {
  try {
    call(kernel, entry, std::move(arguments));
  } catch (const SubjectError& error) {
    return error;
  }
  ADD_FAILURE() << kernel << "." << entry << " did not fail";
  return {Failure::exception, ""};
}

void WorkerTest::start(bool gpu) {
  WorkerOptions options;
  options.program = RKB_WORKER;
  options.gpu = gpu;
  // The memory of a killed worker is freed somewhat later.
  wait_for_gpu_memory([&] { m_worker.emplace(options); });
  m_inputs.emplace(m_worker->arena());
}

std::vector<ResultValue> WorkerTest::call(const std::string& library, const std::string& entry,
                                          std::vector<ArgumentValue> arguments) {
  const auto failed = [&](const auto& outcome) {
    if (const auto* failure = std::get_if<Judgement>(&outcome)) m_failure = *failure;
    return outcome.index() != 0;
  };
  if (failed(m_worker->load({library, entry}))) return {};
  if (failed(m_worker->prepare({Call{std::move(arguments)}}))) return {};
  if (failed(m_worker->run())) return {};
  const auto collected = m_worker->collect(1);
  if (failed(collected)) return {};
  return std::get<0>(collected).at(0).outputs;
}

std::vector<Output> WorkerTest::read(const std::vector<ResultValue>& results) const {
  std::vector<Output> outputs;
  for (const ResultValue& result : results) outputs.push_back(m_inputs->read(result));
  return outputs;
}

}  // namespace robust_kbench
