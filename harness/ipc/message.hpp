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

// What broker and worker say to each other, as length-prefixed JSON over a socket pair. The broker
// asks, the worker answers each request once (channel.hpp). Everything from a worker is untrusted:
// reading it throws HarnessError on anything malformed, and the broker turns that into verdict
// `crash`.
//
//   greet   -> greeted             the worker has started; nothing of a kernel is loaded yet
//   load    -> loaded | failed     map the shared object, find the entry point
//   prepare -> prepared | failed   turn a batch of calls into arguments; no kernel code runs
//   run     -> ran | failed        call the kernel once per call of the batch; both messages are
//                                  empty, since the broker's clock is around this pair
//   collect -> results             where the outputs of each call lie, and the claimed spans
//   sample -> sampled           what the last call's outputs held when it returned (sample.hpp)
//   estimate -> estimated | failed the first call of the batch again and again (estimate.hpp)
//   trace   -> traced | failed     what it makes the GPU do (trace.hpp)
//   release -> released            drop the outputs; the arena is the broker's again
//   stop    -> the worker exits 0
namespace robust_kbench {

struct Load {
  std::string library;
  std::string entry;  // "forward" or "backward"

  friend auto operator<=>(const Load&, const Load&) = default;
};

// Why a request could not be served.
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
  std::vector<Parameter> parameters;
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
