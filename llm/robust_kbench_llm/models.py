"""The dated file models.json: default models, replacements of retired ones, and capabilities."""

import dataclasses
import fnmatch
import functools
import json
import pathlib

TABLE = pathlib.Path(__file__).with_name("models.json")


@dataclasses.dataclass(frozen=True)
class Capability:
    """The settings that a model's endpoint honours.

    `effort` is the form in which it takes an effort: None, `reasoning_effort`, `reasoning`,
    `budget` or `adaptive`. `extra` holds members that each request to it has.
    """

    temperature: bool
    effort: str | None
    schema: bool
    output_limit: str
    extra: dict = dataclasses.field(default_factory=dict)


@functools.cache
def load_table():
    return json.loads(TABLE.read_text())


def capability_of(model):
    """The capability of `provider/name`, from all matching rows of the table; later ones win."""
    members = {}
    for row in load_table()["capabilities"]:
        if fnmatch.fnmatchcase(model, row["model"]):
            members |= {name: value for name, value in row.items() if name != "model"}
    return Capability(**members)


def replacement_of(model):
    """The `provider/name` that replaces a retired model, or None."""
    entry = load_table()["replacements"].get(model)
    return entry["by"] if entry else None
