#include "runs/recorded.hpp"

namespace robust_kbench {

Recorded::Recorded(const std::string& given, const std::filesystem::path& usual)
    : archive(given.find(':') == std::string::npos
                  ? usual
                  : std::filesystem::path(given.substr(0, given.rfind(':'))),
              Archive::Mode::read_only),
      run{archive, given.substr(given.rfind(':') + 1)} {
  (void)archive.run(run.run);  // throws where it is unknown
}

std::unique_ptr<Recorded> recorded(const std::string& given, const std::filesystem::path& usual) {
  return given.empty() ? nullptr : std::make_unique<Recorded>(given, usual);
}

std::optional<RecordedRun> run_of(const std::unique_ptr<Recorded>& recorded) {
  return recorded ? std::optional(recorded->run) : std::nullopt;
}

std::optional<RunRow> known_run(const std::string& resumed, const std::string& replayed,
                                const std::filesystem::path& usual) {
  const std::unique_ptr<Recorded> known = recorded(resumed.empty() ? replayed : resumed, usual);
  return known ? std::optional(known->archive.run(known->run.run)) : std::nullopt;
}

}  // namespace robust_kbench
