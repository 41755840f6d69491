"""Fills in the templates of prompts/."""

import hashlib
import hmac
import pathlib
import re

import jinja2
import jinja2.sandbox

from .foreign_text import fence, one_line, unfenced

PROMPTS = pathlib.Path(__file__).parent / "prompts"
MARK_DIGITS = 24  # 96 bits, which no text can contain by chance
ROLES = ("system", "user")


class RenderError(ValueError):
    """A prompt that cannot be rendered: an unknown name, missing data or a malformed secret."""


def environment():
    made = jinja2.sandbox.ImmutableSandboxedEnvironment(
        loader=jinja2.FileSystemLoader(PROMPTS),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["fence"] = fence
    made.filters["one_line"] = one_line
    made.filters["unfenced"] = unfenced
    return made


ENVIRONMENT = environment()


def prompt_names():
    return sorted(path.stem for path in PROMPTS.glob("*.jinja2"))


def mark_of(secret, call):
    """The mark that fences foreign text in the prompt of a call.

    Args:
        secret: 64 hexadecimal digits
        call: identity of the call
    """
    if not re.fullmatch(r"[0-9a-f]{64}", secret):
        raise RenderError("the secret of a prompt must be 64 hexadecimal digits in lower case")
    digest = hmac.new(bytes.fromhex(secret), call.encode(), hashlib.sha256).hexdigest()
    return digest[:MARK_DIGITS]


def render(prompt, data, secret, call):
    """The messages of a prompt, and its mark.

    Args:
        prompt: name of a template
        data: the values that the template names (docs/prompts.md)
        secret, call: the ingredients of the mark (mark_of)

    Returns:
        A list of {"role", "content"}, the system's first, and the mark.
    """
    if prompt not in prompt_names():
        raise RenderError(f"prompt {prompt!r} is none of {', '.join(prompt_names())}")
    mark = mark_of(secret, call)
    template = ENVIRONMENT.get_template(prompt + ".jinja2")
    messages = []
    for role in ROLES:
        context = template.new_context({**data, "mark": mark})
        try:
            content = "".join(template.blocks[role](context))
        except (jinja2.TemplateError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise RenderError(f"prompt {prompt!r} cannot be rendered: {error}") from error
        messages.append({"role": role, "content": content.strip() + "\n"})
    return messages, mark
