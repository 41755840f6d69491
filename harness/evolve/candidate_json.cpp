#include "evolve/candidate_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

nlohmann::json candidate_json(const Candidate& candidate) {
  const KernelSource& kernel = candidate.kernel;
  return {{"id", candidate.id},
          {"name", candidate.name},
          {"text", candidate.text},
          {"hash", candidate.hash},
          {"task", kernel.entry.task},
          {"direction", to_string(kernel.entry.direction)},
          {"kernel", kernel.name},
          {"device", to_string(kernel.device)},
          {"sources", kernel.sources},
          {"include_directories", kernel.include_directories},
          {"definitions", kernel.definitions},
          {"options", kernel.options},
          {"libraries", kernel.libraries},
          {"fast_math", kernel.fast_math},
          {"listed_only", kernel.coverage == Coverage::listed},
          {"headers", to_string(kernel.headers)},
          {"entry_point", kernel.entry_point},
          {"record", kernel.record},
          {"library", kernel.library}};
}

Candidate candidate_from(const nlohmann::json& json) {
  Candidate candidate{.id = json.at("id"),
                      .name = json.at("name"),
                      .text = json.at("text"),
                      .hash = json.at("hash"),
                      .kernel = {}};
  KernelSource& kernel = candidate.kernel;
  kernel.entry = {json.at("task"), parse_direction(json.at("direction").get<std::string>())};
  kernel.name = json.at("kernel");
  kernel.device = parse_device(json.at("device").get<std::string>());
  json.at("sources").get_to(kernel.sources);
  json.at("include_directories").get_to(kernel.include_directories);
  json.at("definitions").get_to(kernel.definitions);
  json.at("options").get_to(kernel.options);
  json.at("libraries").get_to(kernel.libraries);
  json.at("fast_math").get_to(kernel.fast_math);
  if (json.at("listed_only").get<bool>()) kernel.coverage = Coverage::listed;
  kernel.headers = parse_kernel_headers(json.at("headers").get<std::string>());
  json.at("entry_point").get_to(kernel.entry_point);
  json.at("record").get_to(kernel.record);
  json.at("library").get_to(kernel.library);
  return candidate;
}

}  // namespace robust_kbench
