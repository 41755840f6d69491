#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/verdict.hpp"

#include <nlohmann/json.hpp>

// The versioned JSON of one evaluation. CTest, benchmark, archive, report and dataset export read
// this one schema; others script against it. Times are microseconds unless the name says seconds.
namespace robust_kbench {

inline constexpr int record_schema_version = 2;

struct OutputError {
  std::string name;
  double max_abs = 0;        // greatest absolute difference from the float64 reference
  double max_rel = 0;        // greatest relative difference
  double eager_max_abs = 0;  // of torch's own float32 result, on the same inputs
};

struct CaseRecord {
  std::string name;
  Verdict verdict = Verdict::harness_error;
  CheatClass cheat_class = CheatClass::none;
  std::string reason;  // empty for pass: the whole failure message, then how to replay the case
  std::vector<OutputError> errors;
  int calls = 0;                   // of the kernel in this case
  bool bitwise_repeatable = true;  // two calls on the same content gave the same bits
  double kernel_seconds = 0;       // in the kernel's calls, by the broker's clock
  double reference_seconds = 0;    // making the float64 reference
  double total_seconds = 0;        // the whole case
};

struct TimingRecord {
  std::string config;
  std::string subject;  // "kernel", "eager", "compile"
  double median_us = 0;
  double ci_low_us = 0;
  double ci_high_us = 0;
  double quartile_low_us = 0;
  double quartile_high_us = 0;
  int workers = 0;
  int samples = 0;
  int dropped = 0;  // samples thrown away: the machine was interrupted or the GPU throttled
  // By worker: by how much calls took longer than their spans say, by the harness's clock, or than
  // those of the middle half of their batches; part of all figures. 0 for baselines and on a CPU.
  std::vector<double> understated_us;
  int sm_mhz = 0;          // median clock of the GPU about a batch; 0: unknown, or no GPU
  int verified_calls = 0;  // timed calls whose outputs were compared with the reference
  // Of a GPU: what the config needs at least, and of what: percent of roofline is roofline_us /
  // median_us. 0: the task does not tell its cost.
  double roofline_us = 0;
  std::string roofline;
  // Of a GPU, by the subject's own word and to compare with only (runner/warm_estimate.hpp): with a
  // warm cache, and from the call until the host knows of its end. 0: unknown.
  double hot_us = 0;
  double latency_us = 0;
  // "interval": narrow enough; "workers": they differ, so that more samples would not narrow it;
  // "cap": the time limit came first.
  std::string stopped_by;
  std::vector<std::vector<double>> samples_us;  // by worker
};

struct SpeedupRecord {
  std::string config;
  std::string against;  // "eager", "compile"
  double ratio = 0;     // baseline time / kernel time
  double ci_low = 0;
  double ci_high = 0;
  std::string call;  // "faster", "slower", "same", "ambiguous"
};

// "faster than eager", "slower than eager", "as fast as eager", "not told apart from eager".
std::string in_words(const SpeedupRecord& speedup);

// What one of the usual ways to time says of a subject (ipc/estimate.hpp).
struct EstimateRecord {
  std::string config;
  std::string subject;
  std::string estimator;
  double time_us = 0;  // 0: there is none, see `note`
  int calls = 0;       // that it was made of
  std::string note;
};

// How a kernel was built.
struct BuildRecord {
  Verdict verdict = Verdict::harness_error;  // pass, compile_error or load_error
  std::string reason;                        // the compiler's words, control characters escaped
  std::string headers = "shim";              // or "torch"
  std::vector<std::string> flags;
  std::string compiler;  // path and version line
  std::string library;   // the shared object, empty unless pass
  double compile_seconds = 0;
  bool cached = false;  // nothing was compiled: the same had been before
};

struct KernelRecord {
  std::string path;  // of its first source
  std::string name;
  Entry entry;
  std::string device = "cpu";
  std::string gpu;  // on which it ran, as the driver names it; empty: on none
  BuildRecord build;
  Verdict verdict = Verdict::harness_error;
  CheatClass cheat_class = CheatClass::none;
  std::string reason;
  std::string skipped_reason;
  std::vector<CaseRecord> cases;  // that were called
  int cases_not_called = 0;       // since enough of those before them had failed
  std::vector<TimingRecord> timings;
  std::vector<SpeedupRecord> speedups;
  std::vector<EstimateRecord> estimates;  // where they were asked for
};

// The kernel's verdict from its build and its cases: pass only if every case passed.
void judge(KernelRecord& record);

void to_json(nlohmann::json& json, const BuildRecord& record);
void from_json(const nlohmann::json& json, BuildRecord& record);
void to_json(nlohmann::json& json, const CaseRecord& record);
void from_json(const nlohmann::json& json, CaseRecord& record);
void to_json(nlohmann::json& json, const TimingRecord& record);
void from_json(const nlohmann::json& json, TimingRecord& record);
void to_json(nlohmann::json& json, const SpeedupRecord& record);
void from_json(const nlohmann::json& json, SpeedupRecord& record);
void to_json(nlohmann::json& json, const EstimateRecord& record);
void from_json(const nlohmann::json& json, EstimateRecord& record);
void to_json(nlohmann::json& json, const KernelRecord& record);
void from_json(const nlohmann::json& json, KernelRecord& record);

// {"schema_version": 2, "kernels": [...]}.
nlohmann::json record_file(const std::vector<KernelRecord>& kernels);
// Back again, but for a kernel's own build verdict and library. Throws UserError for another
// version, nlohmann::json::exception for what is no such file.
std::vector<KernelRecord> kernels_of(const nlohmann::json& file);

}  // namespace robust_kbench
