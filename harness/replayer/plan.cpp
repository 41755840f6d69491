#include "replayer/plan.hpp"

#include <algorithm>
#include <utility>

#include "device/driver_types.hpp"

namespace robust_kbench {
namespace {

using Dependencies = std::vector<RecordedNode::Dependency>;

bool allows_early_begin(const RecordedLaunch& launch) {
  return std::any_of(launch.attributes.begin(), launch.attributes.end(), [](const auto& attribute) {
    return attribute.id == driver_types::programmatic_stream_serialization &&
           std::any_of(attribute.value.begin(), attribute.value.end(),
                       [](std::uint8_t byte) { return byte != 0; });
  });
}

// Without the attribute that a graph has as an edge.
RecordedLaunch in_graph(RecordedLaunch launch) {
  std::erase_if(launch.attributes, [](const RecordedAttribute& attribute) {
    return attribute.id == driver_types::programmatic_stream_serialization;
  });
  return launch;
}

class Planner {
 public:
  explicit Planner(const RecordedSection& section)
      : m_section(section), m_tails(section.streams.size()), m_events(section.events) {}

  ReplayPlan run() {
    for (const RecordedOperation& operation : m_section.operations) {
      m_stream = operation.stream;
      std::visit([this](const auto& action) { add(action); }, operation.action);
    }
    return std::move(m_plan);
  }

 private:
  void add(const RecordedLaunch& launch) {
    Dependencies after = joined();
    const bool begins_early =
        allows_early_begin(launch) && after.size() == 1 && is_launch(after.front().node);
    if (!begins_early) return append(in_graph(launch), std::move(after));
    const RecordedNode::Dependency before = after.front();
    after.front().is_programmatic = 1;
    append(in_graph(launch), std::move(after));
    // Later work waits for both, since this one may end first.
    Dependencies both = m_tails[m_stream];
    both.push_back(before);
    set_tail(std::move(both));
  }
  void add(const RecordedFill& fill) { append(fill, joined()); }
  void add(const RecordedCopy& copy) { append(copy, joined()); }
  void add(const RecordedUpload& upload) { append(upload, joined()); }
  void add(const RecordedGraphLaunch& launch) {
    const Dependencies before = joined();
    const auto first = static_cast<std::uint32_t>(m_plan.nodes.size());
    std::vector<bool> is_leaf(launch.nodes.size(), true);
    for (const RecordedNode& node : launch.nodes) {
      Dependencies after = node.after.empty() ? before : node.after;
      for (RecordedNode::Dependency& dependency : after) {
        if (node.after.empty()) continue;
        is_leaf[dependency.node] = false;
        dependency.node += first;
      }
      m_plan.nodes.push_back({node.work, std::move(after)});
    }
    Dependencies ends;
    for (std::size_t i = 0; i < is_leaf.size(); ++i) {
      if (is_leaf[i]) ends.push_back({first + static_cast<std::uint32_t>(i), 0});
    }
    if (!ends.empty()) set_tail(std::move(ends));
  }
  void add(const RecordedEventRecord& record) { m_events[record.event] = joined(); }
  void add(const RecordedEventWait& wait) {
    Dependencies tail = joined();
    merge(tail, m_events[wait.event]);
    m_tails[m_stream] = std::move(tail);
  }
  void add(const RecordedFunctionAttribute& set) { m_plan.function_attributes.push_back(set); }
  void add(const RecordedTake&) {}
  void add(const RecordedGive&) {}

  [[nodiscard]] bool is_launch(std::uint32_t node) const {
    return std::holds_alternative<RecordedLaunch>(m_plan.nodes[node].work);
  }

  static void merge(Dependencies& to, const Dependencies& from) {
    for (const RecordedNode::Dependency& dependency : from) {
      if (std::find(to.begin(), to.end(), dependency) == to.end()) to.push_back(dependency);
    }
  }

  // What new work of the present stream waits for.
  [[nodiscard]] Dependencies joined() const {
    Dependencies all = m_tails[m_stream];
    const RecordedStream kind = m_section.streams[m_stream];
    for (std::size_t i = 0; i < m_tails.size(); ++i) {
      const RecordedStream other = m_section.streams[i];
      const bool waits = (kind == RecordedStream::legacy && other == RecordedStream::blocking) ||
                         (kind == RecordedStream::blocking && other == RecordedStream::legacy);
      if (waits) merge(all, m_tails[i]);
    }
    return all;
  }

  // Work of the legacy stream has waited for all blocking ones, which later wait for it. So it
  // alone is their tail.
  void set_tail(Dependencies tail) {
    if (m_section.streams[m_stream] == RecordedStream::legacy) {
      for (std::size_t i = 0; i < m_tails.size(); ++i) {
        if (m_section.streams[i] == RecordedStream::blocking) m_tails[i] = tail;
      }
    }
    m_tails[m_stream] = std::move(tail);
  }

  void append(RecordedWork work, Dependencies after) {
    m_plan.nodes.push_back({std::move(work), std::move(after)});
    set_tail({{static_cast<std::uint32_t>(m_plan.nodes.size() - 1), 0}});
  }

  const RecordedSection& m_section;
  ReplayPlan m_plan;
  std::uint32_t m_stream = 0;
  std::vector<Dependencies> m_tails;   // of each stream: the last work, which later work waits for
  std::vector<Dependencies> m_events;  // what each event stands for
};

bool does_something(const RecordedNothing&) {
  return false;
}
bool does_something(const RecordedLaunch&) {
  return true;
}
bool does_something(const RecordedFill& fill) {
  return fill.elements > 0;
}
bool does_something(const RecordedCopy& copy) {
  return copy.bytes > 0;
}
bool does_something(const RecordedUpload& upload) {
  return !upload.content.bytes.empty();
}

}  // namespace

ReplayPlan plan_of(const RecordedSection& section) {
  return Planner(section).run();
}

bool begins_with_fill(const ReplayPlan& plan) {
  std::vector<bool> leads_to_later_work;  // of each node: it or a node that it waits for is work
  bool any_fill = false;
  for (const RecordedNode& node : plan.nodes) {
    const bool waits = std::ranges::any_of(
        node.after, [&](const auto& dependency) { return leads_to_later_work[dependency.node]; });
    const bool works = std::visit([](const auto& work) { return does_something(work); }, node.work);
    leads_to_later_work.push_back(waits || works);
    if (waits || !works) continue;
    if (!std::holds_alternative<RecordedFill>(node.work)) return false;
    any_fill = true;
  }
  return any_fill;
}

}  // namespace robust_kbench
