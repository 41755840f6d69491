#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A listener of a run, as one that shows it to a person. Threads call it at the same time.
class RunListener {
 public:
  virtual ~RunListener() = default;

  // Hears the run's id, before it is carried out.
  virtual void begins(const std::string& run) { (void)run; }
  // Shows an event of docs/archive.md.
  virtual void show(const nlohmann::json& event) { (void)event; }
  // Shows what an evaluation is doing.
  virtual void progress(const std::string& text) { (void)text; }
  // Hears that a language model has answered the question of this name.
  virtual void answered(const std::string& call) { (void)call; }
  // Shows what a person should keep in sight, as that an endpoint ignores a setting.
  virtual void note(const std::string& text) = 0;
  // Takes a function that tells how much models have cost so far. It comes before all other calls.
  virtual void spends(const std::function<std::string()>& spending) { (void)spending; }
};

}  // namespace robust_kbench
