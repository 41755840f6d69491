#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/capability.hpp"
#include "core/case.hpp"
#include "core/coverage.hpp"
#include "core/device.hpp"
#include "core/judgement.hpp"
#include "core/kernel_headers.hpp"
#include "core/machine_record.hpp"
#include "core/profile_record.hpp"
#include "core/sandbox_means.hpp"
#include "core/solution_record.hpp"
#include "core/timing_record.hpp"

#include <nlohmann/json_fwd.hpp>

// The versioned JSON of one evaluation. CTest, benchmark, archive, report, dataset export and
// users' scripts read this one schema. docs/records.md describes every field.
namespace robust_kbench {

inline constexpr int record_schema_version = 3;

struct OutputError {
  std::string name;
  double max_abs = 0;        // greatest absolute difference from the float64 reference
  double max_rel = 0;        // greatest relative difference
  double eager_max_abs = 0;  // the same of torch's float32 result on the same inputs
  double rms = 0;            // root mean square of the differences
  // The limits by the yardstick of float32 (tensor/yardstick.hpp). None: the task's own tolerance
  // applied.
  std::optional<double> max_abs_limit = {};
  std::optional<double> rms_limit = {};
  // Within KernelBench's tolerance (tensor/kernelbench_rule.hpp). None: the record does not say.
  std::optional<bool> kernelbench_close = {};
};

struct CaseRecord {
  std::string name;
  std::string asks = {};  // see Case::asks(); empty for a listed case
  Judgement judgement;    // the reason is the whole failure message, then how to replay the case
  std::vector<OutputError> errors;
  int calls = 0;  // calls of the kernel in this case
  // The kernel threw in a case that it may refuse. The case's verdict is then `skipped`, and the
  // kernel's verdict does not depend on it.
  bool refused = false;
  // Inputs must begin at a multiple of so many bytes. None: anywhere, or the case did not ask.
  std::optional<int> needs_alignment = {};
  bool bitwise_repeatable = true;  // two calls on the same content gave the same bits
  double kernel_seconds = 0;       // in the kernel's calls, by the broker's clock
  double reference_seconds = 0;    // making the float64 reference
  double total_seconds = 0;        // the whole case
};

// How a kernel was built.
struct BuildRecord {
  Judgement judgement;  // pass, compile_error, load_error or skipped; its reason is escaped
  KernelHeaders headers = KernelHeaders::shim;  // or torch
  std::vector<std::string> flags;
  std::string compiler;             // path and version line
  std::string library;              // the shared object, empty unless pass
  std::vector<CapabilityUse> uses;  // what the kernel's code asks for; empty if nothing was linked
  double compile_seconds = 0;
  bool cached = false;  // the result of an earlier compilation was used
};

// A kernel that another one was raced against, with its judgement.
struct RivalRecord {
  std::string name;  // the subject in the timings
  std::string path;  // of its first source
  Judgement judgement;
};

// How a kernel was judged that was to be replayed (docs/recording.md).
struct JudgedRecord {
  bool by_replay = false;  // its work on the GPU was repeated without its host code
  std::string reason;      // why it was not; the judgement is then that of its own process
};

struct KernelRecord {
  std::string path;  // of its first source
  std::string name;
  Entry entry;
  std::string entry_point;  // the function that was called; empty: the direction's name
  Device device = Device::cpu;
  std::string gpu;  // the driver's name of the GPU it ran on; empty: none
  BuildRecord build;
  Judgement judgement;
  std::vector<CaseRecord> cases;  // cases that were called
  Coverage coverage = Coverage::full;
  int cases_not_called = 0;  // skipped after enough earlier cases had failed
  std::vector<ConfigTimingRecord> timings;
  std::vector<SpeedupRecord> mean_speedups;  // by geometric mean over the timed configs
  std::optional<ProfileRecord> profile;      // where tools were run
  std::optional<SandboxMeans> sandbox;       // where a worker was started
  std::vector<RivalRecord> rivals;           // kernels to race against
  std::string timing_note;  // why a kernel that passed has no timings, or those of few calls
  std::optional<JudgedRecord> judged = {};      // where a replay was asked for
  std::optional<MachineRecord> machine;         // where it was evaluated
  std::optional<SolutionRecord> solution = {};  // the file it was extracted from
};

// The gravest judgement of the build and of the cases that the kernel did not refuse. It is `pass`
// only if all of these passed. A kernel that refused every case is `skipped`.
Judgement judgement_of(const KernelRecord& record);

void to_json(nlohmann::json& json, const BuildRecord& record);
void from_json(const nlohmann::json& json, BuildRecord& record);
void to_json(nlohmann::json& json, const CaseRecord& record);
void from_json(const nlohmann::json& json, CaseRecord& record);
void to_json(nlohmann::json& json, const RivalRecord& record);
void from_json(const nlohmann::json& json, RivalRecord& record);
void to_json(nlohmann::json& json, const KernelRecord& record);
void from_json(const nlohmann::json& json, KernelRecord& record);

// {"schema_version": 3, "kernels": [...]}.
nlohmann::json record_file(const std::vector<KernelRecord>& kernels);
// Reads such a file, except a kernel's own build verdict and library. Also reads schema 2, and
// profiles of schema 1. Throws UserError for another version, and nlohmann::json::exception for any
// other fault.
std::vector<KernelRecord> kernels_of(const nlohmann::json& file);

}  // namespace robust_kbench
