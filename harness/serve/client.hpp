#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "process/json_lines.hpp"
#include "serve/client_request.hpp"
#include "serve/outbox.hpp"
#include "serve/service.hpp"

namespace robust_kbench {

// The submissions of one client. Make it by std::make_shared, since submissions under way keep it
// alive.
class Client : public std::enable_shared_from_this<Client> {
 public:
  // `service` outlives all submissions.
  explicit Client(Service& service) : m_service(service) {}

  // Does what an object asks for, and puts the answers into the outbox.
  void take(const nlohmann::json& object);
  // Answers a line that is no request.
  void refuse(const BadLine& line);
  // Cancels all of its submissions, since nobody reads the answers any longer.
  void leave();

  // Returns how many submissions have no final line in the outbox yet.
  [[nodiscard]] std::size_t under_way() const;
  Outbox& outbox() { return m_outbox; }

 private:
  struct Submission {
    std::stop_source stop;
    Service::Place place;
  };

  void take(const HelloRequest& hello);
  void take(const SubmitRequest& submit);
  void take(const CancelRequest& cancel);
  void finish(const std::string& id, const nlohmann::json& line);

  Service& m_service;
  Outbox m_outbox;
  mutable std::mutex m_mutex;
  std::map<std::string, Submission> m_submissions;
};

}  // namespace robust_kbench
