#include "report/record_page.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/counted.hpp"
#include "core/speedup.hpp"
#include "report/baseline_means.hpp"
#include "report/failure_blocks.hpp"
#include "report/kernel_blocks.hpp"
#include "report/machine_blocks.hpp"
#include "report/page_blocks.hpp"
#include "report/speedup_blocks.hpp"
#include "report/summary.hpp"
#include "report/verdict_blocks.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// "1 of 2 timed kernels is proven faster than eager, most of all ...".
std::string winners_text(const std::vector<KernelRecord>& records) {
  std::size_t timed = 0;
  std::size_t faster = 0;
  std::optional<SpeedupRecord> best;
  std::string name;
  for (const KernelRecord& record : records) {
    const std::optional<SpeedupRecord> mean = mean_over(record, "eager");
    if (!mean) continue;
    ++timed;
    if (mean->call != RatioCall::faster) continue;
    ++faster;
    if (best && best->ratio >= mean->ratio) continue;
    best = mean;
    name = kernel_title(record);
  }
  if (timed == 0) return "No kernel was timed against eager.";
  std::string text =
      fmt::format("{} of {} proven faster than eager", faster, counted(timed, "timed kernel"));
  if (!best) return text + ".";
  return text + fmt::format("; the greatest speed-up is {} by {} (95 % interval {}).",
                            ratio_text(best->ratio), name,
                            interval_text({best->ci_low, best->ci_high}));
}

}  // namespace

nlohmann::json record_page(const std::vector<KernelRecord>& records) {
  nlohmann::json sections = nlohmann::json::array();
  const auto add = [&](const char* id, const char* title, const nlohmann::json& blocks) {
    if (!blocks.empty()) sections.push_back(page_section(id, title, blocks));
  };
  add("verdicts", "Verdicts", verdict_blocks(records));
  add("speed-ups", "Speed-ups", speedup_blocks(records));
  add("failures", "Failures", failure_blocks(records));
  add("kernel", "One kernel", kernel_blocks(records));
  add("roofline", "Share of the roofline", roofline_blocks(records));
  add("asks", "What the code asks for", use_blocks(records));
  add("judged", "How the figures were judged", judged_blocks(records));
  add("machines", "Machines", machine_blocks(records));
  const std::string title = records.size() == 1 ? kernel_title(records.front())
                                                : counted(records.size(), "kernel") + " judged";
  return {{"title", title},
          {"summary",
           {text_block(totals(records) + ".", "headline"), text_block(winners_text(records))}},
          {"sections", std::move(sections)},
          {"texts", nlohmann::json::array()}};
}

}  // namespace robust_kbench
