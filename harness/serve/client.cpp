#include "serve/client.hpp"

#include <exception>
#include <iterator>

#include "core/error.hpp"
#include "serve/answer_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

void Client::take(const nlohmann::json& object) {
  try {
    std::visit([this](const auto& request) { take(request); }, parse_client_request(object));
  } catch (const BadRequest& error) {
    const std::scoped_lock lock(m_mutex);
    const std::string id = error.submit_id().value_or("");
    // A submission that is under way has a final line of its own.
    const bool is_final = !id.empty() && !m_submissions.contains(id);
    m_outbox.put(is_final ? final_line(id, FinalStatus::error, error.what())
                          : error_line(id, error.what()));
  }
}

void Client::refuse(const BadLine& line) {
  m_outbox.put(error_line("", fmt::format("got {}; give an object on each line, and the paths of "
                                          "long sources instead of their text",
                                          line.what())));
}

void Client::take(const HelloRequest&) {
  try {
    m_outbox.put(m_service.hello());
  } catch (const std::exception& error) {
    m_outbox.put(error_line("", std::string("the harness failed: ") + error.what()));
  }
}

void Client::take(const SubmitRequest& submit) {
  const std::scoped_lock lock(m_mutex);
  const std::string& id = submit.id;
  if (m_submissions.contains(id)) {
    m_outbox.put(error_line(
        id, "a submission with the id '" + id + "' is under way; give this one an id of its own"));
    return;
  }
  const auto self = shared_from_this();
  std::stop_source stop;
  try {
    const std::optional<Service::Place> place = m_service.submit(
        submit, stop.get_token(), [self](const nlohmann::json& line) { self->m_outbox.put(line); },
        [self, id](const nlohmann::json& line) { self->finish(id, line); });
    if (!place) {
      m_outbox.put(final_line(id, FinalStatus::busy,
                              "the queue is full; submit it again after another's final line"));
      return;
    }
    m_submissions.emplace(id, Submission{stop, *place});
    m_outbox.put(accepted_line(id));
  } catch (const UserError& error) {
    m_outbox.put(final_line(id, FinalStatus::error, error.what()));
  }
}

void Client::take(const CancelRequest& cancel) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_submissions.find(cancel.id);
  if (found == m_submissions.end()) {
    m_outbox.put(error_line(
        cancel.id, "no submission '" + cancel.id + "' is under way; it may have ended already"));
    return;
  }
  found->second.stop.request_stop();
  if (!m_service.remove(found->second.place)) return;
  m_outbox.put(final_line(cancel.id, FinalStatus::cancelled, std::string(cancelled)));
  m_submissions.erase(found);
}

void Client::leave() {
  const std::scoped_lock lock(m_mutex);
  for (auto submission = m_submissions.begin(); submission != m_submissions.end();) {
    submission->second.stop.request_stop();
    const bool removed = m_service.remove(submission->second.place);
    submission = removed ? m_submissions.erase(submission) : std::next(submission);
  }
}

std::size_t Client::under_way() const {
  const std::scoped_lock lock(m_mutex);
  return m_submissions.size();
}

void Client::finish(const std::string& id, const nlohmann::json& line) {
  const std::scoped_lock lock(m_mutex);
  m_outbox.put(line);
  m_submissions.erase(id);
}

}  // namespace robust_kbench
