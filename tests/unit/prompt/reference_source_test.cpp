#include "prompt/reference_source.hpp"

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "process/temporary_directory.hpp"
#include "scaling_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

TEST(ReferenceSource, IsPythonWhereTheTaskHasSomeElseItsCpp) {
  const TemporaryDirectory directory("reference");
  Task task = scaling_task();
  task.directory = directory.path();
  EXPECT_THROW((void)reference_source({}, task), UserError);
  OutputFile(directory.path() / "task.cpp").write(std::string("Task scaling();\n"));
  EXPECT_EQ(reference_source({}, task).language, "cpp");
  EXPECT_EQ(reference_source({}, task).text, "Task scaling();\n");
  OutputFile(directory.path() / "reference.py").write(std::string(scaling_reference));
  EXPECT_EQ(reference_source({}, task).language, "python");
  EXPECT_EQ(reference_source({}, task).text, scaling_reference);
}

TEST(PythonParameters, AreThoseOfTheFunction) {
  EXPECT_THAT(python_parameters(scaling_reference, "forward"), ElementsAre("x", "shift", "scale"));
  EXPECT_THAT(python_parameters(scaling_reference, "backward"),
              ElementsAre("grad_output", "saved", "scale", "shape"));
  EXPECT_THAT(python_parameters("    def forward(x):\n", "forward"), ElementsAre());
}

}  // namespace
}  // namespace robust_kbench
