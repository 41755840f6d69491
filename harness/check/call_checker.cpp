#include "check/call_checker.hpp"

#include <chrono>
#include <functional>
#include <span>
#include <utility>

#include "check/detect/left_processes.hpp"
#include "check/output_check.hpp"
#include "device/gpu_facts.hpp"
#include "tensor/generator.hpp"
#include "tensor/probe.hpp"
#include "tensor/reference.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

// The time for which threads that a call has started may run on before their writes are looked for.
constexpr std::chrono::milliseconds settle_limit{250};

// A kernel that errs in every fourth call passes for one that always errs once in 65536 times.
constexpr int max_repetitions = 8;
constexpr std::chrono::seconds repetition_limit{1};

constexpr std::size_t wanted_by_libraries = std::size_t{3} << 30;

Judgement written_late() {
  return cheat(CheatClass::late_write, "the kernel wrote to its outputs after it had returned");
}

// The libraries that a kernel calls load code and use workspace besides its arena. For them torch's
// cached memory in this process is freed, which it keeps for later references.
void leave_gpu_memory_to_libraries() {
  if (free_gpu_memory() < wanted_by_libraries) give_back_gpu_memory();
}

// A wrong output that lies in an input's memory is wrong for that reason.
Judgement with_cause(const Batch& batch, Judgement judgement) {
  if (judgement.passes()) return judgement;
  if (auto finding = batch.input_as_output()) {
    finding->reason += "\n" + judgement.reason;
    finding->examples = std::move(judgement.examples);
    return *std::move(finding);
  }
  return judgement;
}

// Judges a call that threw. On a GPU the worker waits for launched work before it answers, and the
// broker then looks at all memory itself. A lack of GPU memory is no refusal.
void judge_thrown_call(WorkerProcess& worker, const Batch& batch, CheckedCall& checked) {
  worker.settle(settle_limit);
  if (auto finding = left_processes(worker)) throw Rejection(*std::move(finding));
  const bool untouched = batch.is_untouched();
  const bool on_gpu = worker.arena().on_gpu();
  checked.is_refusal = !on_gpu || (untouched && checked.judgement.verdict == Verdict::exception);
}

// Calls the kernel and inspects everything but the values of its outputs. Returns false if a call
// threw, and judges it.
bool call_and_inspect(WorkerProcess& worker, Batch& batch, std::span<const Tensors> calls,
                      Addresses addresses, CheckedCall& checked) {
  batch.place(calls, addresses);
  if (worker.arena().on_gpu()) leave_gpu_memory_to_libraries();
  answer_of(batch.prepare());
  const Outcome<Ran> ran = batch.run(/*look=*/calls.size() > 1);
  if (const auto* thrown = std::get_if<Judgement>(&ran)) {
    checked.judgement = *thrown;
    if (worker.alive()) judge_thrown_call(worker, batch, checked);
    return false;
  }
  checked.kernel_seconds = 1e-9 * static_cast<double>(std::get<Ran>(ran).wall_ns);
  answer_of(batch.collect(calls.size() - 1));
  worker.settle(settle_limit);
  if (!batch.outputs_unchanged()) throw Rejection(written_late());
  if (auto finding = left_processes(worker)) throw Rejection(*std::move(finding));
  if (auto finding = batch.inspect()) throw Rejection(*std::move(finding));
  return true;
}

void compare_batch(const Batch& batch, const Contract& contract,
                   const std::vector<PrecisionLimits>& limits,
                   const std::vector<at::Tensor>& outputs,
                   const std::vector<at::Tensor>& references, const OutputParts& parts,
                   CheckedCall& checked) {
  OutputCheck check = check_outputs(contract, limits, outputs, references, parts);
  checked.judgement = with_cause(batch, std::move(check.judgement));
  checked.errors = std::move(check.errors);
  checked.squares = std::move(check.squares);
  checked.outputs = outputs;
  if (!batch.outputs_unchanged()) throw Rejection(written_late());
}

// Compares the outputs of the last call first, then those of all calls at once.
void compare_all(const Batch& batch, const Contract& contract,
                 const std::vector<PrecisionLimits>& limits,
                 const std::vector<at::Tensor>& references, CheckedCall& checked) {
  std::vector<at::Tensor> of_last;
  for (const at::Tensor& reference : references) {
    of_last.push_back(reference.defined() ? reference.select(0, reference.size(0) - 1) : reference);
  }
  compare_batch(batch, contract, limits, batch.outputs(), of_last, {}, checked);
  if (!checked.passes()) return checked.outputs.clear();
  std::vector<at::Tensor> all = batch.stacked_outputs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    // A scalar output may have one dimension.
    if (all[i].defined()) all[i] = all[i].view(references[i].sizes());
  }
  compare_batch(batch, contract, limits, all, references, {}, checked);
}

// Runs `work`, then ends the batch. Returns the findings of both.
CheckedCall until_released(Batch& batch, const std::function<void(CheckedCall&)>& work) {
  CheckedCall checked;
  try {
    work(checked);
  } catch (const Rejection& rejection) {
    checked.judgement = rejection.judgement();
    checked.outputs.clear();
  }
  const Outcome<Done> released = batch.release();
  try {
    if (checked.passes() || checked.is_refusal) answer_of(released);
  } catch (const Rejection& rejection) {
    checked.judgement = rejection.judgement();
    checked.is_refusal = false;
  }
  return checked;
}

}  // namespace

Content make_content(const Workload& workload, std::uint64_t seed, c10::Device device,
                     std::optional<Probe> probe) {
  if (!probe) return make_content(workload, make_tensors(workload, seed, device));
  Content content = make_content(workload, probe_tensors(workload, *probe, seed, device));
  content.parts = output_parts(workload, *probe, seed, content.tensors, content.references);
  return content;
}

Content make_content(const Workload& workload, Tensors tensors) {
  Content content{.tensors = std::move(tensors)};
  const auto start = std::chrono::steady_clock::now();
  content.references = reference(workload, content.tensors);
  content.reference_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return content;
}

CheckedCall check_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       Addresses addresses) {
  return until_released(batch, [&](CheckedCall& checked) {
    if (!call_and_inspect(worker, batch, {&content.tensors, 1}, addresses, checked)) return;
    compare_batch(batch, contract, limits, batch.outputs(), content.references, content.parts,
                  checked);
  });
}

CheckedCall check_calls(WorkerProcess& worker, Batch& batch, const Contract& contract,
                        const std::vector<PrecisionLimits>& limits,
                        const std::vector<Tensors>& calls,
                        const std::vector<at::Tensor>& references) {
  return until_released(batch, [&](CheckedCall& checked) {
    if (!call_and_inspect(worker, batch, calls, Addresses::fresh, checked)) return;
    compare_all(batch, contract, limits, references, checked);
  });
}

void repeat_wrong_call(WorkerProcess& worker, Batch& batch, const Contract& contract,
                       const std::vector<PrecisionLimits>& limits, const Content& content,
                       CheckedCall& wrong) {
  const auto deadline = std::chrono::steady_clock::now() + repetition_limit;
  for (int i = 0; i < max_repetitions && std::chrono::steady_clock::now() < deadline; ++i) {
    const CheckedCall again = check_call(worker, batch, contract, limits, content, Addresses::same);
    if (again.is_wrong()) continue;
    if (!again.passes()) {
      if (outranks(again.judgement.verdict, wrong.judgement.verdict)) {
        wrong.judgement = again.judgement;
      }
      return;
    }
    wrong.judgement.verdict = Verdict::nondeterministic;
    wrong.judgement.reason =
        "of two calls on the same content one is right and one is wrong\n" + wrong.judgement.reason;
    return;
  }
}

}  // namespace robust_kbench
