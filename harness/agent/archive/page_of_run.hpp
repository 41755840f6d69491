#pragma once

#include <string>

#include "agent/agent_program.hpp"
#include "archive/archive.hpp"
#include "report/page_file.hpp"

namespace robust_kbench {

// The file of a page that shows a run of an archive.
class PageOfRun {
 public:
  // `archive` outlives this object. Throws UserError where the file cannot be written.
  PageOfRun(const Archive& archive, const std::string& file, const AgentProgram& program);

  // Writes what the archive has of the run now.
  void write(const std::string& run) const;

 private:
  const Archive& m_archive;
  const Scrubber m_scrubber;
  const PageFile m_file;
};

}  // namespace robust_kbench
