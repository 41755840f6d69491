#include "runs/pilots/evaluation_session.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const EvaluationSession& session) {
  const BackendRequest& request = session.request;
  json = {{"task", request.task},
          {"direction", request.direction},
          {"configs", request.configs},
          {"estimators", request.estimators},
          {"allow", request.allow},
          {"require_replay", request.require_replay},
          {"slower_limit", request.slower_limit},
          {"device", to_string(session.device)},
          {"source_root", session.source_root},
          {"requires_sandbox", session.requires_sandbox},
          {"search_ended", session.search_ended},
          {"first_races_ended", session.first_races_ended},
          {"ended", session.ended}};
}

void from_json(const nlohmann::json& json, EvaluationSession& session) {
  BackendRequest& request = session.request;
  json.at("task").get_to(request.task);
  json.at("direction").get_to(request.direction);
  json.at("configs").get_to(request.configs);
  json.at("estimators").get_to(request.estimators);
  json.at("allow").get_to(request.allow);
  json.at("require_replay").get_to(request.require_replay);
  json.at("slower_limit").get_to(request.slower_limit);
  session.device = parse_device(json.at("device").get<std::string>());
  json.at("source_root").get_to(session.source_root);
  json.at("requires_sandbox").get_to(session.requires_sandbox);
  json.at("search_ended").get_to(session.search_ended);
  json.at("first_races_ended").get_to(session.first_races_ended);
  json.at("ended").get_to(session.ended);
}

}  // namespace robust_kbench
