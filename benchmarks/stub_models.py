"""The stub of language models' endpoints for the scripts here, and the costs that it reports."""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import time
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parent.parent
STUB = SOURCE / "tests" / "llm" / "stub_server.py"
START_LIMIT_S = 60
# The providers of the paper's models, on both wire formats. Each key has a text of its own.
PROVIDERS = {"openai": ("OPENAI_API_KEY", "/v1"), "anthropic": ("ANTHROPIC_API_KEY", ""),
             "google": ("GEMINI_API_KEY", "/v1")}
PLANTED = "planted-key-for-"
# A verdict only counts with the mark of its prompt.
MARK = "The mark of this message is ([0-9a-f]+)"
VERDICT = "FINAL VERIFICATION ANSWER: {} $quote"
PRICES = """
import decimal, json, math, sys
import genai_prices
total = 0
for provider, model, usage in json.load(sys.stdin):
    tokens = genai_prices.Usage(input_tokens=usage["input_tokens"],
                                cache_read_tokens=usage["cached_input_tokens"],
                                cache_write_tokens=usage["cache_write_tokens"],
                                output_tokens=usage["output_tokens"])
    price = genai_prices.calc_price(tokens, model_ref=model, provider_id=provider)
    total += math.ceil(price.total_price * decimal.Decimal(1_000_000))
print(total)
"""


class Stub:
    """The stub in a process of its own.

    `directory` gets its scenario, and a configuration with all PROVIDERS at the stub's address.
    """

    def __init__(self, directory, scenario):
        directory.mkdir(parents=True, exist_ok=True)
        port_file = directory / "port"
        port_file.unlink(missing_ok=True)
        scenario_file = directory / "scenario.json"
        scenario_file.write_text(json.dumps(scenario))
        self._process = subprocess.Popen([sys.executable, STUB, "--scenario", scenario_file,
                                          "--port-file", port_file])
        deadline = time.monotonic() + START_LIMIT_S
        while not port_file.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise RuntimeError(f"the stub did not start within {START_LIMIT_S} s")
            time.sleep(0.05)
        self.url = f"http://127.0.0.1:{port_file.read_text().strip()}"
        self._configuration = directory.resolve() / "config"
        own = self._configuration / "robust-kbench"
        own.mkdir(parents=True, exist_ok=True)
        (own / "config.json").write_text(json.dumps({"providers": {
            name: {"base_url": self.url + path} for name, (_, path) in PROVIDERS.items()}}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self._process.kill()
        self._process.wait()

    def is_running(self):
        return self._process.poll() is None

    def environment(self):
        """This process's environment, with keys and a configuration that lead only to the stub."""
        return {**os.environ, "XDG_CONFIG_HOME": str(self._configuration),
                **{variable: PLANTED + name for name, (variable, _) in PROVIDERS.items()}}

    def count(self):
        return self._get("count")

    def requests(self):
        return self._get("requests")

    def _get(self, page):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/{page}", timeout=60) as response:
            return json.load(response)


def kernel_answer(code, tag="cpp", name="kernel", strategy="a kernel"):
    """An answer to a prompt that asks for a kernel. `$` in it is the scenario's."""
    return (f"<name>{name}</name>\n<description>From a script.</description>\n"
            f"<strategy>{strategy}</strategy>\n<{tag}>\n{code}\n</{tag}>\n")


def calls_of(archive):
    """The rows of the ledger, as dictionaries."""
    with sqlite3.connect(f"file:{archive / 'archive.sqlite'}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute("SELECT * FROM calls ORDER BY number")]


def reported(requests):
    """(model, usage) of each request with a reported usage."""
    return [(request["body"]["model"], request["usage"]) for request in requests
            if request["usage"]]


def price(python, provider_of, requests):
    """The price of the reported usages by the price list, in millionths of a dollar.

    `python` has the package genai-prices, and `provider_of` maps a model's name to its provider.
    """
    usages = [(provider_of[model], model, usage) for model, usage in reported(requests)]
    priced = subprocess.run([python, "-c", PRICES], input=json.dumps(usages), check=True,
                            capture_output=True, text=True)
    return int(priced.stdout)


def python_of(build):
    """The Python of the helper in this build."""
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("RobustKBench_LLM_PYTHON:") and not line.endswith("="):
            return pathlib.Path(line.split("=", 1)[1])
    return build / "llm_venv" / "bin" / "python"
