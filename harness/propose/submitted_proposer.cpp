#include "propose/submitted_proposer.hpp"

#include <algorithm>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "propose/source_check.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::optional<std::string> text = read_utf8(path);
  if (!text) throw UserError("the kernel '" + path.string() + "' cannot be read");
  return *std::move(text);
}

fs::path inbox_of(const fs::path& run_directory) {
  return run_directory / "submitted";
}

// The name of the file that was submitted, after the time, whose milliseconds follow a dot, and the
// process.
std::string given_name(const std::string& name) {
  std::size_t begin = 0;
  for (int dots = 0; dots < 3; ++dots) begin = name.find('.', begin) + 1;
  return name.substr(begin);
}

}  // namespace

// Names the file after its time, which orders files, and its process, which tells those of one time
// apart.
void submit_to_run(const fs::path& run_directory, const fs::path& source, Device device,
                   const std::string& at) {
  const std::string text = content_of(source);
  const std::string fault = source_fault(text, device);
  if (!fault.empty()) throw UserError("the kernel '" + source.string() + "': " + fault);
  OutputFile(inbox_of(run_directory) /
             (at + "." + std::to_string(getpid()) + "." + source.filename().string()))
      .write(text);
}

SubmittedProposer::SubmittedProposer(fs::path run_directory, Journal& journal)
    : Proposer({.name = "submit", .comes_first = true, .works_without_profile = true}),
      m_run_directory(std::move(run_directory)),
      m_journal(journal) {}

nlohmann::json SubmittedProposer::take() const {
  std::vector<fs::path> waiting;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(inbox_of(m_run_directory), none)) {
    const std::string extension = file.path().extension();
    if (extension == ".cpp" || extension == ".cu") waiting.push_back(file.path());
  }
  if (waiting.empty()) return nullptr;
  const fs::path oldest = *std::min_element(waiting.begin(), waiting.end());
  return {{"name", oldest.filename()}, {"text", content_of(oldest)}};
}

// A file is removed once the journal holds it, so none is lost and none is taken twice.
std::optional<Proposer::Job> SubmittedProposer::begin(const ProposalRequest& request) {
  const nlohmann::json taken =
      m_journal.once("submitted/" + std::to_string(request.id), [&] { return take(); });
  if (taken.is_null()) return std::nullopt;
  std::error_code ignored;
  fs::remove(inbox_of(m_run_directory) / taken.at("name").get<std::string>(), ignored);
  return job_of({.text = taken.at("text"),
                 .strategy = "submitted " + given_name(taken.at("name").get<std::string>())});
}

}  // namespace robust_kbench
