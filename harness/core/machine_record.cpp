#include "core/machine_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void to_json(nlohmann::json& json, const MachineRecord& record) {
  json = {{"date", record.date},    {"host", record.host}, {"cpu", record.cpu},
          {"cpus", record.cpus},    {"rkb", record.rkb},   {"torch", record.torch},
          {"driver", record.driver}};
}

void from_json(const nlohmann::json& json, MachineRecord& record) {
  json.at("date").get_to(record.date);
  json.at("host").get_to(record.host);
  json.at("cpu").get_to(record.cpu);
  json.at("cpus").get_to(record.cpus);
  json.at("rkb").get_to(record.rkb);
  json.at("torch").get_to(record.torch);
  json.at("driver").get_to(record.driver);
}

}  // namespace robust_kbench
