#include "serve/answer_line.hpp"

#include <algorithm>

#include "core/enum_names.hpp"
#include "core/json_fields.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr EnumNames<FinalStatus, 4> status_names{"status",
                                                 {{{FinalStatus::done, "done"},
                                                   {FinalStatus::cancelled, "cancelled"},
                                                   {FinalStatus::busy, "busy"},
                                                   {FinalStatus::error, "error"}}}};

const SpeedupRecord* find_speedup(const KernelRecord& record, const std::string& against) {
  const auto found =
      std::find_if(record.mean_speedups.begin(), record.mean_speedups.end(),
                   [&](const SpeedupRecord& speedup) { return speedup.against == against; });
  return found == record.mean_speedups.end() ? nullptr : &*found;
}

void put_speedup(json& line, const SpeedupRecord* speedup) {
  line["against"] = speedup != nullptr ? json(speedup->against) : json(nullptr);
  line["speedup"] = speedup != nullptr ? number(speedup->ratio) : json(nullptr);
  line["speedup_low"] = speedup != nullptr ? number(speedup->ci_low) : json(nullptr);
  line["speedup_high"] = speedup != nullptr ? number(speedup->ci_high) : json(nullptr);
  line["speedup_replayed"] = speedup != nullptr ? value_or_null(speedup->replayed) : json(nullptr);
}

bool was_cancelled(const Judgement& judgement) {
  return judgement.verdict == Verdict::skipped && judgement.reason == cancelled;
}

}  // namespace

json error_line(const std::string& id, const std::string& reason) {
  return {{"type", "error"}, {"id", id.empty() ? json(nullptr) : json(id)}, {"reason", reason}};
}

json accepted_line(const std::string& id) {
  return {{"type", "accepted"}, {"id", id}};
}

json progress_line(const std::string& id, const Progress& progress) {
  return {{"type", "progress"},
          {"id", id},
          {"stage", to_string(progress.stage)},
          {"done", progress.done},
          {"total", progress.total},
          {"text", progress.text}};
}

json stage_line(const std::string& id, Stage ended, const KernelRecord& so_far) {
  json line{{"type", "stage"}, {"id", id}, {"stage", to_string(ended)}};
  put_judgement(line, so_far.judgement);
  return line;
}

json rival_line(const std::string& id, const std::string& rival, const Judgement& why) {
  json line{{"type", "rival"}, {"id", id}, {"rival", rival}};
  put_judgement(line, why);
  return line;
}

json final_line(const std::string& id, FinalStatus status, const std::string& reason) {
  json line{{"type", "final"},
            {"id", id},
            {"status", status_names.name_of(status)},
            {"verdict", nullptr},
            {"cheat_class", nullptr},
            {"reason", reason},
            {"stage", nullptr},
            {"record", nullptr}};
  put_speedup(line, nullptr);
  return line;
}

json final_line(const std::string& id, const KernelRecord& record, std::optional<Stage> stage,
                const std::vector<std::string>& baselines) {
  const FinalStatus status =
      was_cancelled(record.judgement) ? FinalStatus::cancelled : FinalStatus::done;
  json line = final_line(id, status, "");
  put_judgement(line, record.judgement);
  if (stage) line["stage"] = to_string(*stage);
  if (!baselines.empty()) put_speedup(line, find_speedup(record, baselines.front()));
  line["record"] = record_file({record});
  return line;
}

}  // namespace robust_kbench
