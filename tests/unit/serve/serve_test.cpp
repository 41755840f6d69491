#include <map>
#include <set>
#include <string>

#include "core/record.hpp"
#include "process/temporary_directory.hpp"
#include "serve_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string right = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";
const std::string source_text = R"(#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = torch::empty({x.size(0), weights.size(0)}, x.options());
  auto in = x.accessor<float, 2>(), w = weights.accessor<float, 2>(), out = y.accessor<float, 2>();
  for (int64_t i = 0; i < x.size(0); ++i)
    for (int64_t j = 0; j < weights.size(0); ++j) {
      out[i][j] = biases.data_ptr<float>()[j];
      for (int64_t k = 0; k < x.size(1); ++k) out[i][j] += in[i][k] * w[j][k];
    }
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
const std::string wrong = RKB_EXPLOITS "/skips_the_last_k.cpp";
const std::string endless = RKB_EXPLOITS "/sleeps_for_ever.cpp";
// Nothing but a cancellation ends a call, which sleeps.
const std::vector<std::string> one_at_a_time{"--queue", "1",       "--call-timeout",
                                             "3600",    "--allow", "clocks"};

json submit(const std::string& id, const std::string& path) {
  return {{"type", "submit"},
          {"id", id},
          {"task", "mnist_linear"},
          {"paths", {path}},
          {"bench", false},
          {"scope",
           {{"seeds", 1},
            {"config",
             "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3"}}}};
}

// Its worker is in a call that never returns.
void wait_until_called(ServeClient& client) {
  while (true) {
    const json line = client.receive();
    if (line["type"] == "stage" && line["stage"] == "compile") return;
    ASSERT_NE(line["type"], "final") << line;
  }
}

TEST(Serve, HelloTellsWhatThereIs) {
  ServeProcess serve({"--queue", "3"});
  serve.client().send({{"type", "hello"}});
  const json hello = serve.client().receive();
  EXPECT_EQ(hello["type"], "hello");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["queue"], 3);
  EXPECT_EQ(hello["devices"][0], "cpu");
  std::map<std::string, json> directions;
  for (const json& task : hello["tasks"]) directions[task["name"]] = task["directions"];
  EXPECT_EQ(directions.at("mnist_linear"), json::array({"forward", "backward"}));
  EXPECT_EQ(directions.at("resnet_block"), json::array({"forward"}));
  serve.client().end_of_input();
  EXPECT_TRUE(serve.client().receive_rest().empty());
  EXPECT_EQ(serve.exit_code(), 0);
}

TEST(Serve, AKernelThatAsksForAClockIsRefused) {
  ServeProcess serve;
  serve.client().send(submit("asks", endless));
  const KernelRecord record = kernels_of(serve.client().receive_final("asks")["record"]).front();
  EXPECT_EQ(record.judgement.verdict, Verdict::load_error);
  EXPECT_THAT(record.judgement.reason, HasSubstr("clocks: sleep (sleeps_for_ever.cpp"));
}

// Each of them is answered, and the next one as if nothing had been.
TEST(Serve, ABadLineIsAnsweredWithAReason) {
  ServeProcess serve;
  ServeClient& client = serve.client();
  const auto error_of = [&](const std::string& line) {
    client.send_text(line + "\n");
    const json error = client.receive();
    EXPECT_EQ(error["type"], "error") << error;
    return error["reason"].get<std::string>();
  };
  EXPECT_THAT(error_of("{\"type\": "), HasSubstr("no JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("give an object"));
  // Whoever printed such a value would overflow the stack.
  for (const char* opening : {"[", "{\"a\": ["}) {
    std::string nested;
    for (int i = 0; i < 200'000; ++i) nested += opening;
    EXPECT_THAT(error_of(nested), HasSubstr("more than 64 levels"));
  }
  EXPECT_THAT(error_of(std::string(200'000, '[') + std::string(200'000, ']')),
              HasSubstr("more than 64 levels"));
  EXPECT_THAT(error_of(R"({"type": "sbmit"})"), HasSubstr("hello, submit or cancel"));
  EXPECT_THAT(error_of(R"({"type": "cancel", "id": "x"})"), HasSubstr("'x' is under way"));
  EXPECT_THAT(error_of(R"({"type": "submit", "task": "mnist_linear"})"), HasSubstr("'id'"));
  EXPECT_THAT(error_of(R"({"type": "submit", "id": ")" + std::string(201, 'x') + "\"}"),
              HasSubstr("1 to 200"));
  EXPECT_THAT(error_of(std::string((std::size_t{4} << 20) + 1, 'x')), HasSubstr("4194304"));

  const auto final_reason_of = [&](json line) {
    client.send(line);
    const json final = client.receive_final(line["id"]);
    EXPECT_EQ(final["status"], "error");
    EXPECT_EQ(final["verdict"], nullptr);
    EXPECT_EQ(final["record"], nullptr);
    return final["reason"].get<std::string>();
  };
  const auto changed = [](const char* field, json value) {
    json line = submit(std::string("bad ") + field, right);
    line[field] = std::move(value);
    return line;
  };
  EXPECT_THAT(final_reason_of(changed("task", "mnist_liner")), HasSubstr("mnist_linear, "));
  EXPECT_THAT(final_reason_of(changed("task", 1)), HasSubstr("give a string"));
  EXPECT_THAT(final_reason_of(changed("direction", "sideways")), HasSubstr("sideways"));
  EXPECT_THAT(final_reason_of(changed("scop", {})), HasSubstr("its fields are"));
  EXPECT_THAT(final_reason_of(changed("scope", {{"seeds", 0}})), HasSubstr("1 to 1000000"));
  EXPECT_THAT(final_reason_of(changed("scope", {{"config", "small/none"}})),
              HasSubstr("small/none"));
  EXPECT_THAT(final_reason_of(changed("source", "text")), HasSubstr("give one"));
  EXPECT_THAT(final_reason_of(changed("paths", {"/nowhere/kernel.cpp"})),
              HasSubstr("/nowhere/kernel.cpp does not exist"));
  EXPECT_THAT(final_reason_of(changed("rivals", {{"other", {{"paths", {wrong}}}}})),
              HasSubstr("'bench' is false"));
  EXPECT_THAT(final_reason_of(changed("judge", "jury")), HasSubstr("give \"replay\" or"));
  EXPECT_THAT(final_reason_of(changed("judge", "replay")), HasSubstr("'bench' is false"));
  json timed = changed("require_replay", true);
  timed["bench"] = true;
  EXPECT_THAT(final_reason_of(timed), HasSubstr("none on the CPU"));
  timed["judge"] = "in_process";
  EXPECT_THAT(final_reason_of(timed), HasSubstr("leave one of the two out"));

  client.end_of_input();
  EXPECT_TRUE(client.receive_rest().empty());
  EXPECT_EQ(serve.exit_code(), 0);
}

TEST(Serve, EverySubmitGetsOneFinalLineBeforeTheEnd) {
  ServeProcess serve;
  ServeClient& client = serve.client();
  json as_text = submit("right", right);
  as_text.erase("paths");
  as_text["source"] = source_text;
  client.send(as_text);
  client.send(submit("wrong", wrong));
  client.send_text(submit("last", right).dump());  // lacks its newline
  client.end_of_input();

  std::map<std::string, json> finals;
  std::set<std::string> tested;
  for (const json& line : client.receive_rest()) {
    const auto id = line["id"].get<std::string>();
    EXPECT_FALSE(finals.contains(id)) << line;
    if (line["type"] == "final") finals[id] = line;
    if (line["type"] == "stage" && line["stage"] == "test") tested.insert(id);
  }
  EXPECT_EQ(serve.exit_code(), 0);
  ASSERT_EQ(finals.size(), 3U);
  EXPECT_EQ(tested, (std::set<std::string>{"right", "wrong", "last"}));
  EXPECT_EQ(finals["right"]["verdict"], "pass");
  EXPECT_EQ(finals["last"]["verdict"], "pass");
  const json& rejected = finals["wrong"];
  EXPECT_EQ(rejected["status"], "done");
  EXPECT_EQ(rejected["verdict"], "wrong_result");
  EXPECT_EQ(rejected["stage"], "test");
  EXPECT_EQ(rejected["speedup"], nullptr);
  const std::vector<KernelRecord> records = kernels_of(rejected["record"]);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].path, wrong);
  EXPECT_EQ(records[0].judgement.verdict, Verdict::wrong_result);
}

TEST(Serve, AFullQueueIsBusyUntilASubmissionIsCancelled) {
  ServeProcess serve(one_at_a_time);
  ServeClient& client = serve.client();
  client.send(submit("first", endless));
  wait_until_called(client);
  client.send(submit("second", right));
  EXPECT_EQ(client.receive_final("second")["status"], "busy");
  client.send(submit("first", right));  // has the id of another
  json refused = client.receive();
  while (refused["type"] == "progress") refused = client.receive();
  EXPECT_EQ(refused["type"], "error");

  client.send({{"type", "cancel"}, {"id", "first"}});
  const json ended = client.receive_final("first");
  EXPECT_EQ(ended["status"], "cancelled");
  EXPECT_EQ(ended["verdict"], "skipped");

  client.send(submit("second", right));
  EXPECT_EQ(client.receive_final("second")["verdict"], "pass");
  client.end_of_input();
  EXPECT_TRUE(client.receive_rest().empty());
  EXPECT_EQ(serve.exit_code(), 0);
}

TEST(Serve, CancelsASubmissionThatHasNotBegun) {
  ServeProcess serve({"--queue", "2", "--call-timeout", "3600", "--allow", "clocks"});
  ServeClient& client = serve.client();
  client.send(submit("first", endless));
  wait_until_called(client);
  client.send(submit("second", right));
  client.send({{"type", "cancel"}, {"id", "second"}});
  EXPECT_EQ(client.receive_final("second")["status"], "cancelled");
  client.send({{"type", "cancel"}, {"id", "first"}});
  EXPECT_EQ(client.receive_final("first")["status"], "cancelled");
}

TEST(Serve, AClientThatLeavesCancelsOnlyItsSubmissions) {
  const TemporaryDirectory directory("serve_test");
  const std::string path = directory.path() / "socket";
  std::vector<std::string> options = one_at_a_time;
  options.insert(options.end(), {"--listen", "unix:" + path});
  ServeProcess serve(options);
  ServeClient stays = ServeClient::connect_to(path);
  {
    ServeClient goes = ServeClient::connect_to(path);
    goes.send(submit("same id", endless));
    wait_until_called(goes);
    stays.send(submit("same id", right));
    EXPECT_EQ(stays.receive_final("same id")["status"], "busy");
  }
  // A client is not told when another one's place is free, so it asks again.
  json ended;
  do {
    stays.send(submit("same id", right));
    ended = stays.receive_final("same id");
  } while (ended["status"] == "busy");
  EXPECT_EQ(ended["verdict"], "pass");
}

TEST(Serve, ListensAtNoAddressThatItCannotHave) {
  ServeProcess serve({"--listen", "localhost:80"});
  EXPECT_EQ(serve.exit_code(), 2);
  ServeProcess at_file({"--listen", "unix:" + right});
  EXPECT_EQ(at_file.exit_code(), 2);
}

}  // namespace
}  // namespace robust_kbench
