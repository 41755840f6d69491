#include "core/kernel_source_json.hpp"

#include "core/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const KernelSource& kernel) {
  json = {{"task", kernel.entry.task},
          {"direction", to_string(kernel.entry.direction)},
          {"name", kernel.name},
          {"device", to_string(kernel.device)},
          {"sources", kernel.sources},
          {"include_directories", kernel.include_directories},
          {"definitions", kernel.definitions},
          {"options", kernel.options},
          {"libraries", kernel.libraries},
          {"fast_math", kernel.fast_math},
          {"scope", to_string(kernel.coverage)},
          {"headers", to_string(kernel.headers)},
          {"allowed", names_in_list(kernel.allowed)},
          {"entry_point", kernel.entry_point},
          {"named_in", kernel.named_in},
          {"record", kernel.record},
          {"library", kernel.library},
          {"solution", value_or_null(kernel.solution)}};
}

void from_json(const nlohmann::json& json, KernelSource& kernel) {
  kernel.entry = {json.at("task"), parse_direction(json.at("direction").get<std::string>())};
  json.at("name").get_to(kernel.name);
  kernel.device = parse_device(json.at("device").get<std::string>());
  json.at("sources").get_to(kernel.sources);
  json.at("include_directories").get_to(kernel.include_directories);
  json.at("definitions").get_to(kernel.definitions);
  json.at("options").get_to(kernel.options);
  json.at("libraries").get_to(kernel.libraries);
  json.at("fast_math").get_to(kernel.fast_math);
  kernel.coverage = parse_coverage(json.at("scope").get<std::string>());
  kernel.headers = parse_kernel_headers(json.at("headers").get<std::string>());
  kernel.allowed = parse_capabilities(json.value("allowed", std::vector<std::string>()));
  json.at("entry_point").get_to(kernel.entry_point);
  kernel.named_in = json.value("named_in", std::string());
  json.at("record").get_to(kernel.record);
  json.at("library").get_to(kernel.library);
  kernel.solution = optional_of<SolutionRecord>(json.value("solution", nlohmann::json()));
}

}  // namespace robust_kbench
