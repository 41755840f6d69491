#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A file of JSON lines that several processes append to.
class EventLog {
 public:
  explicit EventLog(std::filesystem::path path) : m_path(std::move(path)) {}

  // Appends the object as one whole line, or throws UserError and leaves the file as it was. First
  // it cuts off an incomplete line that a killed process left.
  void append(const nlohmann::json& event) const;
  // Returns the objects of whole lines whose member `run` is this, in their order.
  [[nodiscard]] std::vector<nlohmann::json> of_run(const std::string& run) const;

 private:
  std::filesystem::path m_path;
};

}  // namespace robust_kbench
