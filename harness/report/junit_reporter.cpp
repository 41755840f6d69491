#include "report/junit_reporter.hpp"

#include <algorithm>
#include <string_view>

#include "core/coverage.hpp"
#include "core/utf8.hpp"
#include "report/metrics.hpp"
#include "report/summary.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// One test of the file.
struct Test {
  std::string name;
  Judgement judgement;
  double seconds = 0;
};

// XML cannot represent most control characters. Those of kernels are escaped already.
std::string escaped_xml(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else if (c == '"') {
      xml += "&quot;";
    } else if (code < 0x20 && c != '\n' && c != '\t') {
      xml += '?';
    } else {
      xml += c;
    }
  }
  return xml;
}

// The cases, and a test of the kernel as a whole where no case explains its rejection.
std::vector<Test> tests_of(const KernelRecord& record) {
  std::vector<Test> tests;
  for (const CaseRecord& c : record.cases) tests.push_back({c.name, c.judgement, c.total_seconds});
  const bool told = std::any_of(tests.begin(), tests.end(), [&](const Test& test) {
    return test.judgement.verdict == record.judgement.verdict;
  });
  if (!told) tests.push_back({"kernel", record.judgement, record.build.compile_seconds});
  return tests;
}

// JUnit's element for a test that did not pass.
const char* element_of(Verdict verdict) {
  if (verdict == Verdict::skipped) return "skipped";
  return verdict == Verdict::harness_error ? "error" : "failure";
}

std::string test_case(const std::string& suite, const Test& test) {
  std::string xml = fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")",
                                escaped_xml(suite), escaped_xml(test.name), test.seconds);
  if (test.judgement.passes()) return xml + "/>\n";
  const std::string& reason = test.judgement.reason;
  const char* element = element_of(test.judgement.verdict);
  return xml +
         fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                     element, escaped_xml(label(test.judgement)), escaped_xml(first_line(reason)),
                     escaped_xml(with_output(test.judgement)));
}

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const Test& test) {
    ++tests;
    seconds += test.seconds;
    if (test.judgement.passes()) return;
    const std::string_view element = element_of(test.judgement.verdict);
    failures += element == "failure";
    errors += element == "error";
    skipped += element == "skipped";
  }

  [[nodiscard]] std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                       failures, errors, skipped, seconds);
  }
};

// The scope, the number of cases that the kernel refused, the alignment that it needs, and its
// figures.
std::string properties(const KernelRecord& record) {
  const auto property = [](std::string_view name, const auto& value) {
    return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped_xml(name), value);
  };
  const std::optional<int> alignment = needed_alignment(record);
  std::string figures;
  for (const Metric& metric : metrics_of(record)) {
    figures += property(metric.name, escaped_xml(metric.value));
  }
  return "    <properties>\n" + property("scope", to_string(record.coverage)) +
         property("refused", refusals(record)) +
         (alignment ? property("needs_alignment", *alignment) : "") + figures +
         "    </properties>\n";
}

}  // namespace

void JunitReporter::end(const std::vector<KernelRecord>& records) {
  Counts all;
  std::string suites;
  for (const KernelRecord& record : records) {
    const std::string name = name_of(m_run, record);
    Counts counts;
    std::string tests;
    for (const Test& test : tests_of(record)) {
      counts.add(test);
      all.add(test);
      tests += test_case(name, test);
    }
    suites += fmt::format("  <testsuite name=\"{}\" {}>\n{}{}  </testsuite>\n", escaped_xml(name),
                          counts.attributes(), properties(record), tests);
  }
  m_file.write(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n{}</testsuites>\n",
                  all.attributes(), suites));
}

}  // namespace robust_kbench
