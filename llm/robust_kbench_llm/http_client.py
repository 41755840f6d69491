"""The HTTP client of both wire formats, and the translation of its failures."""

import os
import ssl

from robust_kbench_llm.protocol import RequestError
from robust_kbench_llm.transport import AttemptFailed

CONNECT_S = 10.0
LIST_S = 30.0  # for the list of an endpoint's models
# Variables that name a file or a directory of certificates. People set those of requests and curl
# for a proxy of their company.
CERTIFICATE_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


def certificates():
    """An SSLContext that trusts the certificates of the first variable that is set, else the
    system's list.

    Raises RequestError where they cannot be read.
    """
    import httpx2

    for variable in CERTIFICATE_VARIABLES:
        path = os.environ.get(variable)
        if not path:
            continue
        place = {"capath": path} if os.path.isdir(path) else {"cafile": path}
        try:
            return ssl.create_default_context(**place)
        except OSError as error:  # an SSLError is one
            raise RequestError(f"{variable} names {path}, which cannot be read as certificates: "
                               f"{error.strerror or error}") from None
    return httpx2.create_ssl_context()


def make_client(provider):
    """An httpx2.AsyncClient that follows no redirect, so that a key reaches one host alone.

    Proxies come from the environment (HTTPS_PROXY, NO_PROXY), but requests to this machine never
    use one. Certificates come from there for each host.
    """
    import httpx2

    return httpx2.AsyncClient(
        follow_redirects=False, trust_env=not provider.is_local, verify=certificates(),
        timeout=httpx2.Timeout(LIST_S, connect=CONNECT_S))


def causes_of(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def was_sent(error):
    """Whether a request may have reached its host before httpx2 or the SDK raised `error`."""
    import httpx2

    return not any(isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout,
                                      httpx2.PoolTimeout, httpx2.ProxyError,
                                      httpx2.UnsupportedProtocol)) for cause in causes_of(error))


def failure_of(error, host, has_begun):
    """An AttemptFailed for an error of httpx2 or the SDK. `has_begun`: an answer had begun."""
    import httpx2

    causes = list(causes_of(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return AttemptFailed(
                "connection", f"{host} shows a certificate that is not trusted "
                f"({cause.verify_message}); where you trust it, set SSL_CERT_FILE to a file with "
                "the certificates of its signer, or correct base_url", billable=False,
                is_final=True)
    if any(isinstance(cause, httpx2.TimeoutException) for cause in causes):
        return AttemptFailed("timeout", f"{host} did not answer in time", billable=was_sent(error))
    said = next((str(cause) for cause in causes
                 if isinstance(cause, httpx2.HTTPError) and str(cause)), type(causes[-1]).__name__)
    return AttemptFailed("truncated_body" if has_begun else "connection", f"{host}: {said}",
                         billable=was_sent(error))
