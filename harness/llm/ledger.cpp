#include "llm/ledger.hpp"

#include <algorithm>

#include "archive/timestamp.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"

namespace robust_kbench {
namespace {

CallRow charged_by(CallRow row, const AttemptEnd& end) {
  row.status = end.status;
  row.seconds = end.seconds;
  row.usage = end.usage;
  row.message = end.message;
  if (!end.is_billable && !end.usage && !end.cost) {
    row.state = CallState::failed;
    row.charged = MicroDollars{};
    return row;
  }
  const std::optional<MicroDollars> at_most = end.at_most ? end.at_most->cost : row.reserved;
  row.charged = end.cost ? end.cost : at_most;
  // Without a usage, an endpoint's own cost may be anything, and must not disable a cap.
  if (!end.usage && at_most) row.charged = std::max(*row.charged, *at_most);
  row.charged_tokens = end.usage     ? end.usage->total()
                       : end.at_most ? end.at_most->tokens()
                                     : row.reserved_tokens;
  const bool is_over =
      row.charged_tokens > row.reserved_tokens || (row.reserved && *row.charged > *row.reserved);
  // A price without a usage may be the endpoint's own report, which does not measure the money.
  const bool is_known = end.usage && (end.cost || !row.reserved);
  row.state = is_known ? CallState::charged : CallState::estimated;
  if (is_over) row.state = CallState::overrun;
  return row;
}

std::string overrun_message(const CallRow& row) {
  const auto amounts = [](std::optional<MicroDollars> amount, std::int64_t tokens) {
    return (amount ? to_text(*amount) + " and " : "") + std::to_string(tokens) + " tokens";
  };
  return "call " + row.identity.call + " of run " + row.identity.run + " to " + row.identity.model +
         " cost " + amounts(row.charged, row.charged_tokens) + ", but at most " +
         amounts(row.reserved, row.reserved_tokens) +
         " had been reserved; look at the endpoint's bill before you resume the run";
}

CallRow closed_unknown(CallRow row, const std::string& why) {
  row.state = CallState::unknown;
  row.status = "unknown";
  row.charged = row.reserved;
  row.charged_tokens = row.reserved_tokens;
  row.message = why;
  row.ended_at = timestamp();
  return row;
}

bool contains(const std::vector<std::string>& runs, const std::string& run) {
  return std::find(runs.begin(), runs.end(), run) != runs.end();
}

template <typename Amount>
std::optional<Amount> rest(const std::optional<Amount>& limit, const Amount& used) {
  if (!limit) return std::nullopt;
  return std::max(*limit - used, Amount{});
}

// The origin of each limit of the lowered cap.
CapTexts places_of(const Ledger::Options& options) {
  const SpendingCap cap = lowered(options.cap, options.committed);
  const CapTexts& own = options.places;
  const CapTexts& committed = options.committed_places;
  return {.max_usd = cap.micro_usd == options.cap.micro_usd ? own.max_usd : committed.max_usd,
          .max_tokens = cap.tokens == options.cap.tokens ? own.max_tokens : committed.max_tokens,
          .max_calls = cap.calls == options.cap.calls ? own.max_calls : committed.max_calls};
}

}  // namespace

Ledger::Ledger(Archive& archive, const Options& options)
    : m_archive(archive),
      m_options(options),
      m_cap(lowered(options.cap, options.committed)),
      m_places(places_of(options)) {}

void Ledger::cover(const std::string& run) {
  const std::scoped_lock lock(m_mutex);
  if (!contains(m_runs, run)) m_runs.push_back(run);
}

void Ledger::begin(const std::string& run) {
  cover(run);
  const std::scoped_lock lock(m_mutex);
  if (contains(m_begun, run)) return;
  m_archive.hold(run);
  for (CallRow& row : m_archive.calls(run)) {
    if (row.state != CallState::reserved) continue;
    m_archive.end_call(closed_unknown(std::move(row), "the process ended before the attempt did"));
  }
  m_begun.push_back(run);
}

CallRow Ledger::reserve(const CallIdentity& identity, const std::string& host,
                        const Reservation& reservation) {
  std::unique_lock lock(m_mutex);
  if (!contains(m_begun, identity.run)) {
    throw HarnessError("the run '" + identity.run + "' has not begun in the ledger");
  }
  const CallRow wanted{.identity = identity,
                       .host = host,
                       .reserved = reservation.cost,
                       .reserved_tokens = reservation.tokens()};
  m_ended.wait(lock, [&] { return !may_fit_later(wanted); });
  CallRow added =
      m_archive.add_call(wanted, m_runs, [this](CallRow& row, const CallTotals& totals) {
        const std::string reason = refusal(row, totals);
        if (reason.empty()) return;
        if (has_bound(row)) m_exhausted = reason;
        row.state = CallState::not_granted;
        row.status = "not_granted";
        row.message = reason;
        row.charged = MicroDollars{};
        row.ended_at = row.started_at;
      });
  if (added.state == CallState::reserved) {
    const nlohmann::json& price = reservation.price;
    if (!price.is_null()) {
      const std::string key = "price/" + identity.model + "/" + sha256(price.dump());
      m_archive.record_effect(identity.run, key, price);
    }
    m_under_way.micro_usd = m_under_way.micro_usd + added.reserved.value_or(MicroDollars{});
    m_under_way.tokens += added.reserved_tokens;
  }
  return added;
}

CallRow Ledger::settle(const CallRow& reserved, const AttemptEnd& end) {
  const std::scoped_lock lock(m_mutex);
  CallRow row = charged_by(reserved, end);
  if (row.state == CallState::overrun) {
    row.message = overrun_message(row);
    if (m_options.stops_on_overrun) m_stopped = row.message;
  }
  row.ended_at = timestamp();
  close(row);
  return row;
}

void Ledger::abandon(const CallRow& reserved, const std::string& why) {
  const std::scoped_lock lock(m_mutex);
  close(closed_unknown(reserved, why));
}

void Ledger::note_unpaid(const CallIdentity& identity, const std::string& host) {
  const std::scoped_lock lock(m_mutex);
  m_archive.add_call({.identity = identity, .host = host}, m_runs,
                     [](CallRow& row, const CallTotals&) {
                       row.state = CallState::unpaid;
                       row.status = "ok";
                       row.charged = MicroDollars{};
                       row.ended_at = row.started_at;
                     });
}

CallTotals Ledger::spent() const {
  const std::scoped_lock lock(m_mutex);
  CallTotals totals = m_archive.call_totals(m_runs);
  totals.micro_usd = totals.micro_usd - m_under_way.micro_usd;
  totals.tokens -= m_under_way.tokens;
  return totals;
}

Budget Ledger::left() const {
  const std::scoped_lock lock(m_mutex);
  const CallTotals totals = m_archive.call_totals(m_runs);
  return {.micro_usd = rest(m_cap.micro_usd, totals.micro_usd),
          .tokens = rest(m_cap.tokens, totals.tokens),
          .calls = rest(m_cap.calls, totals.calls)};
}

std::optional<std::string> Ledger::stopped() const {
  const std::scoped_lock lock(m_mutex);
  return m_stopped;
}

std::optional<std::string> Ledger::exhausted() const {
  const std::scoped_lock lock(m_mutex);
  return m_exhausted;
}

std::string Ledger::refusal(const CallRow& row, const CallTotals& totals) const {
  if (m_stopped) return *m_stopped;
  if (!m_cap.is_set()) return "no cap is set, and without one no model is asked; give --max-usd";
  const std::string& model = row.identity.model;
  if (!has_bound(row)) {
    return "the price of " + model +
           " is not known, so no cap in dollars holds; give --max-tokens or --max-calls as well";
  }
  const auto exceeded = [&](const std::string& asked, const std::string& used,
                            const std::string& limit, const std::string& place) {
    return model + " may take up to " + asked + ", and " + used + " of the cap of " + limit +
           " are spent or reserved; raise " + place + " to go on";
  };
  // Without a price only the bill gives an attempt's cost, so some of the cap must be left for it.
  const MicroDollars least = row.reserved.value_or(MicroDollars{1});
  if (m_cap.micro_usd && totals.micro_usd + least > *m_cap.micro_usd) {
    return exceeded(row.reserved ? to_text(*row.reserved) : "an unknown amount",
                    to_text(totals.micro_usd), to_text(*m_cap.micro_usd), m_places.max_usd);
  }
  if (m_cap.tokens && totals.tokens + row.reserved_tokens > *m_cap.tokens) {
    return exceeded(std::to_string(row.reserved_tokens) + " tokens", std::to_string(totals.tokens),
                    std::to_string(*m_cap.tokens) + " tokens", m_places.max_tokens);
  }
  if (m_cap.calls && totals.calls + 1 > *m_cap.calls) {
    return exceeded("one call", std::to_string(totals.calls),
                    std::to_string(*m_cap.calls) + " calls", m_places.max_calls);
  }
  return "";
}

// A committed limit may be arbitrarily high, so it replaces none of the person's limits.
bool Ledger::has_bound(const CallRow& row) const {
  return row.reserved || m_options.cap.tokens || m_options.cap.calls;
}

bool Ledger::may_fit_later(const CallRow& row) const {
  const CallTotals now = m_archive.call_totals(m_runs);
  if (refusal(row, now).empty()) return false;
  CallTotals then = now;
  then.micro_usd = then.micro_usd - m_under_way.micro_usd;
  then.tokens -= m_under_way.tokens;
  return refusal(row, then).empty();
}

void Ledger::close(const CallRow& row) {
  m_under_way.micro_usd = m_under_way.micro_usd - row.reserved.value_or(MicroDollars{});
  m_under_way.tokens -= row.reserved_tokens;
  m_ended.notify_all();
  m_archive.end_call(row);  // last, since waiting threads must wake up even where it fails
}

std::string limits_text(const Ledger::Options& options) {
  const SpendingCap cap = lowered(options.cap, options.committed);
  const CapTexts places = places_of(options);
  std::string text;
  const auto add = [&](const std::string& amount, const std::string& place) {
    text += (text.empty() ? "" : ", ") + amount + " (" + place + ")";
  };
  if (cap.micro_usd) add(to_text(*cap.micro_usd), places.max_usd);
  if (cap.tokens) add(std::to_string(*cap.tokens) + " tokens", places.max_tokens);
  if (cap.calls) add(std::to_string(*cap.calls) + " calls", places.max_calls);
  return text;
}

std::string to_text(const Budget& budget) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (budget.micro_usd) add(to_text(*budget.micro_usd));
  if (budget.tokens) add(std::to_string(*budget.tokens) + " tokens");
  if (budget.calls) add(std::to_string(*budget.calls) + " calls");
  return text.empty() ? "nothing left" : text + " left";
}

}  // namespace robust_kbench
