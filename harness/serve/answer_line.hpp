#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "evaluate/evaluator.hpp"

#include <nlohmann/json_fwd.hpp>

// The lines that `rkb serve` sends, one JSON object each. docs/serve.md describes them.
namespace robust_kbench {

inline constexpr int serve_protocol_version = 1;

// An empty `id` stands for no submission.
nlohmann::json error_line(const std::string& id, const std::string& reason);
nlohmann::json accepted_line(const std::string& id);
nlohmann::json progress_line(const std::string& id, const Progress& progress);
nlohmann::json stage_line(const std::string& id, Stage ended, const KernelRecord& so_far);
nlohmann::json rival_line(const std::string& id, const std::string& rival, const Judgement& why);

// The end of a submission.
enum class FinalStatus {
  done,       // there is a verdict
  cancelled,  // before there was one
  busy,       // not begun, since the queue is full
  error,      // not begun, since the submit asks for what cannot be
};

// The final line of a submission without a record.
nlohmann::json final_line(const std::string& id, FinalStatus status, const std::string& reason);
// The final line with a record. `stage` is the last one that was begun, and the flat speed-up is
// over the first of `baselines`.
nlohmann::json final_line(const std::string& id, const KernelRecord& record,
                          std::optional<Stage> stage, const std::vector<std::string>& baselines);

}  // namespace robust_kbench
