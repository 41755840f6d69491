#include "core/probe_question.hpp"

namespace robust_kbench {

std::string_view question_of(Probe probe) {
  switch (probe) {
    case Probe::inputs_times_1000:
      return "Is the result right where the inputs are 1000 times as large as usual?";
    case Probe::inputs_divided_by_1000:
      return "Is the result right where the inputs are 1000 times as small as usual?";
    case Probe::weights_scaled:
      return "Is the result right where the weights are 1000 times as large or as small as usual?";
    case Probe::gradients_scaled:
      return "Is the result right where incoming gradients are 1000 times as large or as small as "
             "usual?";
    case Probe::inputs_around_100:
      return "Is the result right where the inputs have a mean of 100?";
    case Probe::constant_rows:
      return "Is the result right where rows are constant or zero, at first all the same, and the "
             "later ones are not?";
    case Probe::large_logits:
      return "Is the result right where inputs differ by hundreds, so that exponentials overflow?";
    case Probe::ties:
      return "Are equal elements, and zeros of both signs, decided as torch decides them?";
    case Probe::repeated_row:
      return "Is the result right where all rows are the same, so that no error averages out?";
    case Probe::general_weights:
      return "Are weights and biases used that are neither 0 nor 1?";
    case Probe::late_weights:
      return "Are weights used that are constant at first and go on otherwise?";
    case Probe::nan_and_infinity:
      return "Do NaN and infinity among the inputs come out where torch has them?";
    case Probe::outlier:
      return "Is the result right where a few inputs are 100000, and as precise as usual "
             "elsewhere?";
    case Probe::mixed_rows:
      return "Is each row right where some rows are 1000 times as large or as small as others?";
    case Probe::masked:
      return "Is the result right where some inputs are -1e9 or the lowest finite number, as masks "
             "make them?";
    case Probe::near_ties:
      return "Are inputs that differ by a few ulp, and tiny sums of large terms, decided as torch "
             "decides them?";
    case Probe::permuted:
      return "Is the result right where weights and inputs are those of an earlier call in another "
             "order?";
    case Probe::inputs_around_10000:
      return "Is the result right where the inputs have a mean of 10000?";
  }
  return "unknown";
}

}  // namespace robust_kbench
