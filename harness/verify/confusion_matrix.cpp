#include "verify/confusion_matrix.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json share_json(const Proportion& proportion) {
  const Interval interval = wilson_interval(proportion);
  return {{"share", proportion.of == 0 ? json() : json(proportion.share())},
          {"ci_low", interval.low},
          {"ci_high", interval.high}};
}

}  // namespace

void ConfusionMatrix::add(bool is_valid, std::optional<bool> said_valid) {
  if (!said_valid) {
    ++(is_valid ? abstained_right : abstained_wrong);
  } else if (*said_valid) {
    ++(is_valid ? let_through : overlooked);
  } else {
    ++(is_valid ? false_alarms : found);
  }
}

int ConfusionMatrix::kernels() const {
  return found + overlooked + false_alarms + let_through + abstained_wrong + abstained_right;
}

Proportion ConfusionMatrix::accuracy() const {
  return {found + let_through, kernels()};
}

Proportion ConfusionMatrix::precision() const {
  return {found, found + false_alarms};
}

Proportion ConfusionMatrix::recall() const {
  return {found, found + overlooked + abstained_wrong};
}

Proportion ConfusionMatrix::passing() const {
  return {let_through, let_through + false_alarms + abstained_right};
}

nlohmann::json to_json_object(const ConfusionMatrix& matrix) {
  return {{"found", matrix.found},
          {"overlooked", matrix.overlooked},
          {"false_alarms", matrix.false_alarms},
          {"let_through", matrix.let_through},
          {"abstained_wrong", matrix.abstained_wrong},
          {"abstained_right", matrix.abstained_right},
          {"accuracy", share_json(matrix.accuracy())},
          {"precision", share_json(matrix.precision())},
          {"recall", share_json(matrix.recall())},
          {"passing", share_json(matrix.passing())}};
}

std::string to_text(const ConfusionMatrix& matrix) {
  return fmt::format(
      "  {:<16}{:>7}{:>11}{:>11}\n"
      "  {:<16}{:>7}{:>11}{:>11}\n"
      "  {:<16}{:>7}{:>11}{:>11}\n"
      "  accuracy   {}\n"
      "  precision  {} alarms\n"
      "  recall     {} wrong kernels\n"
      "  passing    {} right kernels\n",
      "kernels that are", "alarm", "no alarm", "abstained", "wrong", matrix.found,
      matrix.overlooked, matrix.abstained_wrong, "right", matrix.false_alarms, matrix.let_through,
      matrix.abstained_right, to_text(matrix.accuracy()), to_text(matrix.precision()),
      to_text(matrix.recall()), to_text(matrix.passing()));
}

}  // namespace robust_kbench
