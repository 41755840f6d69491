"""The endpoints of models, and the keys that belong to them."""

import dataclasses
import ipaddress
import json
import pathlib
import re
import urllib.parse

from robust_kbench_llm.protocol import RequestError

TABLE = pathlib.Path(__file__).with_name("providers.json")
# `base_url_variable` is for rkb, which reads the person's environment.
MEMBERS = {"wire", "base_url", "base_url_variable", "key_variable", "prices", "listed_prefix",
           "like", "command"}
WIRES = ("openai", "anthropic", "command")
# Parameters of an address that may hold a key, which is no part of a configuration. rkb has the
# same list (harness/llm/base_url.cpp).
MAY_BE_KEY = re.compile("key|token|secret|password|auth|sig|code", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Provider:
    """The endpoint of some models.

    `host` is the host with its port, or `command NAME`. `like` is the provider of the built-in
    table whose models these are, itself for one of the table. `prices` is the name that the price
    list has for the provider, None where it is unknown there. `listed_prefix` precedes each name in
    the endpoint's list of models. `query` are parameters that each address has.
    """

    name: str
    wire: str
    host: str
    like: str
    base_url: str = ""
    key_variable: str | None = None
    prices: str | None = None
    listed_prefix: str = ""
    query: dict = dataclasses.field(default_factory=dict)
    command: tuple[str, ...] = ()

    @property
    def is_local(self):
        return self.wire == "command" or is_loopback(urllib.parse.urlsplit(self.base_url).hostname)


def is_loopback(hostname):
    """Whether requests to a host never leave the machine."""
    if hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(hostname).is_loopback
    except ValueError:
        return False


def check_url(name, base_url):
    """The host and port of a base URL. Raises RequestError if the URL is unsafe for keys."""
    try:
        url = urllib.parse.urlsplit(base_url)
        url.port  # raises for one that is no number
    except ValueError as error:
        raise RequestError(f"provider {name}: base_url {base_url!r}: {error}") from None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise RequestError(f"provider {name}: base_url {base_url!r} is no http or https address")
    parameters = urllib.parse.parse_qsl(url.query, keep_blank_values=True)
    if (url.username is not None or url.fragment
            or any(MAY_BE_KEY.search(parameter) for parameter, _ in parameters)):
        raise RequestError(f"provider {name}: base_url {base_url!r} has more than host, port and "
                           "path, and than parameters such as api-version; a key belongs in the "
                           "variable that key_variable names")
    if url.scheme == "http" and not is_loopback(url.hostname):
        raise RequestError(f"provider {name}: base_url {base_url!r} is plain http, which is for "
                           "loopback addresses only; use https")
    return url.netloc.lower()


def make_provider(name, entry):
    """A provider of an entry of the table. Raises RequestError for an invalid entry."""
    unknown = entry.keys() - MEMBERS
    if unknown:
        raise RequestError(f"provider {name} has the unknown member {min(unknown)}; known: "
                           f"{', '.join(sorted(MEMBERS))}")
    wire = entry.get("wire", "openai")
    if wire not in WIRES:
        raise RequestError(f"provider {name}: wire {wire!r} is none of {', '.join(WIRES)}")
    if wire == "command":
        command = entry.get("command")
        if not command or not isinstance(command, list) or not all(
                isinstance(word, str) for word in command):
            raise RequestError(f"provider {name}: command is no list of texts with a program")
        return Provider(name, wire, f"command {name}", name, command=tuple(command))
    for key in ("base_url", "key_variable", "prices", "listed_prefix"):
        if not isinstance(entry.get(key, ""), (str, type(None))):
            raise RequestError(f"provider {name}: {key} is no text")
    if not entry.get("base_url"):
        raise RequestError(f"provider {name} has no base_url")
    host = check_url(name, entry["base_url"])
    base_url, _, query = entry["base_url"].partition("?")
    return Provider(name, wire, host, entry.get("like", name), base_url.rstrip("/"),
                    entry.get("key_variable"), entry.get("prices"),
                    entry.get("listed_prefix") or "",
                    dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))


def like_another(name, entry, built_in):
    """The members that a new provider takes from the table's provider that its `like` names."""
    like = entry.get("like")
    if like is None:
        return {}
    if like not in built_in:
        raise RequestError(f"provider {name}: like is {like!r}; known: {', '.join(built_in)}")
    return {member: built_in[like][member] for member in ("wire", "prices", "listed_prefix")
            if member in built_in[like]}


class Providers:
    """The built-in table, extended by the person's environment and configuration."""

    def __init__(self, entries):
        built_in = json.loads(TABLE.read_text())
        table = dict(built_in)
        for name, entry in entries.items():
            if not isinstance(entry, dict):
                raise RequestError(f"provider {name} is no object")
            table[name] = table.get(name) or like_another(name, entry, built_in)
            table[name] |= entry
        self._by_name = {name: make_provider(name, entry) for name, entry in table.items()}

    def find(self, name):
        """The provider of a name. Raises RequestError where there is none."""
        if name not in self._by_name:
            raise RequestError(f"no provider is called {name!r}; known: "
                               f"{', '.join(sorted(self._by_name))}; add it to the configuration")
        return self._by_name[name]

    def find_model(self, model):
        """The provider of a model `provider/name`, and the model's name there."""
        provider, slash, name = model.partition("/")
        if not slash or not name:
            raise RequestError(f"model {model!r} is not of the form provider/name")
        return self.find(provider), name
