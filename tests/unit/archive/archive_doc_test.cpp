#include "archive_directory.hpp"
#include "sample_archive.hpp"

#include <gmock/gmock.h>

// Compares docs/archive.md with the tables and the events.
namespace robust_kbench {
namespace {

using testing::HasSubstr;

class ArchiveDocTest : public ArchiveDirectory {
 protected:
  ArchiveDocTest() {
    Archive archive(place(), Archive::Mode::create);
    fill_sample(archive);
  }
  void SetUp() override { ASSERT_FALSE(m_page.empty()) << DOCS "archive.md is missing"; }
  // The queries of the page's commands: from `sqlite3 ... "` to the closing quote. The shell
  // removes backslashes.
  [[nodiscard]] std::vector<std::string> queries() const {
    std::vector<std::string> found;
    const std::string opening = "archive.sqlite \"";
    for (std::size_t at = m_page.find(opening); at != std::string::npos;
         at = m_page.find(opening, at)) {
      at += opening.size();
      std::string query = m_page.substr(at, m_page.find('"', at) - at);
      std::erase(query, '\\');
      found.push_back(query);
    }
    return found;
  }

  const std::string m_page = text_of(DOCS "archive.md");
};

TEST_F(ArchiveDocTest, NamesEveryTableAndColumn) {
  const Database tables(database(), Database::Mode::read_only);
  Statement column = tables.prepare(
      "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c "
      "WHERE t.type = 'table'");
  int columns = 0;
  for (; column.step(); ++columns) {
    EXPECT_THAT(m_page, HasSubstr("`" + column.text(0) + "`"));
    EXPECT_THAT(m_page, HasSubstr("`" + column.text(1) + "`"));
  }
  EXPECT_GT(columns, 0);
}

TEST_F(ArchiveDocTest, NamesEveryEventAndItsFields) {
  std::ifstream in(place() / "events.jsonl");
  int events = 0;
  for (std::string line; std::getline(in, line); ++events) {
    const nlohmann::json event = nlohmann::json::parse(line);
    EXPECT_THAT(m_page, HasSubstr("| `" + event.at("event").get<std::string>() + "` |"));
    for (const auto& [field, value] : event.items()) {
      EXPECT_THAT(m_page, HasSubstr("`" + field + "`"));
    }
  }
  EXPECT_GT(events, 0);
}

TEST_F(ArchiveDocTest, HasQueriesThatRun) {
  const Database tables(database(), Database::Mode::read_only);
  ASSERT_EQ(queries().size(), 2);
  Statement refusals = tables.prepare(queries()[0]);
  ASSERT_TRUE(refusals.step());
  EXPECT_EQ(refusals.integer(1), 1);
  std::string lineage = queries()[1];
  lineage.replace(lineage.find("id = 12"), 7, "id = 6");
  Statement ancestor = tables.prepare(lineage);
  std::vector<std::int64_t> ids;
  while (ancestor.step()) ids.push_back(ancestor.integer(0));
  EXPECT_THAT(ids, testing::ElementsAre(6, 2, 1));
}

}  // namespace
}  // namespace robust_kbench
