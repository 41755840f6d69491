#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/source_options.hpp"

#include <nlohmann/json_fwd.hpp>

// The requests that a client of `rkb serve` may send (docs/serve.md).
namespace robust_kbench {

inline constexpr std::size_t max_id_bytes = 200;

// The source of one kernel: its text, or the paths of its files.
struct SubmittedSource {
  std::string text;
  std::vector<std::string> paths;
  SourceOptions options;
};

struct HelloRequest {};

struct SubmitRequest {
  std::string id;
  std::string task;
  Direction direction = Direction::forward;
  Device device = Device::cpu;
  SubmittedSource source;
  Scope scope;
  bool bench = true;
  bool sanitize = true;
  Replay replay = Replay::if_possible;
  bool require_replay = false;
  std::map<std::string, SubmittedSource> rivals;
};

struct CancelRequest {
  std::string id;
};

using ClientRequest = std::variant<HelloRequest, SubmitRequest, CancelRequest>;

// An object that is no valid request. The text names the culprit, its value, the limit and the
// remedy.
class BadRequest : public std::runtime_error {
 public:
  // `submit_id` is the id of the submit request that the object tried to be.
  explicit BadRequest(const std::string& text, std::optional<std::string> submit_id = {})
      : std::runtime_error(text), m_submit_id(std::move(submit_id)) {}
  [[nodiscard]] const std::optional<std::string>& submit_id() const { return m_submit_id; }

 private:
  std::optional<std::string> m_submit_id;
};

// Throws BadRequest.
ClientRequest parse_client_request(const nlohmann::json& object);

}  // namespace robust_kbench
