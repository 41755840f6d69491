"""What all ways to ask a model have in common: the question, the reply, the failure."""

import dataclasses
import decimal

from robust_kbench_llm.room import Room
from robust_kbench_llm.usage import Usage

# Far above any output limit: a stream without end must end. Escaped as JSON it fits into a line.
MOST_ANSWER_CHARACTERS = 2 << 20


@dataclasses.dataclass(frozen=True)
class Question:
    """What a call asks. `name` is the provider's name of the model.

    `output_setting` is how people know the limit of output tokens.
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

    `ignored` names the settings of the question that it leaves out. `droppable` maps each parameter
    that it may do without to the setting behind it, or to None where there is none.
    """

    members: dict
    ignored: frozenset
    droppable: dict


@dataclasses.dataclass
class Reply:
    """What came back, also where an attempt fails in the middle.

    `reported_usd` is what the endpoint itself says that it costs, or None. `thought` counts the
    characters that the model has thought, which are no text.
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
        """Whether any token has come."""
        return self._characters + self.thought > 0

    def think(self, text):
        """Notes a piece of what the model thought."""
        self.thought += len(text)

    def refuse(self, text):
        """Adds a piece of a refusal."""
        self.add(text)
        self.finish_reason = "refusal"

    def add(self, text):
        """Adds a piece of text. Raises AttemptFailed where the answer has no end."""
        self._pieces.append(text)
        self._characters += len(text)
        if self._characters > MOST_ANSWER_CHARACTERS:
            raise AttemptFailed("truncated_body", f"the answer exceeds {MOST_ANSWER_CHARACTERS} "
                                "characters; it was cut off", is_final=True)


@dataclasses.dataclass(eq=False)
class AttemptFailed(Exception):
    """An attempt without a reply. `status` is one of those in docs/llm_helper.md.

    `billable` says whether the endpoint may charge for it, and `charges_input_alone` that this is
    for no output. `is_final` says that another attempt would end the same way. `rejected` is a
    parameter that the endpoint does not take, `room` the Room where the request does not fit.
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
    """The messages with the system's before the first one of a user, for who knows no such role."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    if system and rest[0]["role"] != "user":
        return [{"role": "user", "content": "\n\n".join(system)}, *rest]
    return [{"role": rest[0]["role"], "content": "\n\n".join([*system, rest[0]["content"]])},
            *rest[1:]]
