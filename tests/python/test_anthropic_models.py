import os

import pytest
from anthropic import Anthropic, AuthenticationError, BadRequestError, NotFoundError

ADDRESS = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")


@pytest.fixture
def anthropic():
    with Anthropic(base_url=ADDRESS, api_key=os.environ["OPENAI_API_KEY"], max_retries=0, timeout=20.0) as made:
        yield made


def test_all_models_are_listed_page_after_page_as_openai_lists_them(anthropic, client):
    ids = [model.id for model in client.models.list()]
    assert [model.id for model in anthropic.models.list(limit=2)] == ids
    assert [model.id for model in anthropic.models.list(limit=1000)] == ids
    before = [model.id for model in anthropic.models.list(limit=1, before_id=ids[-1])]
    assert before == ids[-2::-1]


def test_each_is_retrieved_as_it_is_listed(anthropic):
    for model in anthropic.models.list(limit=1000):
        assert anthropic.models.retrieve(model.id) == model
        assert (model.type, model.lifecycle) == ("model", "active")
        assert model.created_at.tzinfo is not None


def test_refusals_are_anthropics(anthropic):
    with pytest.raises(NotFoundError) as unknown:
        anthropic.models.retrieve("nobody")
    assert unknown.value.body["error"]["type"] == "not_found_error"
    assert unknown.value.request_id.startswith("req_")
    with pytest.raises(BadRequestError) as refused:
        anthropic.models.list(limit=0)
    assert refused.value.body["error"]["type"] == "invalid_request_error"
    with Anthropic(base_url=ADDRESS, api_key="sk-ant-other", max_retries=0) as stranger, pytest.raises(AuthenticationError):
        stranger.models.list()
