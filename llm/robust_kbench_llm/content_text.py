"""The text of a message's content, which is a text or a list of parts."""

TEXT_PARTS = {"text", "output_text", None}
THOUGHTS = {"thinking", "reasoning", "reasoning_content", "redacted_thinking"}


def add_content(reply, content):
    """Adds a content to the reply. Thoughts are only counted."""
    if isinstance(content, str):
        reply.add(content)
    elif isinstance(content, list):
        for part in content:
            add_part(reply, part)
    elif content is not None:
        raise TypeError(f"a content of type {type(content).__name__}")


def add_part(reply, part):
    if isinstance(part, str):
        reply.add(part)
        return
    kind = part.get("type")
    if kind in TEXT_PARTS:
        reply.add(part.get("text") or "")
    elif kind in THOUGHTS:
        add_thoughts(reply, part.get(kind) or part.get("text") or part.get("data"))
    elif kind == "refusal":
        reply.refuse(part.get("refusal") or "")


def add_thoughts(reply, thoughts):
    """Counts a model's thoughts: a text, or a list of parts with texts."""
    if isinstance(thoughts, str):
        reply.think(thoughts)
    elif isinstance(thoughts, list):
        for part in thoughts:
            add_thoughts(reply, part.get("text") if isinstance(part, dict) else part)
