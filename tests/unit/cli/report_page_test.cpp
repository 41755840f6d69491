#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "built_program.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string page_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The program and a directory with the golden records as a file.
class ReportPageTest : public testing::Test {
 protected:
  // Pages are written with or without the library of charts, which no test fetches.
  ReportPageTest() { setenv("PIP_NO_INDEX", "1", 1); }

  nlohmann::json m_records = nlohmann::json::parse(page_text(RKB_GOLDEN "/records.json"));
  const TemporaryDirectory m_directory{"rkb_test"};

  std::string write(const std::string& name) {
    const std::string file = m_directory.path() / name;
    std::ofstream(file) << m_records;
    return file;
  }
};

TEST_F(ReportPageTest, HasTheKernelsWithoutPathsAndKeys) {
  m_records["kernels"][2]["reason"] = "/home/somebody/x.cpp: </script> sk-abcdefghijklmnopqrstu";
  const std::string html = m_directory.path() / "page.html";
  const CommandResult result = rkb({"report", write("records.json"), "--html", html});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(page_text(html), AllOf(HasSubstr("layernorm.forward.fused"),
                                     HasSubstr(R"(.../x.cpp: \u003c/script\u003e [key])"),
                                     Not(HasSubstr("somebody"))));
  EXPECT_EQ(rkb({"report", write("records.json"), "--html", "/proc/page.html"}).exit_code, 2);
}

TEST_F(ReportPageTest, ComparesFilesOfAHistory) {
  const std::string first = write("first.json");
  nlohmann::json& fused = m_records["kernels"][0];
  fused["machine"]["date"] = "2027-01-01T00:00:00Z";
  for (auto* speedups : {&fused["mean_speedups"], &fused["timings"][0]["speedups"]}) {
    for (auto& speedup : *speedups)
      speedup.update({{"ratio", 9}, {"ci_low", 8.9}, {"ci_high", 9.1}});
  }
  const std::string second = write("second.json");
  const std::string html = m_directory.path() / "page.html";
  const CommandResult result = rkb({"report", "--history", second, first, "--html", html});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("first"), HasSubstr("4.00x (3.90..4.10)"),
                                   HasSubstr("9.00x (8.90..9.10)"), HasSubstr("faster")));
  EXPECT_THAT(page_text(html), HasSubstr("Steps of speed-ups"));
  EXPECT_EQ(rkb({"report", "--history", first}).exit_code, 2);
}

}  // namespace
}  // namespace robust_kbench
