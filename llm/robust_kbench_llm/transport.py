"""The common parts of all ways to ask a model: the question, the reply, the failure."""

import dataclasses
import decimal

from robust_kbench_llm.room import Room
from robust_kbench_llm.usage import Usage

# Far above any output limit: a stream without end must end. Escaped as JSON, it fits into a line.
MOST_ANSWER_CHARACTERS = 2 << 20


@dataclasses.dataclass(frozen=True)
class Question:
    """The question of a call. `name` is the provider's name of the model.

    `output_setting` is people's name for the limit of output tokens.
    """

    name: str
    messages: list
    max_output_tokens: int
    temperature: float | None = None
    effort: str | None = None
    schema: dict | None = None
    output_setting: str = "the limit of output tokens"


@dataclasses.dataclass(frozen=True)
class Body:
    """A request as it is sent.

    `ignored` names the settings of the question that it leaves out. `droppable` maps each optional
    parameter to the setting behind it, or to None where there is none.
    """

    members: dict
    ignored: frozenset
    droppable: dict


@dataclasses.dataclass
class Reply:
    """The reply of an attempt, which may fail in the middle.

    `reported_usd` is the cost that the endpoint itself reports, or None. `thought` counts the
    characters of the model's thoughts, which are not kept.
    """

    finish_reason: str | None = None
    usage: Usage | None = None
    reported_usd: decimal.Decimal | None = None
    thought: int = 0
    _pieces: list = dataclasses.field(default_factory=list)
    _characters: int = 0

    @property
    def text(self):
        return "".join(self._pieces)

    @property
    def has_output(self):
        """Whether any token has arrived."""
        return self._characters + self.thought > 0

    def think(self, text):
        """Counts a piece of the model's thoughts."""
        self.thought += len(text)

    def refuse(self, text):
        """Adds a piece of a refusal."""
        self.add(text)
        self.finish_reason = "refusal"

    def add(self, text):
        """Adds a piece of text. Raises AttemptFailed for an answer without end."""
        self._pieces.append(text)
        self._characters += len(text)
        if self._characters > MOST_ANSWER_CHARACTERS:
            raise AttemptFailed("truncated_body", f"the answer exceeds {MOST_ANSWER_CHARACTERS} "
                                "characters; it was cut off", is_final=True)


@dataclasses.dataclass(eq=False)
class AttemptFailed(Exception):
    """An attempt without a reply. `status` is one of those in docs/llm_helper.md.

    `billable` tells whether the endpoint may charge for it, and `charges_input_alone` whether only
    the input. `is_final` tells that another attempt would end the same way. `rejected` is a
    parameter that the endpoint rejects, `room` the Room where the request does not fit.
    """

    status: str
    message: str
    billable: bool = True
    is_final: bool = False
    retry_after_s: float | None = None
    rejected: str | None = None
    room: Room | None = None
    charges_input_alone: bool = False


def without_system(messages):
    """The messages for a model without the system's role: its message precedes the user's first
    one."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if system and rest[0]["role"] != "user":
        return [{"role": "user", "content": "\n\n".join(system)}, *rest]
    return [{"role": rest[0]["role"], "content": "\n\n".join([*system, rest[0]["content"]])},
            *rest[1:]]
