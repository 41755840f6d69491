#include "filter/speedup_means.hpp"

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/statistics.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::string trimmed(const std::string& text) {
  const char* const blanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class SpeedupTable {
 public:
  void add(const std::string& task, double speedup) {
    if (!(speedup > 0)) {
      throw UserError(
          fmt::format("the speed-up of '{}' is {}, and must be above 0", task, speedup));
    }
    if (!m_speedups.emplace(task, speedup).second) {
      throw UserError(fmt::format("task '{}' is in the table twice; name each once", task));
    }
  }
  [[nodiscard]] std::map<std::string, double> take() { return std::move(m_speedups); }

 private:
  std::map<std::string, double> m_speedups;
};

void read_json(const json& content, SpeedupTable& table) {
  try {
    if (content.is_object()) {
      for (const auto& [task, speedup] : content.items()) table.add(task, speedup.get<double>());
    } else {
      for (const json& row : content) {
        table.add(row.at("task").get<std::string>(), row.at("speedup").get<double>());
      }
    }
  } catch (const json::exception& error) {
    throw UserError(
        fmt::format("the table of speed-ups is neither an object of numbers nor a list "
                    "of objects with task and speedup: {}",
                    error.what()));
  }
}

void read_csv(const std::string& text, SpeedupTable& table) {
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (trimmed(line).empty()) continue;
    const std::size_t comma = line.find(',');
    const std::string task = trimmed(line.substr(0, comma));
    const std::string value = comma == std::string::npos ? "" : trimmed(line.substr(comma + 1));
    if (number == 1 && task == "task") continue;
    const json speedup = parse_json_if_any(value);
    if (task.empty() || !speedup.is_number()) {
      throw UserError(fmt::format("line {} of the table of speed-ups is '{}'; each is task,speedup",
                                  number, line));
    }
    table.add(task, speedup.get<double>());
  }
}

}  // namespace

std::map<std::string, double> read_speedups(const std::string& text) {
  SpeedupTable table;
  const json content = parse_json_if_any(text);
  if (content.is_object() || content.is_array()) {
    read_json(content, table);
  } else {
    read_csv(text, table);
  }
  std::map<std::string, double> speedups = table.take();
  if (speedups.empty()) throw UserError("the table of speed-ups has no task");
  return speedups;
}

SpeedupMeans speedup_means(const std::map<std::string, double>& speedups,
                           const std::vector<TaskVerdict>& verdicts) {
  std::vector<double> all;
  std::vector<double> not_caught;
  for (const auto& [task, speedup] : speedups) {
    const auto verdict = std::ranges::find(verdicts, task, &TaskVerdict::task);
    if (verdict == verdicts.end()) {
      throw UserError(
          fmt::format("the table of speed-ups names '{}', which was not filtered; name "
                      "it among the tasks",
                      task));
    }
    all.push_back(speedup);
    if (!verdict->caught()) not_caught.push_back(speedup);
  }
  SpeedupMeans means{
      .tasks = all.size(), .mean = geometric_mean(all), .tasks_not_caught = not_caught.size()};
  if (!not_caught.empty()) means.mean_not_caught = geometric_mean(not_caught);
  return means;
}

}  // namespace robust_kbench
