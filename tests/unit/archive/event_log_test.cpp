#include "archive/event_log.hpp"

#include "archive_directory.hpp"
#include "core/error.hpp"
#include "full_disk.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

class EventLogTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return m_directory / "events.jsonl"; }
};

TEST_F(EventLogTest, AppendsWholeLines) {
  const EventLog log(path());
  log.append({{"number", 1}});
  EventLog(path()).append({{"number", 2}});
  EXPECT_EQ(text_of(path()), "{\"number\":1}\n{\"number\":2}\n");
}

TEST_F(EventLogTest, CutsOffHalfALine) {
  // Longer than one read, so that its start is found in a second one.
  std::ofstream(path()) << "{\"number\":1}\n{\"text\":\"" << std::string(10'000, 'x');
  EventLog(path()).append({{"number", 2}});
  EXPECT_EQ(text_of(path()), "{\"number\":1}\n{\"number\":2}\n");
}

TEST_F(EventLogTest, CutsOffALineThatIsAllThereIs) {
  std::ofstream(path()) << "{\"numb";
  EventLog(path()).append({{"number", 2}});
  EXPECT_EQ(text_of(path()), "{\"number\":2}\n");
}

TEST_F(EventLogTest, ReplacesBytesThatAreNoUtf8) {
  EventLog(path()).append({{"reason", "a\xff"}});
  EXPECT_EQ(text_of(path()), "{\"reason\":\"a\xef\xbf\xbd\"}\n");
}

TEST_F(EventLogTest, LeavesNoHalfLineOnAFullDisk) {
  const EventLog log(path());
  log.append({{"number", 1}});
  {
    const FullDisk full(std::filesystem::file_size(path()) + 5);
    EXPECT_THROW(log.append({{"number", 2}}), UserError);
  }
  EXPECT_EQ(text_of(path()), "{\"number\":1}\n");
}

TEST_F(EventLogTest, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(EventLog(m_directory / "missing/events.jsonl").append({{"number", 1}}), UserError);
}

}  // namespace
}  // namespace robust_kbench
