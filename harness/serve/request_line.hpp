#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/source_options.hpp"

// The requests that a client of `rkb serve` may send, one JSON object a line. docs/serve.md
// describes them.
namespace robust_kbench {

inline constexpr std::size_t max_line_bytes = std::size_t{4} << 20;
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
  std::map<std::string, SubmittedSource> rivals;
};

struct CancelRequest {
  std::string id;
};

using RequestLine = std::variant<HelloRequest, SubmitRequest, CancelRequest>;

// A line that is no valid request. The text names the culprit, its value, the limit and the remedy.
class BadRequest : public std::runtime_error {
 public:
  // `submit_id` is the id of the submit request that the line tried to be.
  explicit BadRequest(const std::string& text, std::optional<std::string> submit_id = {})
      : std::runtime_error(text), m_submit_id(std::move(submit_id)) {}
  [[nodiscard]] const std::optional<std::string>& submit_id() const { return m_submit_id; }

 private:
  std::optional<std::string> m_submit_id;
};

// Throws BadRequest.
RequestLine parse_request_line(std::string_view line);

}  // namespace robust_kbench
