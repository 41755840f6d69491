#include "evolve/adopt.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "archive/standing.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/utf8.hpp"
#include "evaluate/progress_share.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/speedup_text.hpp"
#include "process/temporary_directory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_reason = 200;  // bytes

ProposalRow chosen(const Archive& archive, const RunRow& run, const AdoptOptions& options) {
  const std::int64_t id = options.proposal != 0 ? options.proposal : run.winner;
  if (id == 0) {
    throw UserError("run " + run.id + " has no winner; name one of its proposals");
  }
  ProposalRow row = archive.proposal(run.id, id);
  if (row.outcome == ProposalOutcome::specialised && !options.specialised) {
    throw UserError(fmt::format("proposal {} is specialised: {}; give --specialised to adopt it",
                                id, row.reason));
  }
  if (!is_accepted(row) && !options.anyway) {
    const std::string reason = first_line(row.reason, longest_reason);
    throw UserError(
        fmt::format("proposal {} was not accepted: {}{}; give --anyway to adopt it if it "
                    "is right",
                    id, row.reason_class.empty() ? to_string(row.outcome) : row.reason_class,
                    reason.empty() ? "" : ": " + reason));
  }
  return row;
}

fs::path file_for(const fs::path& home, const RunRow& run, const std::string& name) {
  const std::string extension = run.device == Device::cuda ? ".cu" : ".cpp";
  if (!name.empty()) {
    const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (!std::ranges::all_of(name, is_allowed)) {
      throw UserError("--name " + name + " is no name of a kernel; give letters, digits and '_'");
    }
    fs::path file = home / (name + extension);
    if (fs::exists(file)) throw UserError(file.string() + " exists; give another --name");
    return file;
  }
  for (int number = 1;; ++number) {
    fs::path file = home / fmt::format("evolved_{}{}", number, extension);
    if (!fs::exists(file)) return file;
  }
}

// The options with which the kernel is compiled beside sources and the headers of its home, in the
// words of robust_kbench_add_kernel().
std::string beside_sources(const KernelSource& kernel, const fs::path& home) {
  std::string text;
  const auto add = [&](const char* keyword, const std::vector<std::string>& values) {
    if (!values.empty()) text += fmt::format(" {} {}", keyword, fmt::join(values, " "));
  };
  std::vector<std::string> directories = kernel.include_directories;
  std::erase(directories, home.string());
  add("INCLUDE_DIRECTORIES", directories);
  add("DEFINITIONS", kernel.definitions);
  add("OPTIONS", kernel.options);
  add("LIBRARIES", kernel.libraries);
  if (!kernel.entry_point.empty()) add("ENTRY", {kernel.entry_point});
  return text;
}

// Throws where the kernel needs more than its file: the next build compiles a file of a folder with
// nothing else.
void require_file_alone(const KernelSource& kernel, const fs::path& file, const fs::path& content) {
  const std::string beside = beside_sources(kernel, file.parent_path());
  if (kernel.sources.size() == 1 && beside.empty()) return;
  std::vector<std::string> sources = kernel.sources;
  sources.front() = file;
  throw UserError(fmt::format(
      "the proposal is compiled with more than its file, as the kernel is that its run began with, "
      "and a folder of kernels holds files alone; copy {} to {} and register it by\n  "
      "robust_kbench_add_kernel(TASK {} DIRECTION {} SOURCES {}{})",
      content.string(), file.string(), kernel.entry.task, to_string(kernel.entry.direction),
      fmt::join(sources, " "), beside));
}

}  // namespace

Adopted adopt(const Manifest& manifest, const Evaluates& evaluates, const Archive& archive,
              const std::string& run_id, const AdoptOptions& options) {
  const RunRow run = archive.run(run_id);
  const ProposalRow row = chosen(archive, run, options);
  const std::vector<KernelSource> rivals = manifest.kernels_of(run.entry, run.device);
  const fs::path home = home_of(manifest, run.entry, run.device);
  Adopted adopted{.file = file_for(home, run, options.name), .speedups = {}};

  // The kernel is evaluated under its new name, with the includes of its new home.
  const TemporaryDirectory scratch("adopt");
  const KernelSource kernel =
      archived_kernel(manifest, archive, run, row, scratch.path() / adopted.file.filename());
  require_file_alone(kernel, adopted.file, archive.content_path(row.source_hash));

  Request request;
  request.baselines = rivals.empty();
  request.synchronisation_check = true;
  for (const KernelSource& rival : rivals) request.rivals[rival.name] = rival;
  if (options.on_progress) {
    request.on_progress = [&](const Progress& made) {
      options.on_progress(made.text, share_done(made, kernel, request.stages));
    };
  }
  const KernelRecord record = evaluates(kernel, request);
  if (!record.judgement.passes()) {
    throw UserError(fmt::format("proposal {} is rejected, so it is not adopted: {}: {}", row.id,
                                label(record.judgement), record.judgement.reason));
  }
  if (record.mean_speedups.empty() && !options.anyway) {
    throw UserError(
        fmt::format("proposal {} was not timed against anything; give --anyway", row.id));
  }
  for (const SpeedupRecord& speedup : record.mean_speedups) {
    adopted.speedups += fmt::format("{}{} over {}", adopted.speedups.empty() ? "" : ", ",
                                    with_interval(speedup), speedup.against);
    if (speedup.ci_low > 1 || options.anyway || rivals.empty()) continue;
    throw UserError(
        fmt::format("proposal {} is not certainly faster than the registered kernel '{}': {}; give "
                    "--anyway to adopt it",
                    row.id, speedup.against, with_interval(speedup)));
  }
  OutputFile(adopted.file).write(archive.content(row.source_hash));
  return adopted;
}

}  // namespace robust_kbench
