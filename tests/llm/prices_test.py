"""Reservations and the table of models against the pinned list of prices."""

import datetime
import json

import pytest
from helper import ROOT, Helper

PACKAGE = ROOT / "llm/robust_kbench_llm"
MODELS = json.loads((PACKAGE / "models.json").read_text())
PROVIDERS = json.loads((PACKAGE / "providers.json").read_text())
PRICED = sorted({*(f"{provider}/{name}" for provider, names in MODELS["defaults"].items()
                   for name in names.values()),
                 *MODELS["paper"]["proposers"],
                 *(entry["by"] for entry in MODELS["replacements"].values())})


@pytest.fixture(scope="module")
def helper():
    helper = Helper({"mine": {"base_url": "https://llm.example.com/v1"},
                     "gateway": {"base_url": "https://llm.example.com", "like": "anthropic"}})
    yield helper
    assert helper.close() == 0


def estimate(helper, model, input_bytes=1_000_000, max_output_tokens=1_000_000):
    return helper.request("estimate", model=model, input_bytes=input_bytes,
                          max_output_tokens=max_output_tokens)


@pytest.mark.parametrize("model", PRICED)
def test_model_has_a_price(helper, model):
    answer = estimate(helper, model)
    assert answer["micro_usd"] > 0
    assert answer["price"]["usd"]["output_mtok"]


def test_table_of_models_is_whole():
    datetime.date.fromisoformat(MODELS["date"])
    with_key = {name for name, entry in PROVIDERS.items() if "key_variable" in entry}
    assert MODELS["defaults"].keys() == with_key
    for names in MODELS["defaults"].values():
        assert names.keys() == {"proposer", "verifier"}
    for role in ("verifier", "translator"):
        assert MODELS["paper"][role] in MODELS["paper"]["proposers"]
    # Each of the paper's models is retired or about to be.
    assert MODELS["replacements"].keys() == set(MODELS["paper"]["proposers"])


@pytest.mark.parametrize("model", ["openai/nobody-knows-it", "ollama/gpt-oss-120b", "mine/gpt-4.1"])
def test_unknown_price_is_null(helper, model):
    answer = estimate(helper, model)
    assert answer["micro_usd"] is None and answer["price"] is None
    assert answer["input_tokens"] == 1_000_000


def test_a_price_before_its_reduction_does_not_count(helper):
    assert estimate(helper, "openai/o3")["micro_usd"] == 10_000_000


def test_highest_tier_counts_at_any_length(helper):
    # 5 dollars for input that is written to the cache and 15 for output, above 272000 tokens of
    # input.
    answer = estimate(helper, "openai/gpt-6.1-sol", input_bytes=1000, max_output_tokens=100)
    assert answer["micro_usd"] == 5 * 1000 + 15 * 100
    assert answer["price"]["usd"]["output_mtok"]["base"] == "10"


def test_the_most_expensive_hour_of_the_day_counts(helper):
    answer = estimate(helper, "deepseek/deepseek-v4-pro")
    assert answer["micro_usd"] == 1_320_000 + 3_960_000


def test_amounts_are_rounded_up(helper):
    answer = estimate(helper, "openai/gpt-6-luna", input_bytes=2, max_output_tokens=1)
    assert answer["micro_usd"] == 2  # 2 * 0.25 + 0.75


def test_provider_like_a_known_one_has_its_prices(helper):
    assert estimate(helper, "gateway/claude-opus-5-5")["micro_usd"] == 25_000_000
