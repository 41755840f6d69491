#include "filter/stand_in_trial.hpp"

#include <algorithm>

#include "check/output_check.hpp"
#include "check/probe_verdict.hpp"
#include "core/error.hpp"
#include "filter/filter_result.hpp"

namespace robust_kbench {
namespace {

template <typename Value>
std::vector<Value> chosen(const std::vector<Value>& all, const std::vector<std::size_t>& indices) {
  std::vector<Value> of_kernel;
  for (const std::size_t i : indices) of_kernel.push_back(all.at(i));
  return of_kernel;
}

// The answers as a kernel returns them. An absent output has no wrong answer.
std::vector<at::Tensor> returned(const std::vector<at::Tensor>& answers,
                                 const std::vector<Output>& outputs,
                                 const std::vector<at::Tensor>& references) {
  std::vector<at::Tensor> rounded;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool absent = i < references.size() && !references[i].defined();
    rounded.push_back(absent ? at::Tensor() : answers[i].to(outputs.at(i).dtype).contiguous());
  }
  return rounded;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

void StandInTrial::judge(const FilterSubject& subject, const Case& of, const Content& content,
                         const std::vector<PrecisionLimits>& limits) {
  if (!accepted()) return;
  Contract contract;
  contract.outputs = chosen(robust_kbench::contract(subject.task(), subject.direction()).outputs,
                            m_kernel.outputs);
  const std::vector<PrecisionLimits> own_limits = chosen(limits, m_kernel.outputs);
  const std::vector<at::Tensor> references = chosen(content.references, m_kernel.outputs);
  OutputCheck check;
  try {
    check = check_outputs(
        contract, own_limits, returned(m_kernel.answer(of, content), contract.outputs, references),
        references,
        content.parts.empty() ? OutputParts() : chosen(content.parts, m_kernel.outputs));
  } catch (const c10::Error& error) {
    return reject(of, "it cannot be computed: " + first_line(error.what_without_backtrace()));
  } catch (const UserError& error) {
    return reject(of, std::string("it cannot be computed: ") + error.what());
  }
  const Judgement judgement =
      of.probe ? judged_by_probe(subject.task(), *of.probe, check.judgement) : check.judgement;
  if (!judgement.passes()) {
    double most = 0;
    for (const OutputError& error : check.errors) most = std::max(most, error.max_abs);
    m_error = finite(most);
    return reject(of, judgement.reason);
  }
  if (!check.judgement.passes()) return;  // a note on NaN, whose errors are meaningless
  PrecisionPool& pool = m_pools[content_kind(of, of.seed)];
  pool.add(check.squares);
  const std::string excess = pool.excess(contract, own_limits);
  if (!excess.empty()) reject(of, excess);
}

void StandInTrial::reject(const Case& of, std::string reason) {
  m_rejected_on = of.name();
  m_reason = first_line(reason);
}

}  // namespace robust_kbench
