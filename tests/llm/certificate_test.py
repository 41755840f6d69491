"""The certificates that the helper trusts, on this machine as elsewhere."""

import pathlib

import pytest
from helper import Helper, Stub

CERTIFICATE = pathlib.Path(__file__).with_name("loopback_certificate.pem")  # and its key


@pytest.fixture(scope="module")
def stub():
    stub = Stub({"default": {"text": "hello"}}, CERTIFICATE)
    yield stub
    stub.close()


def ask(stub, wire, **environment):
    helper = Helper({"mine": {"base_url": stub.url, "wire": wire}}, environment=environment)
    answer = helper.ask("mine/any")
    assert helper.close() == 0
    return answer


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_persons_certificates_apply_to_this_machine_too(stub, wire, variable):
    answer = ask(stub, wire, **{variable: str(CERTIFICATE)})
    assert (answer["outcome"], answer["text"]) == ("ok", "hello")


def test_certificates_may_be_in_a_directory(stub, tmp_path):
    # OpenSSL finds a certificate by a hash of its subject, which is the file's name here.
    (tmp_path / "7075f8de.0").write_bytes(CERTIFICATE.read_bytes())
    assert ask(stub, "openai", SSL_CERT_DIR=str(tmp_path))["outcome"] == "ok"


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_an_unknown_certificate_is_tried_once(stub, wire):
    answer = ask(stub, wire)
    assert answer["outcome"] == "error"
    [ended] = answer["ended"]
    assert (ended["status"], ended["billable"]) == ("connection", False)
    assert "shows a certificate that is not trusted (self-signed certificate)" in answer["message"]
    assert "set SSL_CERT_FILE" in answer["message"]


def test_a_missing_file_is_named(stub):
    answer = ask(stub, "openai", SSL_CERT_FILE="/nowhere.pem")
    assert answer["event"] == "failed"
    assert "SSL_CERT_FILE names /nowhere.pem, which cannot be read" in answer["reason"]
