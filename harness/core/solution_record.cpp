#include "core/solution_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const SolutionRecord& record) {
  json = {{"problem", record.problem}, {"file", record.file}, {"glue", record.glue}};
}

void from_json(const nlohmann::json& json, SolutionRecord& record) {
  json.at("problem").get_to(record.problem);
  json.at("file").get_to(record.file);
  json.at("glue").get_to(record.glue);
}

}  // namespace robust_kbench
