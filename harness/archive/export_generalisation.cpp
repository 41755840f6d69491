#include "archive/export_generalisation.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/csv_cell.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 2> baselines{"eager", "compile"};

// The cells of a row before those of the devices.
std::string key_of(const RunRow& run, std::int64_t proposal, const json& config,
                   const std::string& baseline) {
  std::string key;
  for (const std::string& cell :
       {run.id, std::to_string(proposal), run.entry.name(), config.at("config").get<std::string>(),
        config.at("parameters").get<std::string>(),
        std::string(config.at("seen").get<bool>() ? "seen" : "unseen"), baseline}) {
    key += csv_cell(cell) + ",";
  }
  return key;
}

// The speed-up and the bounds of its interval.
std::string cells_of(const json& config, const std::string& baseline) {
  if (config.at("verdict") != "pass") return csv_cell(config.at("verdict")) + ",,";
  const json& speedups = config.at("speedups");
  if (!speedups.contains(baseline)) return "not timed,,";
  const json& speedup = speedups.at(baseline);
  return speedup.at("ratio").dump() + "," + speedup.at("ci_low").dump() + "," +
         speedup.at("ci_high").dump();
}

}  // namespace

void export_generalisation(const Archive& archive, const std::vector<std::string>& runs,
                           std::ostream& out) {
  std::set<std::string> devices;
  std::vector<std::string> keys;                                   // in the order of rows
  std::map<std::string, std::map<std::string, std::string>> rows;  // by key, then device
  for (const std::string& id : runs) {
    const RunRow run = archive.run(id);
    const auto found = run.summary.find("generalisation");
    if (run.winner == 0) throw UserError("run " + id + " has no winner; give another run");
    if (found == run.summary.end()) {
      throw UserError("the winner of run " + id + " was not re-evaluated; `" + own_command() +
                      " archive generalise " + id + "` does it");
    }
    for (const auto& [device, result] : found->items()) {
      devices.insert(device);
      for (const json& config : result.at("configs")) {
        for (const char* baseline : baselines) {
          const std::string key = key_of(run, result.at("proposal"), config, baseline);
          if (!rows.contains(key)) keys.push_back(key);
          rows[key][device] = cells_of(config, baseline);
        }
      }
    }
  }
  out << "run,proposal,entry,config,parameters,seen,against";
  for (const std::string& device : devices) {
    out << "," << csv_cell(device) << "," << csv_cell(device + " low") << ","
        << csv_cell(device + " high");
  }
  out << "\n";
  for (const std::string& key : keys) {
    std::string line = key;
    for (const std::string& device : devices) {
      const auto cells = rows.at(key).find(device);
      line += (cells == rows.at(key).end() ? ",," : cells->second) + ",";
    }
    line.pop_back();
    out << line << "\n";
  }
}

}  // namespace robust_kbench
