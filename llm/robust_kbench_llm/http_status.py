"""Translates an endpoint's refusal, by an HTTP status or by an error in place of an answer."""

import datetime
import email.utils
import html
import re

from robust_kbench_llm.room import room_of
from robust_kbench_llm.transport import AttemptFailed

MOST_SHOWN = 500  # characters of an endpoint's own words
STATUSES = {401: "unauthorized", 402: "unauthorized", 403: "unauthorized", 404: "unknown_model",
            408: "timeout", 429: "rate_limited", 503: "overloaded", 504: "timeout",
            524: "timeout", 529: "overloaded"}
# Statuses of gateways that gave up, while the model behind them may have answered.
BILLABLE = {408, 504, 524}
REMEDIES = {401: "check the key", 402: "the account has no credit", 403: "check the key's rights"}
# Statuses for errors within an answer that give only a type.
TYPES = {"overloaded": 529, "rate_limit": 429, "authentication": 401, "permission": 403,
         "not_found": 404, "context_length_exceeded": 400, "invalid_request": 400}
NO_SUCH_MODEL = re.compile(
    r"model.{0,80}?(not exist|not found|not available|not supported|invalid)"
    r"|(no such|unknown|invalid) model|not a valid model", re.IGNORECASE | re.DOTALL)
NOT_TAKEN = re.compile(
    r"unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed"
    r"|extra inputs|deprecated", re.IGNORECASE)
# Templates of models refuse the role of a system's message in their own words.
SYSTEM_ROLE = re.compile(
    r"\b(system|developer)\b.{0,40}\b(role|instruction|message|prompt)|^system:"
    r"|\broles?\b.{0,80}(\b(system|developer)\b|alternate|'user')|only user\b.{0,40}\broles\b",
    re.IGNORECASE | re.DOTALL)
NO_ROLE = re.compile(NOT_TAKEN.pattern + r"|not enabled|invalid|alternate|\bonly\b|should be",
                     re.IGNORECASE)
NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached"}
SYSTEM = "system"  # the parameter that stands for messages with this role


def shown(text):
    """An endpoint's own words for people. A page of HTML is shown by its title."""
    if text.lstrip()[:1] == "<":
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
        named = " ".join(html.unescape(title[1]).split()) if title else ""
        return f"a web page '{named[:MOST_SHOWN]}'" if named else "a web page"
    return text[:MOST_SHOWN] or "nothing"


def retry_after_s(headers):
    """The wait that the headers ask of a client, in seconds, or None."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            return max(0.0, float(value) * unit)
        except ValueError:
            pass
        try:
            when = email.utils.parsedate_to_datetime(value)
            return max(0.0, (when - datetime.datetime.now(datetime.UTC)).total_seconds())
        except (TypeError, ValueError):
            continue
    return None


def error_of(body):
    """The object in which an endpoint explains itself: `{"error": {...}}` or its inside."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict):
        inside = body.get("error", body)
        return inside if isinstance(inside, dict) else {"message": str(inside)}
    return {"message": str(body or "")}


def words_of(error):
    return str(error.get("message") or error)


def rejected_parameter(error, text, parameters):
    """The parameter among those given that the endpoint rejects, or None."""
    if SYSTEM in parameters and SYSTEM_ROLE.search(text) and NO_ROLE.search(text):
        return SYSTEM
    if not NOT_TAKEN.search(f"{error.get('code')} {text}"):
        return None
    named = [name for name in parameters if name != SYSTEM and
             (error.get("param") == name or re.search(rf"\b{re.escape(name)}\b", text))]
    return max(named, key=len, default=None)


def failure_of_status(code, headers, body, host, parameters=(), manner=""):
    """An AttemptFailed for a response with a status other than 2xx.

    `manner` describes how the host reported it, in place of the status.
    """
    error = error_of(body)
    text = words_of(error)
    if 300 <= code < 400:
        return AttemptFailed(
            "bad_request", f"{host} answered {code}, a redirect to "
            f"{headers.get('location', 'nowhere')}; redirects are never followed, set base_url to "
            "where it leads if you trust it", billable=False, is_final=True)
    rejected = room = None
    status = STATUSES.get(code, "server_error" if code >= 500 else "bad_request")
    if code in (400, 413, 422):
        room = room_of(f"{text} {error.get('code')}")
        rejected = None if room else rejected_parameter(error, text, parameters)
        if room is None and rejected is None and NO_SUCH_MODEL.search(text):
            status = "unknown_model"
    elif code == 500 and rejected_parameter(error, text, {SYSTEM} & set(parameters)):
        rejected = SYSTEM  # a server whose template of the model rejects that role fails there
    remedy = f"; {REMEDIES[code]}" if code in REMEDIES else ""
    return AttemptFailed(
        status, f"{host} {manner or f'answered {code}'}: {shown(text)}{remedy}",
        billable=code in BILLABLE,
        is_final=error.get("code") in NO_QUOTA or error.get("type") in NO_QUOTA,
        retry_after_s=retry_after_s(headers), rejected=rejected, room=room)


def code_of(error):
    """The HTTP status that corresponds to an error within an answer."""
    code = error.get("code")
    if str(code).isdecimal() and 400 <= int(code) < 600:
        return int(code)
    kind = f"{error.get('type')} {code}"
    return next((status for name, status in TYPES.items() if name in kind), 500)


def failure_in_answer(error, host, has_output, parameters=()):
    """An AttemptFailed for an error that an endpoint reports with status 200.

    The endpoint may charge for it. Before any output it may charge for the input alone.
    """
    failure = failure_of_status(
        code_of(error), {}, error, host, () if has_output else parameters,
        "broke off its answer" if has_output else "answered 200 with an error")
    failure.billable = True
    failure.charges_input_alone = not has_output
    return failure
