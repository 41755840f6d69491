#include "runs/model_use.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "llm/keys.hpp"
#include "llm/providers.hpp"
#include "llm/start_helper.hpp"

namespace robust_kbench {
namespace {

constexpr double micro = 1e6;

SpendingCap committed_cap(const EvolutionSettings& settings) {
  SpendingCap cap;
  if (settings.max_usd > 0) {
    cap.micro_usd = MicroDollars{static_cast<std::int64_t>(std::floor(settings.max_usd * micro))};
  }
  if (settings.max_tokens > 0) cap.tokens = settings.max_tokens;
  if (settings.max_calls > 0) cap.calls = settings.max_calls;
  return cap;
}

CapTexts settings_places(const std::string& file) {
  const std::string of_file = file.empty() ? "" : " of " + file;
  return {.max_usd = "the setting max_usd" + of_file,
          .max_tokens = "the setting max_tokens" + of_file,
          .max_calls = "the setting max_calls" + of_file};
}

bool listed(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

Ledger::Options ModelUse::ledger_options(const EvolutionSettings& settings) const {
  const CapSource source = m_choices.cap();
  return {.cap = source.cap,
          .committed = committed_cap(settings),
          .places = source.places,
          .committed_places = settings_places(m_settings_file),
          .stops_on_overrun = settings.on_overrun == "stop"};
}

std::string ModelUse::cap_text(const EvolutionSettings& settings) const {
  const Ledger::Options options = ledger_options(settings);
  const std::string text = limits_text(options);
  return text.empty() ? "your cap, which is not set yet" : "your cap of " + text;
}

Ledger& ModelUse::ledger(Archive& archive, const EvolutionSettings& settings) {
  if (!m_ledger) m_ledger = std::make_unique<Ledger>(archive, ledger_options(settings));
  return *m_ledger;
}

void ModelUse::require_askable(const EvolutionSettings& settings,
                               const std::vector<std::string>& models) {
  if (settings.transport == "manual") return;
  Helper& asked = helper(settings);
  const SpendingCap own = m_choices.cap().cap;
  if (!own.micro_usd || own.tokens || own.calls) return;
  for (const std::string& model : models) {
    if (asked.estimate(model, 1, 1).cost) continue;
    throw UserError("the price of " + model +
                    " is not known, so no cap in dollars holds; correct its name, leave it out, or "
                    "give --max-tokens or --max-calls as well");
  }
}

bool ModelUse::holds_key(const std::string& variable) const {
  return listed(key_variables(m_choices.providers()), variable);
}

void ModelUse::drop_keys_but(const std::vector<std::string>& variables) const {
  std::vector<std::string> dropped = key_variables(m_choices.providers());
  std::erase_if(dropped, [&](const std::string& name) { return listed(variables, name); });
  std::map<std::string, std::string> keys = take_keys(dropped);
  forget_others(keys, {});
}

std::unique_ptr<Helper> ModelUse::renderer() const {
  return start_helper(m_program, {}, nlohmann::json(), m_choices.surroundings(),
                      m_choices.config());
}

Helper& ModelUse::helper(const EvolutionSettings& settings) {
  if (!m_helper) {
    const bool manual = settings.transport == "manual";
    m_helper = start_helper(m_program, manual ? std::vector<std::string>() : models_of(settings),
                            settings.providers, m_choices.surroundings(), m_choices.config(),
                            m_choices.plans() ? HelperUse::estimates : HelperUse::asks);
  }
  return *m_helper;
}

}  // namespace robust_kbench
