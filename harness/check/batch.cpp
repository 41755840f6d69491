#include "check/batch.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "check/detect/batch_evidence.hpp"
#include "check/detect/bulk_guard_check.hpp"
#include "check/detect/detectors.hpp"
#include "check/detect/input_as_output.hpp"
#include "check/outputs.hpp"
#include "core/cipher.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/gpu_reserve.hpp"
#include "ipc/output_sample.hpp"
#include "tensor/spec_check.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

namespace robust_kbench {
namespace {

// A kernel may unfold a convolution's input, to 9 times its size, and keep some intermediates, too.
constexpr std::size_t kernel_share = 32;
// GPU memory is taken even if it is not used. This is room for inputs, outputs and twice the
// traffic.
constexpr std::size_t gpu_kernel_share = 4;
// Kernels may keep results longer than an operator after another needs them.
constexpr std::size_t unfused_share = 2;
// This is enough for a temporary of 100 MB with any config.
constexpr std::size_t min_arena = std::size_t{256} << 20;
// A batch's size varies, since gaps between inputs are drawn anew and calls may differ in their
// memory.
constexpr double safe_share = 0.85;
// The most bytes of outputs that are sampled in the middle of a batch. Large outputs are copied for
// one call alone.
constexpr std::size_t enough_to_look_at = std::size_t{1} << 20;

// The end of the kernel's last allocation, or of the inputs if it has none.
std::uint64_t end_of_allocations(const BatchEvidence& evidence) {
  if (evidence.log.allocations.empty()) return evidence.placement.kernel_begin;
  const Allocation& last = evidence.log.allocations.back();
  return last.offset + last.bytes + evidence.arena.guard_bytes();
}

// True if outputs have changed since their call returned. A sample of other places, or none, means
// that the worker lied about the place of its outputs. That is a contradiction, too.
bool contradicts(const OutputSample& told, const std::vector<OutputSnapshot>& snapshots) {
  std::vector<std::byte> seen;
  std::uint64_t key = told.key;
  for (const OutputSnapshot& output : snapshots) {
    if (output.problem) return false;  // another check finds that
    if (output.bytes == 0) continue;
    const at::Tensor offsets = at::tensor(SamplePlaces::of(output.bytes, key++).offsets());
    const at::Tensor bytes = with_gpu_memory(
        [&] { return output.copied.index_select(0, offsets.to(output.copied.device())).cpu(); });
    const auto* first = static_cast<const std::byte*>(bytes.const_data_ptr());
    seen.insert(seen.end(), first, first + bytes.numel());
  }
  return seen != told.seen;
}

}  // namespace

struct Batch::State {
  WorkerProcess& worker;
  Workload workload;
  std::uint64_t layout = secret_key();
  InputPlace input_place = {};
  BatchEvidence evidence{.arena = worker.arena()};
  std::size_t kernel_bytes_per_call = 0;
  std::uint64_t poisoned_until = 0;
  std::vector<std::uint64_t> claimed_ns = {};
  bool unfinished = false;               // whether the outputs changed after the last call returned
  std::vector<at::Tensor> outputs = {};  // of the kept call
};

Batch::Batch(WorkerProcess& worker, const Workload& workload)
    : m_state(std::make_shared<State>(State{.worker = worker, .workload = workload})) {}

void Batch::place(std::span<const Tensors> calls, Addresses addresses, Inputs inputs) {
  State& s = *m_state;
  if (addresses == Addresses::fresh) s.layout = secret_key();
  Arena& arena = s.worker.arena();
  s.evidence.placement = robust_kbench::place(arena, s.workload, calls, CipherStream(s.layout));
  s.evidence.poison = poison_word(secret_key());
  poison_around(arena, s.evidence.placement, s.evidence.poison,
                s.kernel_bytes_per_call * calls.size());
  s.poisoned_until = arena.header().poisoned_until;
  arena.header().input_place = s.input_place;
  if (inputs == Inputs::now) write_inputs();
}

void Batch::hand_inputs_at(InputPlace place) {
  m_state->input_place = place;
}

std::size_t Batch::kernel_bytes_per_call() const {
  return m_state->kernel_bytes_per_call;
}

void Batch::expect_kernel_bytes_per_call(std::size_t bytes) {
  m_state->kernel_bytes_per_call = std::max(m_state->kernel_bytes_per_call, bytes);
}

Outcome<Done> Batch::prepare() {
  return m_state->worker.prepare(m_state->evidence.placement.calls);
}

void Batch::write_inputs() {
  State& s = *m_state;
  Arena& arena = s.worker.arena();
  robust_kbench::write_inputs(arena, s.evidence.placement);
  const bool many = s.evidence.placement.calls.size() > 1;
  s.evidence.image_of_inputs =
      arena.on_gpu() && many ? image_of_inputs(arena, s.evidence.placement) : at::Tensor();
  arena.synchronize();  // the kernel may write to its inputs as soon as it runs
}

Outcome<Ran> Batch::run(bool look) {
  State& s = *m_state;
  Outcome<Ran> outcome = s.worker.run();
  const Arena& arena = s.worker.arena();
  // Later launches may be the first of their kernels, whose code then needs memory.
  if (arena.on_gpu()) open_gpu_reserve();
  s.evidence.probe.reset();
  if (look && std::holds_alternative<Ran>(outcome)) {
    s.evidence.probe.emplace(arena, read_log(arena, s.evidence.placement, s.poisoned_until),
                             secret_key());
  }
  return outcome;
}

Outcome<Done> Batch::collect(std::optional<std::size_t> keep) {
  State& s = *m_state;
  s.claimed_ns.clear();
  s.evidence.kept = keep;
  s.unfinished = false;
  s.evidence.outputs.clear();
  s.outputs.clear();
  auto outcome = s.worker.collect(s.evidence.placement.calls.size());
  if (auto* judgement = std::get_if<Judgement>(&outcome)) return std::move(*judgement);
  s.evidence.calls = std::get<std::vector<CallResult>>(std::move(outcome));
  for (const CallResult& result : s.evidence.calls) s.claimed_ns.push_back(result.span_ns);

  const Arena& arena = s.worker.arena();
  s.evidence.log = read_log(arena, s.evidence.placement, s.poisoned_until);
  if (keep) {
    for (const ResultValue& output : s.evidence.calls.at(*keep).outputs) {
      s.evidence.outputs.push_back(snapshot(arena, s.evidence.placement, s.evidence.log, output));
      s.outputs.push_back(s.evidence.outputs.back().tensor);
    }
    if (*keep + 1 == s.evidence.calls.size()) {
      auto told = s.worker.output_sample();
      if (auto* judgement = std::get_if<Judgement>(&told)) return std::move(*judgement);
      s.unfinished = contradicts(std::get<OutputSample>(told), s.evidence.outputs);
    }
  }
  if (!s.evidence.log.allocations.empty()) {
    const std::uint64_t used = end_of_allocations(s.evidence) - s.evidence.placement.kernel_begin;
    expect_kernel_bytes_per_call(align_up(used / s.evidence.calls.size() + 1, arena.alignment()));
  }
  return Done{};
}

bool Batch::is_untouched() const {
  const State& s = *m_state;
  BatchEvidence evidence{.arena = s.evidence.arena,
                         .placement = s.evidence.placement,
                         .poison = s.evidence.poison,
                         .log = read_log(s.worker.arena(), s.evidence.placement, s.poisoned_until)};
  if (auto finding = first_finding(evidence)) throw Rejection(*std::move(finding));
  // Memory that the kernel was given held poison then, so it must still do so.
  evidence.log.allocations.clear();
  return !first_finding(evidence);
}

std::optional<Judgement> Batch::inspect() const {
  return first_finding(m_state->evidence);
}

std::optional<Judgement> Batch::input_as_output() const {
  return robust_kbench::input_as_output(m_state->evidence);
}

const std::vector<std::uint64_t>& Batch::claimed_ns() const {
  return m_state->claimed_ns;
}

const std::vector<at::Tensor>& Batch::outputs() const {
  return m_state->outputs;
}

std::vector<at::Tensor> Batch::outputs_of(std::size_t call) const {
  const State& s = *m_state;
  std::vector<at::Tensor> outputs;
  for (const ResultValue& output : s.evidence.calls.at(call).outputs) {
    const OutputSnapshot taken =
        snapshot(s.worker.arena(), s.evidence.placement, s.evidence.log, output);
    if (taken.problem) {
      throw Rejection(
          wrong_result("output " + std::to_string(outputs.size()) + " " + *taken.problem));
    }
    outputs.push_back(taken.tensor);
  }
  return outputs;
}

std::vector<at::Tensor> Batch::stacked_outputs() const {
  const State& s = *m_state;
  std::vector<std::vector<at::Tensor>> of_outputs(s.outputs.size());
  for (std::size_t call = 0; call < s.evidence.calls.size(); ++call) {
    const std::vector<at::Tensor> outputs = outputs_of(call);
    for (std::size_t i = 0; i < of_outputs.size(); ++i) of_outputs[i].push_back(outputs.at(i));
  }
  std::vector<at::Tensor> stacked;
  for (const std::vector<at::Tensor>& outputs : of_outputs) {
    stacked.push_back(outputs.front().defined() ? at::stack(outputs) : at::Tensor());
  }
  return stacked;
}

bool Batch::outputs_unchanged() const {
  const State& s = *m_state;
  return !s.unfinished &&
         std::all_of(s.evidence.outputs.begin(), s.evidence.outputs.end(),
                     [&](const auto& output) { return unchanged(s.worker.arena(), output); });
}

Outcome<std::optional<std::uint64_t>> Batch::unfinished_call() const {
  const State& s = *m_state;
  auto samples = s.worker.call_samples(s.evidence.calls.size());
  if (auto* judgement = std::get_if<Judgement>(&samples)) return std::move(*judgement);
  std::size_t copied = 0;
  for (const OutputSample& told : std::get<std::vector<OutputSample>>(samples)) {
    if (copied > enough_to_look_at) break;
    std::vector<OutputSnapshot> now;
    for (const ResultValue& output : s.evidence.calls.at(told.call).outputs) {
      now.push_back(snapshot(s.worker.arena(), s.evidence.placement, s.evidence.log, output));
      copied += now.back().bytes;
    }
    if (contradicts(told, now)) return std::optional(told.call);
  }
  return std::optional<std::uint64_t>();
}

std::size_t Batch::max_calls() const {
  const State& s = *m_state;
  const Arena& arena = s.worker.arena();
  const auto calls = static_cast<double>(s.evidence.placement.calls.size());
  const auto room =
      static_cast<double>(arena.size() - poison_ahead_bytes - s.evidence.placement.begin);
  const std::uint64_t end = end_of_allocations(s.evidence);
  const double by_room = room * calls / static_cast<double>(end - s.evidence.placement.begin);
  const double by_log =
      static_cast<double>(arena.log().size()) * calls /
      static_cast<double>(std::max<std::size_t>(1, s.evidence.log.allocations.size()));
  return static_cast<std::size_t>(std::max(1.0, safe_share * std::min(by_room, by_log)));
}

Outcome<Done> Batch::release() {
  return m_state->worker.release();
}

std::size_t arena_bytes(const Workload& workload, std::size_t calls, bool gpu) {
  for (const TensorSpec& spec : workload.tensor_specs()) check_spec(spec);
  const Cost cost = cost_of(workload);
  const std::uint64_t moved =
      std::max(content_bytes(workload), static_cast<std::uint64_t>(cost.bytes));
  const auto unfused = static_cast<std::uint64_t>(cost.unfused_bytes);
  return min_arena + calls * std::max((gpu ? gpu_kernel_share : kernel_share) * moved,
                                      moved + unfused_share * unfused);
}

std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Config>& configs,
                          std::size_t calls, bool gpu) {
  std::size_t bytes = 0;
  for (const Config& config : configs) {
    bytes = std::max(bytes, arena_bytes({task, direction, config.params}, calls, gpu));
  }
  return bytes;
}

std::size_t largest_arena(const Task& task, Direction direction, const std::vector<Case>& cases,
                          std::size_t calls, bool gpu) {
  std::set<std::string> seen;
  std::vector<Config> configs;
  for (const Case& c : cases) {
    if (seen.insert(c.config.name).second) configs.push_back(c.config);
  }
  return largest_arena(task, direction, configs, calls, gpu);
}

}  // namespace robust_kbench
