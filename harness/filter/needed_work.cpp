#include "filter/needed_work.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

class Simplification {
 public:
  Simplification(const std::vector<NodeFacts>& nodes, const std::vector<std::size_t>& outputs)
      : m_nodes(nodes), m_outputs(outputs.begin(), outputs.end()), m_live(m_outputs) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const std::size_t result : nodes[i].results) m_maker[result] = i;
      for (const std::size_t tensor : nodes[i].taken) ++m_uses[tensor];
    }
    for (const std::size_t output : outputs) ++m_uses[output];
  }

  GraphWork work() {
    for (const NodeFacts& node : m_nodes) m_work.done += node.work;
    for (std::size_t i = m_nodes.size(); i-- > 0;) look_at(i);
    std::ranges::reverse(m_work.findings);
    return std::move(m_work);
  }

 private:
  void look_at(std::size_t i) {
    const NodeFacts& node = m_nodes[i];
    const auto is_among = [&](const std::set<std::size_t>& numbers) {
      return std::ranges::any_of(node.results,
                                 [&](std::size_t result) { return numbers.contains(result); });
    };
    if (!is_among(m_live)) return find(i, "has no part in the outputs");
    const bool is_output = is_among(m_outputs);
    if (node.is_constant) {
      if (is_output) m_work.needed.bytes += node.result_bytes;
      return find(i, "has the same result for all inputs");
    }
    if (node.repeats_tensor) {
      // The node that made the tensor could have written the output directly. An input must be
      // copied.
      if (is_output && !m_maker.contains(node.taken.front())) {
        m_work.needed.bytes += 2 * node.result_bytes;
      }
      m_live.insert(node.taken.front());
      return find(i, "has the elements of its tensor as its result");
    }
    if (const std::optional<std::size_t> product = summed_product(node)) {
      return add_summed_product(i, m_nodes[*product]);
    }
    if (node.product == ProductKind::matrices) return add_matrix_product(i);
    add(node.work, node.taken);
  }

  void find(std::size_t i, const std::string& what) {
    if (m_nodes[i].work.bytes == 0) return;  // a view, which costs nothing
    std::string finding = fmt::format("node {} ({}) {}", i, m_nodes[i].name, what);
    const bool again = !m_work.findings.empty() && m_work.findings.back() == finding;
    if (!again) m_work.findings.push_back(std::move(finding));
  }

  void add(const NodeWork& work, const std::vector<std::size_t>& taken) {
    m_work.needed += work;
    m_live.insert(taken.begin(), taken.end());
  }

  // The product whose results a node sums, if nothing else uses them. Scalings may lie between.
  [[nodiscard]] std::optional<std::size_t> summed_product(const NodeFacts& node) const {
    if (!node.is_sum || node.taken.empty()) return std::nullopt;
    std::size_t tensor = node.taken.front();
    while (m_maker.contains(tensor) && m_uses.at(tensor) == 1) {
      const std::size_t i = m_maker.at(tensor);
      const NodeFacts& maker = m_nodes[i];
      if (maker.product != ProductKind::none) {
        if (maker.result_elements <= node.result_elements) return std::nullopt;
        return i;
      }
      if (!maker.is_linear_scaling) return std::nullopt;
      tensor = maker.taken.front();
    }
    return std::nullopt;
  }

  void add_summed_product(std::size_t i, const NodeFacts& product) {
    const NodeFacts& node = m_nodes[i];
    const double terms = product.result_elements / node.result_elements;
    NodeWork work{.flops = product.work.flops / terms, .bytes = node.result_bytes};
    for (const double bytes : product.taken_bytes) {
      work.bytes += bytes;
      work.flops += bytes / sizeof(double);  // the sums of its factors, which are float64 here
    }
    add(work, product.taken);
    find(i, "sums results of a product, which is a product of sums");
  }

  void add_matrix_product(std::size_t i) {
    const NodeFacts& node = m_nodes[i];
    NodeWork work = node.work;
    std::vector<std::size_t> taken = node.taken;
    const double dense_flops = work.flops;
    for (const auto& [form, factor] :
         {std::pair(node.left, node.factors.left), std::pair(node.right, node.factors.right)}) {
      const double bytes = node.taken_bytes.at(factor);
      if (form == MatrixForm::diagonal) {
        // The diagonal is read, and the node that made a matrix of it is not needed.
        work.flops = node.result_elements;
        work.bytes -= bytes;
        std::erase(taken, node.taken[factor]);
        if (m_maker.contains(node.taken[factor])) {
          const NodeFacts& maker = m_nodes[m_maker.at(node.taken[factor])];
          taken.insert(taken.end(), maker.taken.begin(), maker.taken.end());
        }
        find(i, "is a product with a diagonal matrix");
      } else if (is_triangular(form)) {
        work.flops /= 2;
        work.bytes -= bytes / 2;
        find(i, "is a product with a triangular matrix");
      }
    }
    // Two matrices of the same form need n^3 / 3 operations in place of 2 n^3.
    if (is_triangular(node.left) && node.left == node.right) work.flops = dense_flops / 6;
    add(work, taken);
  }

  const std::vector<NodeFacts>& m_nodes;
  const std::set<std::size_t> m_outputs;
  std::set<std::size_t> m_live;
  std::map<std::size_t, std::size_t> m_maker;  // maps a tensor to its node
  std::map<std::size_t, int> m_uses;
  GraphWork m_work;
};

}  // namespace

GraphWork needed_work(const std::vector<NodeFacts>& nodes,
                      const std::vector<std::size_t>& outputs) {
  return Simplification(nodes, outputs).work();
}

}  // namespace robust_kbench
