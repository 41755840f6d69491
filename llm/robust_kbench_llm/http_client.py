"""The client of HTTP through which both wire formats send."""

CONNECT_S = 10.0
LIST_S = 30.0  # for the list of an endpoint's models


def make_client(provider, timeout_s=None):
    """An httpx2.AsyncClient that follows no redirect, so that a key reaches one host alone.

    Proxies and certificates come from the environment (HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE). What
    goes to this machine never takes a proxy.
    """
    import httpx2

    return httpx2.AsyncClient(
        follow_redirects=False, trust_env=not provider.is_local,
        timeout=httpx2.Timeout(timeout_s or LIST_S, connect=CONNECT_S))


def was_sent(error):
    """Whether a request may have reached its host before httpx2 or the SDK raised `error`."""
    import httpx2

    cause = error
    while cause is not None:
        if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout,
                              httpx2.ProxyError, httpx2.UnsupportedProtocol)):
            return False
        cause = cause.__cause__
    return True
