#include "archive/export_dataset.hpp"

#include <sstream>
#include <string_view>

#include "archive/dataset_row.hpp"
#include "archive/export_csv.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/scrub.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

void require_empty(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error) || fs::is_empty(directory, error)) return;
  throw UserError("'" + directory.string() +
                  "' is no empty directory; name another one by --out for the dataset");
}

void write_files(const DatasetRow& row, const fs::path& directory, const Scrubber& scrubber) {
  const fs::path folder = directory / row.folder;
  if (has_source(row.proposal)) {
    OutputFile(folder / kernel_file(row.proposal))
        .write(scrubber.scrubbed(std::string_view(row.archive.content(row.proposal.source_hash))));
  }
  if (row.messages.proposing.empty()) return;
  OutputFile(folder / "msg_hist.json").write(row.messages.proposing);
}

}  // namespace

void export_dataset(const Archive& archive, const std::string& run, const fs::path& directory,
                    const std::vector<std::string>& personal) {
  require_empty(directory);
  const RunRow run_row = archive.run(run);
  const Scrubber scrubber = usual_scrubber(archive.directory(), personal);
  const DatasetRows rows(archive, run_row, scrubber);
  for (std::size_t i = 0; i < rows.proposals().size(); ++i) {
    write_files(rows.row(i), directory, scrubber);
  }
  std::ostringstream results;
  export_csv(archive, run, results, personal);
  OutputFile(directory / "results.csv").write(results.str());
}

}  // namespace robust_kbench
