#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "llm/spending_cap.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// The rest of each limit of a cap; nullopt where the cap has no such limit.
struct Budget {
  std::optional<MicroDollars> micro_usd;
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> calls;
};

// Decides which attempts to ask a language model may be made, and records their costs. It serves a
// whole command, with all its runs. Any thread may call it.
//
// The reservation of an attempt is on the disk before the attempt is granted, and counts until it
// has ended. So neither a kill nor a second thread can exceed a cap.
class Ledger {
 public:
  struct Options {
    SpendingCap cap;                // the person's own
    SpendingCap committed = {};     // of a repository's settings, which may only lower the cap
    CapTexts places = cap_options;  // the origin of each limit of the cap, for messages
    CapTexts committed_places = cap_options;
    bool stops_on_overrun = true;  // no attempt is granted after one that cost more than reserved
  };
  // The archive outlives this object.
  Ledger(Archive& archive, const Options& options);

  // Includes the calls of this run in the sums, also those of earlier processes.
  void cover(const std::string& run);
  // Covers a run that will make calls. Attempts that a killed process left open are closed as
  // `unknown`. Throws as Archive::hold() does.
  void begin(const std::string& run);

  // Adds a row for an attempt of a call of a run that has begun. It is `reserved`, or `not_granted`
  // with a message for people. If it fits unless the current attempts cost as much as they may, it
  // waits for their ends. So a thread may have only one current attempt.
  CallRow reserve(const CallIdentity& identity, const std::string& host,
                  const Reservation& reservation);
  // Charges an attempt that reserve() has granted. Returns its updated row.
  CallRow settle(const CallRow& reserved, const AttemptEnd& end);
  // Closes an attempt whose end will never be known.
  void abandon(const CallRow& reserved, const std::string& why);
  // Records an answer that cost nothing.
  void note_unpaid(const CallIdentity& identity, const std::string& host);

  // The charges of the runs. Current attempts count as calls and cost nothing yet.
  [[nodiscard]] CallTotals spent() const;
  [[nodiscard]] Budget left() const;
  // The reason why no further attempt is granted; nullopt while some may be.
  [[nodiscard]] std::optional<std::string> stopped() const;
  // The reason why an attempt did not fit into the cap; nullopt: all did. A cheaper one may still
  // fit.
  [[nodiscard]] std::optional<std::string> exhausted() const;

 private:
  [[nodiscard]] std::string refusal(const CallRow& row, const CallTotals& totals) const;
  // Whether one of the person's limits bounds the attempt's cost. Without such a bound, other
  // attempts may still fit.
  [[nodiscard]] bool has_bound(const CallRow& row) const;
  // Whether the end of a current attempt may make room for this one.
  [[nodiscard]] bool may_fit_later(const CallRow& row) const;
  void close(const CallRow& row);

  Archive& m_archive;
  const Options m_options;
  const SpendingCap m_cap;           // the person's cap, lowered by the committed one
  const CapTexts m_places;           // the origin of each limit of it
  std::vector<std::string> m_runs;   // covered
  std::vector<std::string> m_begun;  // a subset of these
  CallTotals m_under_way;            // granted by this object and not ended
  std::optional<std::string> m_stopped;
  std::optional<std::string> m_exhausted;
  mutable std::mutex m_mutex;
  std::condition_variable m_ended;
};

// The limits of a cap with their origins: "$5.00 (--max-usd), 12 calls (RKB_MAX_CALLS)". Empty
// where no model may be asked.
std::string limits_text(const Ledger::Options& options);

// A text for people: "$1.20, 40000 tokens, 12 calls left".
std::string to_text(const Budget& budget);

}  // namespace robust_kbench
