#include "agent/translation_view.hpp"

#include "archive/rows.hpp"
#include "core/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_reason = 200;  // bytes

}  // namespace

void TranslationView::show(const nlohmann::json& event) {
  const std::lock_guard lock(m_mutex);
  const std::string kind = event.at("event");
  if (kind == "asking") {
    m_attempt = event.at("id");
    update("waits for the model");
  } else if (kind == "proposal" && event.at("outcome") == to_string(ProposalOutcome::refused)) {
    m_line.finish(fmt::format("attempt {}: {}: {}", m_attempt,
                              event.at("reason_class").get<std::string>(),
                              first_line(event.at("reason").get<std::string>(), longest_reason)));
  } else if (kind == "proposal" && event.at("outcome") == to_string(ProposalOutcome::kept)) {
    m_line.finish(fmt::format("attempt {}: right", m_attempt));
  }
}

void TranslationView::progress(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  update(text);
}

void TranslationView::note(const std::string& text) {
  const std::lock_guard lock(m_mutex);
  m_line.finish(text);
}

void TranslationView::update(const std::string& text) {
  const std::string money = m_spending ? m_spending() : "";
  m_line.update(fmt::format("{:.0f} s: attempt {} of {}: {}{}", m_line.seconds(), m_attempt,
                            m_attempts, money.empty() ? "" : money + "; ", text),
                static_cast<double>(m_attempt - 1) / m_attempts);
}

}  // namespace robust_kbench
