"""What an endpoint's refusal by a status of HTTP means."""

import datetime
import email.utils
import re

from robust_kbench_llm.transport import AttemptFailed

MOST_SHOWN = 500  # characters of an endpoint's own words
STATUSES = {401: "unauthorized", 402: "unauthorized", 403: "unauthorized", 404: "unknown_model",
            408: "timeout", 429: "rate_limited", 503: "overloaded", 504: "timeout",
            524: "timeout", 529: "overloaded"}
# A gateway gave up, while the model behind it may have answered.
BILLABLE = {408, 504, 524}
REMEDIES = {401: "check the key", 402: "the account has no credit", 403: "check the key's rights"}
NO_SUCH_MODEL = re.compile(
    r"model.{0,80}?(not exist|not found|not available|not supported|invalid)"
    r"|(no such|unknown|invalid) model|not a valid model", re.IGNORECASE | re.DOTALL)
NOT_TAKEN = re.compile(
    r"unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed"
    r"|extra inputs|deprecated", re.IGNORECASE)
NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached"}


def retry_after_s(headers):
    """What the headers ask a client to wait, in seconds, or None."""
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


def rejected_parameter(error, text, parameters):
    """The parameter among those given that the endpoint says it does not take, or None."""
    if not NOT_TAKEN.search(f"{error.get('code')} {text}"):
        return None
    named = [name for name in parameters
             if error.get("param") == name or re.search(rf"\b{re.escape(name)}\b", text)]
    return max(named, key=len, default=None)


def failure_of_status(code, headers, body, host, parameters=()):
    """An AttemptFailed for a response with a status other than 2xx."""
    error = error_of(body)
    text = str(error.get("message") or error)[:MOST_SHOWN]
    if 300 <= code < 400:
        return AttemptFailed(
            "bad_request", f"{host} answered {code}, a redirect to "
            f"{headers.get('location', 'nowhere')}; redirects are never followed, set base_url to "
            "where it leads if you trust it", billable=False, is_final=True)
    rejected = None
    status = STATUSES.get(code, "server_error" if code >= 500 else "bad_request")
    if code in (400, 422):
        rejected = rejected_parameter(error, text, parameters)
        if rejected is None and NO_SUCH_MODEL.search(text):
            status = "unknown_model"
    remedy = f"; {REMEDIES[code]}" if code in REMEDIES else ""
    return AttemptFailed(
        status, f"{host} answered {code}: {text}{remedy}", billable=code in BILLABLE,
        is_final=error.get("code") in NO_QUOTA or error.get("type") in NO_QUOTA,
        retry_after_s=retry_after_s(headers), rejected=rejected)


def failure_in_stream(error, host):
    """An AttemptFailed for an error that an endpoint reports within its answer."""
    kind = f"{error.get('type')} {error.get('code')}"
    status = "server_error"
    if "overloaded" in kind or "529" in kind:
        status = "overloaded"
    elif "rate_limit" in kind or "429" in kind:
        status = "rate_limited"
    text = str(error.get("message") or error)[:MOST_SHOWN]
    return AttemptFailed(status, f"{host} broke off its answer: {text}")
