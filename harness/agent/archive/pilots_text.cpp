#include "agent/archive/pilots_text.hpp"

#include <algorithm>
#include <set>

#include "agent/archive/archive_text.hpp"
#include "process/escape.hpp"
#include "report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

std::string versions_of(const PilotRow& row) {
  return fmt::format("rkb {}, torch {}{}", row.rkb, row.torch,
                     row.driver.empty() ? "" : ", driver " + row.driver);
}

}  // namespace

std::string pilots_in_short(const std::vector<PilotRow>& rows) {
  if (rows.empty()) return "";
  std::set<std::string> models;
  std::set<std::string> versions;
  int answered = 0;
  int lost = 0;
  std::string ends;
  for (const PilotRow& row : rows) {
    if (!row.model.empty()) models.insert(row.model);
    if (!row.rkb.empty()) versions.insert(versions_of(row));
    answered += row.answered;
    lost += row.lost;
    if (!row.end.empty()) ends += fmt::format("  {} {}\n", row.pilot, row.end);
  }
  std::string text = fmt::format("{} pilots on {} answered {} times", rows.size(),
                                 fmt::join(models, " and "), answered);
  if (lost > 0) text += fmt::format("; {} claims of pilots that ended went to others", lost);
  text += "\n";
  if (models.size() > 1) {
    text +=
        "  They have devices of several models. All figures are of the one that the run began "
        "with.\n";
  }
  if (versions.size() > 1) {
    text += fmt::format("  Their versions differ: {}\n", fmt::join(versions, "; "));
  }
  return escaped(text + ends);
}

std::string pilots_text(const Archive& archive, const std::string& run) {
  const std::vector<PilotRow> rows = pilot_rows(archive.events(archive.run(run).id));
  if (rows.empty()) return "Run " + run + " had no pilots.\n";
  Table table({"pilot", "host", "label", "model", "versions", "answered", "failed", "late", "lost",
               "worked, s", "there, s", "idle", "end"});
  for (const PilotRow& row : rows) {
    table.add({cell_of(row.pilot), cell_of(row.host), text_or_dash(cell_of(row.label)),
               text_or_dash(cell_of(row.model)), cell_of(versions_of(row)),
               std::to_string(row.answered), std::to_string(row.failed), std::to_string(row.late),
               std::to_string(row.lost), fmt::format("{:.1f}", row.worked_s),
               fmt::format("{:.1f}", row.present_s), fmt::format("{:.0f} %", 100 * row.idle()),
               text_or_dash(cell_of(row.end))});
  }
  return table.console() + "\n" + pilots_in_short(rows);
}

}  // namespace robust_kbench
