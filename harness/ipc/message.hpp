#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kernel_headers.hpp"
#include "ipc/call.hpp"
#include "ipc/estimate.hpp"
#include "ipc/output_sample.hpp"
#include "ipc/trace.hpp"

#include <nlohmann/json_fwd.hpp>

// The messages of broker and worker, as length-prefixed JSON over a socket pair. The broker asks,
// and the worker answers each request once (channel.hpp). All messages from a worker are untrusted.
// Reading a malformed one throws HarnessError, which the broker turns into verdict `crash`.
//
//   greet         -> greeted             The worker has started. No kernel code is loaded yet.
//   load          -> loaded | failed     Map the shared object and find the entry point.
//   prepare       -> prepared | failed   Turn a batch of calls into arguments. No kernel code runs.
//   run           -> ran | failed        Call the kernel once per call of the batch. Both messages
//                                        are empty, since the broker's clock is around this pair.
//   prepare_together, run_together      The same for the whole batch as one work of the GPU, if the
//                 -> prepared, ran      subject can do so: true with its calls, false without.
//   collect       -> results             The places of the outputs of each call, and claimed spans.
//   output_sample -> sampled             Bytes of the last call's outputs as it returned
//                                        (output_sample.hpp).
//   call_samples  -> looked              The same for some calls of the batch, each as it returned.
//   estimate      -> estimated | failed  Time repetitions of the batch's first call (estimate.hpp).
//   trace         -> traced | failed     The GPU activities of that call (trace.hpp).
//   release       -> released            Drop the outputs, which returns the arena to the broker.
//   stop                                 The worker exits 0 without an answer.
namespace robust_kbench {

struct Load {
  std::string library;
  std::string entry;  // the function that is called

  friend auto operator<=>(const Load&, const Load&) = default;
};

// The reason why a request could not be served.
enum class Failure { load_error, exception, out_of_memory };

struct Failed {
  Failure failure = Failure::exception;
  std::string message;
  std::uint64_t call = 0;  // index in the batch
};

struct Loaded {
  struct Parameter {
    std::string name;
    int kind = 0;  // rkb_kind
    bool optional = false;
    bool has_default = false;
  };
  using Parameters = std::vector<Parameter>;

  Parameters parameters;
  std::vector<Parameters> overloads = {};       // further functions of that name, in module order
  KernelHeaders headers = KernelHeaders::shim;  // or torch
};

void to_json(nlohmann::json& json, const Load& load);
void from_json(const nlohmann::json& json, Load& load);
void to_json(nlohmann::json& json, const Loaded& loaded);
void from_json(const nlohmann::json& json, Loaded& loaded);
void to_json(nlohmann::json& json, const OutputSample& output_sample);
void from_json(const nlohmann::json& json, OutputSample& output_sample);
void to_json(nlohmann::json& json, const Estimate& estimate);
void from_json(const nlohmann::json& json, Estimate& estimate);
void to_json(nlohmann::json& json, const Trace& trace);
void from_json(const nlohmann::json& json, Trace& trace);
void to_json(nlohmann::json& json, const Failed& failed);
void from_json(const nlohmann::json& json, Failed& failed);

}  // namespace robust_kbench
