"""The cost of tokens, by the data in the package genai-prices. Nothing is fetched.

Amounts are whole millionths of a dollar, rounded up. A model without a price in the list, or with a
price of 0, costs None: no cap in dollars could limit it.
"""

import datetime
import decimal
import importlib.metadata
import math

MICRO = decimal.Decimal(1_000_000)
# A price may depend on the time of day, and a call may begin later than it is priced.
AHEAD = [datetime.timedelta(minutes=minutes) for minutes in range(0, 24 * 60 + 1, 15)]
INPUT_KEYS = ("input_mtok", "cache_write_mtok")  # an endpoint may write its cache unasked
OUTPUT_KEYS = ("output_mtok", "output_reasoning_mtok")
REQUEST_KEY = "requests_kcount"


def dearest(price):
    """The highest of a price's tiers in dollars, None for None."""
    if price is None or isinstance(price, decimal.Decimal):
        return price
    return max([price.base, *(tier.price for tier in price.tiers)])


def as_json(price):
    """A price as texts, which keep every digit of it."""
    if isinstance(price, decimal.Decimal):
        return str(price)
    return {"base": str(price.base),
            "tiers": [{"above_input_tokens": tier.start, "price": str(tier.price)}
                      for tier in price.tiers]}


class Price:
    """The entry of the list for one model of one provider."""

    def __init__(self, provider, model):
        self._provider = provider
        self._model = model
        now = datetime.datetime.now(datetime.UTC)
        day = [model.get_prices(now + ahead) for ahead in AHEAD]

        def highest(keys):
            found = [dearest(getattr(prices, key)) for prices in day for key in keys]
            return max((price for price in found if price is not None), default=None)

        self._input, self._output = highest(INPUT_KEYS), highest(OUTPUT_KEYS)
        self._request = highest([REQUEST_KEY]) or decimal.Decimal(0)
        self.is_known = bool(self._input and self._output)
        self.entry = {
            "source": f"genai-prices {importlib.metadata.version('genai-prices')}",
            "provider": provider.id, "model": model.id,
            "usd": {key: as_json(price) for key, price in vars(day[0]).items()
                    if price is not None},
            "dearest_usd": {"input_mtok": str(self._input), "output_mtok": str(self._output)},
        }

    def reservation(self, input_tokens, output_tokens):
        """The highest possible cost of an attempt within a day, in millionths of a dollar."""
        # A price for a million tokens in dollars equals that for a token in millionths of a dollar.
        return math.ceil(self._input * input_tokens + self._output * output_tokens
                         + self._request * MICRO / 1000)

    def cost(self, usage):
        """The present cost of a usage, in millionths of a dollar."""
        import genai_prices

        tokens = genai_prices.Usage(
            input_tokens=usage.input, cache_read_tokens=usage.cached_input,
            cache_write_tokens=usage.cache_write, output_tokens=usage.output)
        price = self._model.calc_price(tokens, self._provider)
        return math.ceil(price.total_price * MICRO)


def find_price(provider, name):
    """The Price of a provider's model, or None where it is not in the list."""
    if provider.prices is None:
        return None
    from genai_prices.data_snapshot import get_snapshot

    try:
        price = Price(*get_snapshot().find_provider_model(name, None, provider.prices, None))
    except LookupError:
        return None
    return price if price.is_known else None


def estimate(price, input_tokens, output_tokens):
    """The members of a reservation (docs/llm_helper.md). `price` is a Price or None."""
    return {"input_tokens": input_tokens, "output_tokens": output_tokens,
            "micro_usd": price.reservation(input_tokens, output_tokens) if price else None,
            "price": price.entry if price else None}
