#include "archive/export_jsonl.hpp"

#include "archive/row_tables.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// Reasons and sources may hold bytes that are no UTF-8.
void write_line(std::ostream& out, const json& line) {
  out << line.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
}

}  // namespace

void export_jsonl(const Archive& archive, const std::string& run, std::ostream& out) {
  json first = archive.run(run);
  first["type"] = "run";
  write_line(out, first);
  for (const ProposalRow& proposal : archive.proposals(run)) {
    json line = proposal;
    line["type"] = "proposal";
    line["source"] = nullptr;
    line["record"] = nullptr;
    if (!proposal.source_hash.empty()) line["source"] = archive.content(proposal.source_hash);
    if (!proposal.record_hash.empty()) {
      line["record"] = parse_json(archive.content(proposal.record_hash));
    }
    write_line(out, line);
  }
  for (const CallRow& call : archive.calls(run)) {
    json line = call;
    line["type"] = "call";
    write_line(out, line);
  }
}

}  // namespace robust_kbench
