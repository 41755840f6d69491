#include "archive/export_generalisation.hpp"

#include <sstream>

#include "archive_directory.hpp"
#include "core/error.hpp"
#include "sample_archive.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using nlohmann::json;

class ExportGeneralisationTest : public ArchiveDirectory {
 protected:
  ExportGeneralisationTest() { fill_sample(m_archive); }

  // Adds the results of a device to the run's summary.
  void add(const std::string& device, const json& configs) {
    RunRow run = m_archive.run(sample_run);
    run.summary["generalisation"][device] = {{"proposal", 6}, {"configs", configs}};
    m_archive.update_run(run);
  }
  [[nodiscard]] std::string csv() const {
    std::ostringstream text;
    export_generalisation(m_archive, {sample_run}, text);
    return text.str();
  }

  static json config(const std::string& name, bool seen, const std::string& verdict,
                     const json& speedups) {
    return {{"config", name},
            {"parameters", "n = 4, m = 5"},
            {"seen", seen},
            {"verdict", verdict},
            {"speedups", speedups}};
  }

  Archive m_archive{place(), Archive::Mode::create};
};

const json eager{{"eager", {{"ratio", 2.5}, {"ci_low", 2.0}, {"ci_high", 3.0}}}};
const json both{{"eager", {{"ratio", 4.5}, {"ci_low", 4.0}, {"ci_high", 5.0}}},
                {"compile", {{"ratio", 0.5}, {"ci_low", 0.25}, {"ci_high", 0.75}}}};

TEST_F(ExportGeneralisationTest, HasThreeColumnsForEachDevice) {
  add("GPU B", json::array({config("single/a", true, "pass", both),
                            config("unseen_1", false, "exception", json::object())}));
  add("CPU, old", json::array({config("single/a", true, "pass", eager)}));
  EXPECT_EQ(csv(),
            "run,proposal,entry,config,parameters,seen,against,\"CPU, old\",\"CPU, old low\","
            "\"CPU, old high\",GPU B,GPU B low,GPU B high\n"
            "layernorm.forward.cpu.1,6,layernorm.forward,single/a,\"n = 4, m = 5\",seen,eager,"
            "2.5,2.0,3.0,4.5,4.0,5.0\n"
            "layernorm.forward.cpu.1,6,layernorm.forward,single/a,\"n = 4, m = 5\",seen,compile,"
            "not timed,,,0.5,0.25,0.75\n"
            "layernorm.forward.cpu.1,6,layernorm.forward,unseen_1,\"n = 4, m = 5\",unseen,eager,"
            ",,,exception,,\n"
            "layernorm.forward.cpu.1,6,layernorm.forward,unseen_1,\"n = 4, m = 5\",unseen,compile,"
            ",,,exception,,\n");
}

TEST_F(ExportGeneralisationTest, NamesTheCommandThatReevaluatesAWinner) {
  try {
    (void)csv();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("rkb archive generalise " + std::string(sample_run)),
              std::string::npos);
  }
}

}  // namespace
}  // namespace robust_kbench
