#include <functional>
#include <unistd.h>

#include "archive/archive.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"
#include "full_disk.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr int many_rows = 50;  // on a dozen pages

// Permissions do not restrict root, so the test gives root's rights up for its lifetime.
class OrdinaryUser {
 public:
  OrdinaryUser() : m_before(geteuid()) {
    constexpr uid_t nobody = 65534;
    if (m_before == 0 && seteuid(nobody) != 0) throw std::runtime_error("seteuid");
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;
  ~OrdinaryUser() { (void)!seteuid(m_before); }

 private:
  uid_t m_before;
};

class ArchiveFailuresTest : public ArchiveDirectory {
 protected:
  // An archive with a run, and rows on several pages.
  void fill() const {
    Archive archive(place(), Archive::Mode::create);
    const RunRow run =
        archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1, json::object());
    for (int id = 1; id <= many_rows; ++id) archive.save(proposal(id));
  }
  static ProposalRow proposal(int id) {
    ProposalRow row;
    row.id = id;
    row.run = "layernorm.forward.cpu.1";
    row.reason = std::string(1000, 'x');
    return row;
  }
  [[nodiscard]] Archive opened(Archive::Mode mode) const { return {place(), mode}; }
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const UserError& error) {
      return error.what();
    }
    return "no UserError";
  }
  [[nodiscard]] std::string refusal_to(Archive::Mode mode) const {
    return message_of([&] { (void)opened(mode); });
  }
};

TEST_F(ArchiveFailuresTest, NeedsAnArchiveUnlessItMayMakeOne) {
  const auto why = HasSubstr("' holds no archive: no archive.sqlite is in it; name the directory");
  EXPECT_THAT(refusal_to(Archive::Mode::read_only), why);
  EXPECT_THAT(refusal_to(Archive::Mode::read_write), why);
  EXPECT_FALSE(fs::exists(place()));
}

TEST_F(ArchiveFailuresTest, SaysThatItsDirectoryIsAFile) {
  std::ofstream(place()) << "a file";
  EXPECT_THAT(refusal_to(Archive::Mode::create),
              HasSubstr("is no directory; name another by --archive"));
  EXPECT_THAT(refusal_to(Archive::Mode::read_only), HasSubstr("holds no archive"));
}

TEST_F(ArchiveFailuresTest, LeavesAFileOfAnotherKindAlone) {
  fs::create_directories(place());
  const std::string text(5000, 'x');
  std::ofstream(database()) << text;
  for (const auto mode : {Archive::Mode::create, Archive::Mode::read_only}) {
    EXPECT_THAT(refusal_to(mode), EndsWith("archive.sqlite is no SQLite file; name another "
                                           "directory by --archive"));
  }
  EXPECT_EQ(text_of(database()), text);
}

TEST_F(ArchiveFailuresTest, LeavesAnotherProgramsDatabaseAlone) {
  fs::create_directories(place());
  Database(database(), Database::Mode::create).execute("CREATE TABLE songs(name TEXT)");
  const std::string bytes = text_of(database());
  for (const auto mode : {Archive::Mode::create, Archive::Mode::read_only}) {
    EXPECT_THAT(refusal_to(mode), HasSubstr("is a database of another program"));
  }
  EXPECT_EQ(text_of(database()), bytes);
}

TEST_F(ArchiveFailuresTest, CompletesAnArchiveWithoutTables) {
  fs::create_directories(place());
  std::ofstream{database()};
  EXPECT_THAT(refusal_to(Archive::Mode::read_write), HasSubstr("its archive.sqlite is empty"));
  fill();
  EXPECT_EQ(opened(Archive::Mode::read_only).runs().size(), 1);
}

TEST_F(ArchiveFailuresTest, LeavesANewerArchiveAlone) {
  fill();
  Database(database(), Database::Mode::read_write).execute("PRAGMA user_version = 7");
  for (const auto mode : {Archive::Mode::create, Archive::Mode::read_only}) {
    EXPECT_THAT(refusal_to(mode), HasSubstr("has schema 7, and this program knows those up to 3; "
                                            "use the newer program"));
  }
}

TEST_F(ArchiveFailuresTest, FindsADamagedPage) {
  fill();
  constexpr int page = 4096;
  std::fstream file(database(), std::ios::in | std::ios::out | std::ios::binary);
  for (std::uintmax_t at = 8 * page; at < fs::file_size(database()); at += page) {
    file.seekp(static_cast<std::streamoff>(at));
    file << std::string(page / 2, 'x');
  }
  file.close();
  const auto why = AllOf(HasSubstr("archive.sqlite is damaged: "), HasSubstr(".recover"));
  EXPECT_THAT(refusal_to(Archive::Mode::read_write), why);
  const Archive archive = opened(Archive::Mode::read_only);
  EXPECT_THAT(message_of([&] { (void)archive.proposals("layernorm.forward.cpu.1"); }), why);
}

TEST_F(ArchiveFailuresTest, FindsADamagedCell) {
  fill();
  Database(database(), Database::Mode::read_write)
      .execute("UPDATE proposals SET settings = '{' WHERE id = 3; UPDATE runs SET seed = 'x'");
  const Archive archive = opened(Archive::Mode::read_only);
  const auto why = HasSubstr("archive.sqlite is damaged: ");
  EXPECT_THAT(message_of([&] { (void)archive.runs(); }), why);
}

TEST_F(ArchiveFailuresTest, FindsDamagedAndMissingContent) {
  Archive archive = opened(Archive::Mode::create);
  const std::string damaged = archive.put_content("damaged");
  const std::string missing = archive.put_content("missing");
  std::ofstream(archive.content_path(damaged)) << "damagad";
  fs::remove(archive.content_path(missing));
  const auto reading = [&](const std::string& hash) {
    return message_of([&] { (void)archive.content(hash); });
  };
  EXPECT_THAT(reading(damaged), HasSubstr("is damaged: its text has another SHA-256"));
  EXPECT_THAT(reading(missing), HasSubstr("cannot be read; copy content/ again"));
  EXPECT_THAT(reading("../../etc/passwd"), HasSubstr("is no content of an archive"));
}

TEST_F(ArchiveFailuresTest, CanBeReadInAReadOnlyDirectory) {
  fill();
  const std::string hash = opened(Archive::Mode::read_write).put_content("text");
  constexpr auto readable = static_cast<fs::perms>(0555);
  fs::permissions(m_directory, fs::perms::owner_write | readable);
  fs::permissions(place(), readable);
  fs::permissions(database(), readable);
  {
    const OrdinaryUser user;
    const Archive archive = opened(Archive::Mode::read_only);
    EXPECT_EQ(archive.proposals("layernorm.forward.cpu.1").size(), many_rows);
    EXPECT_EQ(archive.content(hash), "text");
    const auto why = AllOf(HasSubstr("archive.sqlite cannot be written: Permission denied"),
                           HasSubstr("what is archived already is not lost"));
    EXPECT_THAT(refusal_to(Archive::Mode::create), why);
    EXPECT_THAT(refusal_to(Archive::Mode::read_write), why);
  }
  fs::permissions(place(), fs::perms::owner_write | readable);
}

TEST_F(ArchiveFailuresTest, LosesNothingOnAFullDisk) {
  fill();
  Archive archive = opened(Archive::Mode::read_write);
  const std::string text(100'000, 'x');
  {
    const FullDisk full(1000);
    EXPECT_THAT(message_of([&] { archive.save(proposal(many_rows + 1)); }),
                AllOf(HasSubstr("archive.sqlite cannot be written: "),
                      HasSubstr("what is archived already is not lost")));
    EXPECT_THAT(message_of([&] { archive.put_content(text); }), HasSubstr("/content/"));
    EXPECT_THAT(message_of([&] {
                  archive.event(proposal(1).run, {{"event", "note"}});
                }),
                HasSubstr("events.jsonl cannot be written: "));
    EXPECT_EQ(archive.proposals(proposal(1).run).size(), many_rows);
  }
  const std::string events = text_of(place() / "events.jsonl");
  EXPECT_THAT(events, EndsWith("}\n"));
  archive.save(proposal(many_rows + 1));
  EXPECT_EQ(archive.content(archive.put_content(text)), text);
  EXPECT_EQ(opened(Archive::Mode::read_only).proposals(proposal(1).run).size(), many_rows + 1);
}

}  // namespace
}  // namespace robust_kbench
