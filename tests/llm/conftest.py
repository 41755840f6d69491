import sys

import pytest
from helper import ROOT, Helper, Stub, providers_of

sys.path.insert(0, str(ROOT / "llm"))


@pytest.fixture(scope="module")
def stubs(request):
    """The stubs by the names of the module's SCENARIOS."""
    stubs = {name: Stub(scenario) for name, scenario in request.module.SCENARIOS.items()}
    yield stubs
    for stub in stubs.values():
        stub.close()


@pytest.fixture(scope="module")
def helper(request, stubs):
    """One helper for a module's tests. A provider for each stub has the stub's name."""
    helper = Helper(providers_of(stubs, request.module.WIRE))
    yield helper
    assert helper.close() == 0
