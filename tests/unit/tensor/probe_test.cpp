#include "tensor/probe.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tensor/generator.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones_like.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// max(x W^T + b, 0), all of which is near a kink, with a variance and targets that nothing uses.
Task layer() {
  Task task;
  task.name = "layer";
  task.defaults = {{"rows", std::int64_t{12}}};
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{
        {"w", {8, 6}, normal()}, {"b", {8}, constant(0.0)}, {"variance", {8}, uniform(0.5, 1.5)}};
  };
  task.inputs = [](const Params& params) {
    return std::vector<TensorSpec>{{"x", {params.integer("rows"), 6}, normal()},
                                   {"targets", {params.integer("rows")}, integers(0, 1000)}};
  };
  task.forward = [](const Tensors& tensors, const Params&) {
    return at::linear(tensors["x"], tensors["w"], tensors["b"]).relu();
  };
  task.forward_contract.outputs = {{.name = "y"}};
  task.backward_contract = Contract{.outputs = {{.name = "x"}}};
  task.near_kink = [](const Tensors& tensors, const Params&) {
    return at::ones_like(tensors["x"].matmul(tensors["w"].t()), at::kBool);
  };
  task.domain = Domain{};
  return task;
}

class ProbeTensors : public testing::Test {
 protected:
  [[nodiscard]] Tensors probe(Probe probe, std::uint64_t seed = 1) const {
    return probe_tensors(m_workload, probe, seed);
  }
  [[nodiscard]] Tensors typical(std::uint64_t seed = 1) const {
    return make_tensors(m_workload, seed);
  }

  const Task m_task = layer();
  const Workload m_workload{m_task, Direction::backward, m_task.defaults};
};

std::set<double> distinct_values(const at::Tensor& tensor) {
  const at::Tensor numbers = tensor.to(at::kDouble).contiguous();
  const auto* first = numbers.const_data_ptr<double>();
  return {first, first + numbers.numel()};
}

TEST_F(ProbeTensors, ScaleAndShiftInputsAlone) {
  const Tensors usual = typical();
  const Tensors large = probe(Probe::inputs_times_1000);
  EXPECT_TRUE(at::equal(large["x"], usual["x"].mul(1000)));
  EXPECT_TRUE(at::equal(large["w"], usual["w"]));
  EXPECT_TRUE(at::equal(large["targets"], usual["targets"]));
  EXPECT_TRUE(at::equal(probe(Probe::inputs_divided_by_1000)["x"], usual["x"].div(1000)));
  EXPECT_TRUE(at::equal(probe(Probe::inputs_around_100)["x"], usual["x"].add(100)));
  EXPECT_TRUE(at::equal(probe(Probe::inputs_around_10000)["x"], usual["x"].add(10000)));
}

TEST_F(ProbeTensors, EnlargeForAnOddSeedAndMakeSmallerForAnEvenOne) {
  EXPECT_TRUE(at::equal(probe(Probe::weights_scaled, 1)["w"], typical(1)["w"].mul(1000)));
  EXPECT_TRUE(at::equal(probe(Probe::weights_scaled, 2)["w"], typical(2)["w"].mul(0.001)));
  EXPECT_TRUE(at::equal(probe(Probe::weights_scaled, 1)["x"], typical(1)["x"]));
}

TEST_F(ProbeTensors, ScaleGradientsAlone) {
  Task smooth = layer();
  smooth.near_kink = nullptr;
  const Workload workload{smooth, Direction::backward, smooth.defaults};
  for (const auto& [seed, scale] : {std::pair(1, 1000.0), std::pair(2, 0.001)}) {
    const Tensors usual = make_tensors(workload, seed);
    const Tensors scaled = probe_tensors(workload, Probe::gradients_scaled, seed);
    EXPECT_TRUE(at::equal(scaled["grad_output"], usual["grad_output"].mul(scale)));
    EXPECT_TRUE(at::equal(scaled["x"], usual["x"]));
    EXPECT_TRUE(at::equal(scaled["w"], usual["w"]));
  }
}

TEST_F(ProbeTensors, HaveLargeDifferencesBetweenLogits) {
  const at::Tensor x = probe(Probe::large_logits)["x"];
  EXPECT_GT(x.max().item<float>() - x.min().item<float>(), 200.0F);
}

TEST_F(ProbeTensors, HaveTiesOfIntegersAndZerosOfBothSigns) {
  const Tensors tensors = probe(Probe::ties);
  EXPECT_THAT(distinct_values(tensors["x"]), ElementsAre(-1, 0, 1));
  const at::Tensor zeros = tensors["x"].masked_select(tensors["x"].eq(0));
  EXPECT_TRUE(zeros.signbit().any().item<bool>());
  EXPECT_FALSE(zeros.signbit().all().item<bool>());
  EXPECT_THAT(distinct_values(tensors["w"]), ElementsAre(-2, -1, 1, 2));
  EXPECT_TRUE(at::equal(tensors["variance"], typical()["variance"]));
}

TEST_F(ProbeTensors, MaskNoGradientsWhereEveryDecisionIsExact) {
  EXPECT_THAT(distinct_values(typical()["grad_output"]), ElementsAre(0));
  EXPECT_THAT(distinct_values(probe(Probe::weights_scaled)["grad_output"]), ElementsAre(0));
  EXPECT_THAT(distinct_values(probe(Probe::ties)["grad_output"]), Not(Contains(0)));
}

TEST_F(ProbeTensors, HaveGradientsThatBeginWithZerosInEverySecondConstantRow) {
  for (const std::int64_t seed : {1, 2}) {
    const at::Tensor gradient = probe(Probe::constant_rows, seed)["grad_output"];
    const std::int64_t stopped = seed == 1 ? 0 : 1;
    const std::int64_t half = gradient.size(1) / 2;
    EXPECT_THAT(distinct_values(gradient.select(0, stopped).narrow(0, 0, half)), ElementsAre(0));
    EXPECT_THAT(distinct_values(gradient.select(0, stopped).narrow(0, half, half)),
                Not(Contains(0)));
    EXPECT_THAT(distinct_values(gradient.select(0, 1 - stopped)), Not(Contains(0)));
  }
}

TEST_F(ProbeTensors, HaveConstantRowsThatAreAlikeAtFirst) {
  for (const std::uint64_t seed : {1, 2}) {
    const Tensors tensors = probe(Probe::constant_rows, seed);
    const at::Tensor x = tensors["x"];
    EXPECT_TRUE(at::equal(x, x.round()));
    EXPECT_THAT(distinct_values(x.narrow(0, 0, 6)), ElementsAre(seed == 1 ? 2 : 0));
    EXPECT_GT(distinct_values(x.narrow(0, 6, 6)).size(), 1U);
    EXPECT_EQ(distinct_values(tensors["targets"].narrow(0, 0, 6)).size(), 1U);
    EXPECT_GT(distinct_values(tensors["targets"].narrow(0, 6, 6)).size(), 1U);
    // Later rows take turns: one is 0, the next is constant, the third is constant at first.
    EXPECT_THAT(distinct_values(x.select(0, 9)), ElementsAre(0));
    EXPECT_EQ(distinct_values(x.select(0, 10)).size(), 1U);
    EXPECT_EQ(distinct_values(x.select(0, 11).narrow(0, 0, 3)).size(), 1U);
    EXPECT_GT(distinct_values(x.select(0, 11)).size(), 1U);
  }
}

at::Tensor last_constant_row(std::int64_t rows, std::uint64_t seed) {
  Task task = layer();
  task.inputs = [=](const Params&) { return std::vector<TensorSpec>{{"x", {rows, 64}}}; };
  const Workload workload{task, Direction::forward, {}};
  return probe_tensors(workload, Probe::constant_rows, seed)["x"].select(0, rows - 1);
}

// A kernel that takes a row for constant by its first elements is wrong on one or two rows, too.
TEST(ConstantRows, ChangeHoweverFewTheyAre) {
  for (const std::int64_t rows : {1, 2}) {
    EXPECT_EQ(distinct_values(last_constant_row(rows, 1).narrow(0, 0, 32)).size(), 1U);
    EXPECT_GT(distinct_values(last_constant_row(rows, 1)).size(), 1U);
  }
}

// A kernel that looks at a few elements of a row is wrong where another one differs.
TEST(ConstantRows, ChangeInOneElementForAnEvenSeed) {
  for (const std::int64_t rows : {1, 2}) {
    const at::Tensor row = last_constant_row(rows, 2);
    EXPECT_EQ(row.ne(0).sum().item<std::int64_t>(), 1);
    EXPECT_THAT(distinct_values(row.narrow(0, 0, 32)), ElementsAre(0));
  }
}

TEST(ConstantRows, AreWholeImages) {
  Task task = layer();
  task.inputs = [](const Params&) { return std::vector<TensorSpec>{{"x", {4, 2, 3, 5}}}; };
  const at::Tensor x = probe_tensors({task, Direction::forward, {}}, Probe::constant_rows, 1)["x"];
  EXPECT_EQ(distinct_values(x.narrow(0, 0, 2)).size(), 1U);
  EXPECT_EQ(x.sizes(), c10::IntArrayRef({4, 2, 3, 5}));
}

TEST(ConstantRows, ChangeInTheMiddleOfEachPlane) {
  Task task = layer();
  task.inputs = [](const Params&) { return std::vector<TensorSpec>{{"x", {6, 2, 4, 5}}}; };
  const at::Tensor x = probe_tensors({task, Direction::forward, {}}, Probe::constant_rows, 1)["x"];
  for (const std::int64_t plane : {0, 1}) {
    const at::Tensor changing = x.select(0, 5).select(0, plane);
    EXPECT_EQ(distinct_values(changing.narrow(0, 0, 2)).size(), 1U);
    EXPECT_GT(distinct_values(changing.narrow(0, 2, 2)).size(), 1U);
  }
}

TEST_F(ProbeTensors, RepeatOneRowOfInputsAndGradients) {
  const Tensors tensors = probe(Probe::repeated_row);
  for (const char* name : {"x", "targets", "grad_output"}) {
    const at::Tensor& tensor = tensors[name];
    EXPECT_TRUE(at::equal(tensor, tensor.narrow(0, 0, 1).expand_as(tensor))) << name;
    EXPECT_TRUE(tensor.is_contiguous());
  }
  EXPECT_TRUE(at::equal(tensors["x"].select(0, 0), typical()["x"].select(0, 0)));
  EXPECT_TRUE(at::equal(tensors["w"], typical()["w"]));
}

TEST_F(ProbeTensors, HaveWeightsThatAreNeither0Nor1) {
  const Tensors tensors = probe(Probe::general_weights);
  EXPECT_GT(tensors["b"].min().item<float>(), 0.0F);
  EXPECT_LT(tensors["b"].max().item<float>(), 1.0F);
  EXPECT_GT(distinct_values(tensors["b"]).size(), 1U);
  EXPECT_TRUE(at::equal(tensors["w"], typical()["w"]));
}

TEST_F(ProbeTensors, HaveWeightsThatAreConstantAtFirst) {
  const at::Tensor w = probe(Probe::late_weights, 1)["w"].flatten();
  EXPECT_THAT(distinct_values(w.narrow(0, 0, 36)), ElementsAre(0));
  EXPECT_THAT(distinct_values(w.narrow(0, 36, 12)), Not(Contains(0)));
  const at::Tensor sparse = probe(Probe::late_weights, 2)["w"].flatten();
  EXPECT_EQ(sparse.ne(0).sum().item<std::int64_t>(), 1);
  EXPECT_THAT(distinct_values(sparse.narrow(0, 0, 24)), ElementsAre(0));
  const at::Tensor variance = probe(Probe::late_weights, 1)["variance"];
  EXPECT_THAT(distinct_values(variance.narrow(0, 0, 6)), ElementsAre(1));
  EXPECT_GT(variance.min().item<float>(), 0.0F);
}

TEST(LateWeights, BeginAsTheDefaultsHaveThem) {
  Task task = layer();
  task.defaults = {{"rows", std::int64_t{12}}, {"trained", false}};
  task.weights = [](const Params& params) {
    return std::vector<TensorSpec>{
        {"w", {8}, params.boolean("trained") ? normal() : constant(1.0)}};
  };
  Params trained = task.defaults;
  trained.set("trained", true);
  const at::Tensor w =
      probe_tensors({task, Direction::forward, trained}, Probe::late_weights, 1)["w"];
  EXPECT_THAT(distinct_values(w.narrow(0, 0, 6)), ElementsAre(1));
  EXPECT_THAT(distinct_values(w.narrow(0, 6, 2)), Not(Contains(1)));
}

TEST_F(ProbeTensors, HaveOutliersAtBothEndsForTheFirstSeed) {
  const at::Tensor x = probe(Probe::outlier)["x"].flatten();
  EXPECT_EQ(x[0].item<float>(), 1e5F);
  EXPECT_EQ(x[-1].item<float>(), -1e5F);
  EXPECT_EQ(x.abs().gt(100).sum().item<std::int64_t>(), 2);
}

TEST_F(ProbeTensors, HaveOutliersAnywhereForOtherSeeds) {
  std::set<std::int64_t> places;
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    const at::Tensor x = probe(Probe::outlier, seed)["x"].flatten();
    EXPECT_EQ(x.eq(1e5).sum().item<std::int64_t>(), 1);
    places.insert(x.argmax().item<std::int64_t>());
  }
  EXPECT_GT(places.size(), 5U);
}

TEST_F(ProbeTensors, HaveNoOutlierWhereAGradientIsMasked) {
  EXPECT_THAT(distinct_values(probe(Probe::outlier)["grad_output"]), ElementsAre(0));
  Task smooth = layer();
  smooth.near_kink = nullptr;
  const at::Tensor gradient = probe_tensors({smooth, Direction::backward, smooth.defaults},
                                            Probe::outlier, 1)["grad_output"];
  EXPECT_THAT(distinct_values(gradient), Contains(1e5));
  EXPECT_THAT(distinct_values(gradient), Contains(-1e5));
}

TEST_F(ProbeTensors, MixRowsOfThreeMagnitudes) {
  const at::Tensor x = probe(Probe::mixed_rows)["x"];
  const at::Tensor ratio = x.div(typical()["x"]);
  std::set<int> magnitudes;
  for (std::int64_t row = 0; row < 12; ++row) {
    magnitudes.insert(static_cast<int>(std::lround(std::log10(ratio[row].mean().item<float>()))));
  }
  EXPECT_THAT(magnitudes, ElementsAre(-3, 0, 3));
}

TEST_F(ProbeTensors, MaskElementsButNoLabel) {
  Task task = layer();
  task.inputs = [](const Params&) {
    return std::vector<TensorSpec>{{"x", {40, 6}, normal()}, {"targets", {40}, integers(0, 6)}};
  };
  const Tensors tensors =
      probe_tensors({task, Direction::forward, task.defaults}, Probe::masked, 1);
  const at::Tensor& x = tensors["x"];
  EXPECT_TRUE(x.eq(-1e9).any().item<bool>());
  EXPECT_TRUE(x.eq(std::numeric_limits<float>::lowest()).any().item<bool>());
  EXPECT_TRUE(x.gt(-100).any(1).all().item<bool>());
  EXPECT_GT(x.gather(1, tensors["targets"].unsqueeze(1)).min().item<float>(), -100);
}

TEST_F(ProbeTensors, HaveNearTiesOfAFewUlp) {
  const at::Tensor x = probe(Probe::near_ties)["x"];
  for (std::int64_t row = 0; row < 12; ++row) {
    const double spread = (x[row].max() - x[row].min()).item<double>();
    EXPECT_LT(spread, 4e-6);
    EXPECT_LE(distinct_values(x[row]).size(), 4U);
  }
  EXPECT_TRUE(at::equal(probe(Probe::near_ties)["w"], typical()["w"]));
}

TEST_F(ProbeTensors, HaveTinyExactSumsOfLargeTermsForAnEvenSeed) {
  const Tensors tensors = probe(Probe::near_ties, 2);
  EXPECT_GT(tensors["x"].abs().min().item<float>(), 0.9F);
  EXPECT_TRUE(at::equal(tensors["w"], tensors["w"].round()));
  const at::Tensor exact = at::linear(tensors["x"].to(at::kDouble), tensors["w"].to(at::kDouble));
  EXPECT_LT(exact.abs().max().item<double>(), 1e-2);
  EXPECT_TRUE(at::equal(at::linear(tensors["x"], tensors["w"]).to(at::kDouble), exact));
  EXPECT_THAT(distinct_values(tensors["grad_output"]), Not(Contains(0)));
}

TEST(NearTies, HaveNoSumOfZeroWhereThereIsABias) {
  Task task = layer();
  task.weights = [](const Params&) {
    return std::vector<TensorSpec>{{"w", {8, 6}, normal()}, {"b", {8}, normal(0.0, 0.1)}};
  };
  const Tensors tensors =
      probe_tensors({task, Direction::forward, task.defaults}, Probe::near_ties, 2);
  const at::Tensor sums = at::linear(tensors["x"], tensors["w"], tensors["b"]);
  EXPECT_TRUE(sums.ne(0).all().item<bool>());
  EXPECT_LT(sums.abs().max().item<float>(), 1e-2F);
}

// An honest loop adds terms one by one. Each sum on its way must be exact in float32, as the last
// is.
TEST(NearTies, HaveExactSumsOnTheWayInEveryRowOfALargeLayer) {
  Task task = layer();
  for (const std::int64_t rows : {128, 129}) {
    task.weights = [rows](const Params&) {
      return std::vector<TensorSpec>{{"w", {rows, 1600}, normal()}};
    };
    task.inputs = [](const Params&) { return std::vector<TensorSpec>{{"x", {8, 1600}, normal()}}; };
    const Tensors tensors =
        probe_tensors({task, Direction::forward, task.defaults}, Probe::near_ties, 2);
    const at::Tensor terms = tensors["x"].to(at::kDouble).unsqueeze(1).mul(tensors["w"]);
    EXPECT_LT(terms.cumsum(2).abs().max().item<double>(), 256) << rows;
    EXPECT_EQ(tensors["w"].sum({0}).abs().max().item<float>(), 0) << rows;
  }
}

TEST_F(ProbeTensors, PermuteTheValuesOfAnEarlierCall) {
  const Tensors earlier = probe(Probe::permuted, 1);
  const Tensors later = probe(Probe::permuted, 8);
  for (const char* name : {"x", "w", "targets"}) {
    EXPECT_FALSE(at::equal(later[name], earlier[name])) << name;
    EXPECT_EQ(distinct_values(later[name]), distinct_values(earlier[name])) << name;
    EXPECT_TRUE(at::equal(later[name].sum(), earlier[name].sum())) << name;
  }
  EXPECT_FALSE(at::equal(probe(Probe::permuted, 3)["x"].sum(), earlier["x"].sum()));
}

TEST_F(ProbeTensors, HaveNanAndInfinityInEveryFourthRow) {
  Params params = m_task.defaults;
  params.set("rows", std::int64_t{400});
  const at::Tensor x =
      probe_tensors({m_task, Direction::forward, params}, Probe::nan_and_infinity, 1)["x"];
  EXPECT_TRUE(x.isnan().any().item<bool>());
  EXPECT_TRUE(x.eq(INFINITY).any().item<bool>());
  EXPECT_TRUE(x.eq(-INFINITY).any().item<bool>());
  EXPECT_TRUE(x.slice(0, 1, 400, 4).isfinite().all().item<bool>());
}

TEST_F(ProbeTensors, AreDecidedByTheSeed) {
  for (const Probe probed : all_probes) {
    if (probed == Probe::nan_and_infinity) continue;  // which is unequal to itself
    EXPECT_TRUE(at::equal(probe(probed, 3)["x"], probe(probed, 3)["x"])) << to_string(probed);
    EXPECT_TRUE(at::equal(probe(probed, 3)["w"], probe(probed, 3)["w"])) << to_string(probed);
  }
  EXPECT_FALSE(at::equal(probe(Probe::ties, 3)["x"], probe(Probe::ties, 5)["x"]));
}

TEST(ApplicableProbes, LeaveOutWhatDirectionAndTaskDoNotHave) {
  Task task = layer();
  EXPECT_THAT(applicable_probes(task, Direction::backward), Contains(Probe::gradients_scaled));
  EXPECT_THAT(applicable_probes(task, Direction::forward), Not(Contains(Probe::gradients_scaled)));
  task.weights = nullptr;
  for (const Probe probe : {Probe::weights_scaled, Probe::general_weights, Probe::late_weights}) {
    EXPECT_THAT(applicable_probes(task, Direction::forward), Not(Contains(probe)));
  }
  EXPECT_EQ(applicable_probes(task, Direction::forward).size(), all_probes.size() - 4);
}

TEST(ApplicableProbes, LeaveOutWhatTheTaskDeclares) {
  Task task = layer();
  task.domain->inapplicable = {{Probe::ties, "it decides nothing"}};
  EXPECT_THAT(applicable_probes(task, Direction::forward), Not(Contains(Probe::ties)));
  EXPECT_THAT(why_inapplicable(task, Direction::forward, Probe::ties).value_or(""),
              HasSubstr("decides nothing"));
  task.domain->inapplicable.front().direction = Direction::backward;
  EXPECT_THAT(applicable_probes(task, Direction::forward), Contains(Probe::ties));
  EXPECT_THAT(applicable_probes(task, Direction::backward), Not(Contains(Probe::ties)));
  task.domain.reset();
  EXPECT_TRUE(applicable_probes(task, Direction::forward).empty());
}

}  // namespace
}  // namespace robust_kbench
