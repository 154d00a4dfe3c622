import asyncio
import copy
import pickle
import traceback

import openai
import pytest
from conftest import COMPLETION, http

from headgate import AsyncHeadgate, Headgate

KEY = "hg_live_" + "s3cret" * 8


@pytest.fixture(params=[Headgate, AsyncHeadgate])
def kind(request, monkeypatch):
    for name in ("API_KEY", "ADMIN_KEY", "BASE_URL"):
        monkeypatch.delenv(f"HEADGATE_{name}", raising=False)
    return request.param


def test_both_are_the_official_clients():
    assert issubclass(Headgate, openai.OpenAI)
    assert issubclass(AsyncHeadgate, openai.AsyncOpenAI)


def test_keys_and_address_come_from_the_environment(kind, monkeypatch):
    monkeypatch.setenv("HEADGATE_API_KEY", "hg_a")
    monkeypatch.setenv("HEADGATE_ADMIN_KEY", "hg_b")
    monkeypatch.setenv("HEADGATE_BASE_URL", "https://gateway.example")
    made = kind()
    assert (made.api_key, made.admin_api_key, str(made.base_url)) == ("hg_a", "hg_b", "https://gateway.example/v1/")


def test_what_is_empty_in_the_environment_is_not_there(kind, monkeypatch):
    monkeypatch.setenv("HEADGATE_BASE_URL", " ")
    monkeypatch.setenv("HEADGATE_ADMIN_KEY", "")
    for empty in ("", " \n"):
        monkeypatch.setenv("HEADGATE_API_KEY", empty)
        with pytest.raises(openai.OpenAIError, match="HEADGATE_API_KEY"):
            kind()
    monkeypatch.setenv("HEADGATE_API_KEY", " hg_a\r\n")
    made = kind()
    assert (made.api_key, made.admin_api_key, str(made.base_url)) == ("hg_a", None, "http://127.0.0.1:8080/v1/")
    with pytest.raises(openai.OpenAIError, match="HEADGATE_API_KEY"):
        kind(api_key="")


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (None, "http://127.0.0.1:8080/v1/"),
        ("", "http://127.0.0.1:8080/v1/"),
        ("https://a.example", "https://a.example/v1/"),
        ("https://a.example/", "https://a.example/v1/"),
        ("https://a.example/v1", "https://a.example/v1/"),
        ("https://a.example/v1/", "https://a.example/v1/"),
        ("https://a.example/models", "https://a.example/models/v1/"),
    ],
)
def test_an_address_may_have_its_version_or_not(kind, given, used):
    assert str(kind(api_key=KEY, base_url=given).base_url) == used


def test_nothing_of_openais_environment_is_sent(kind, monkeypatch, answering):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Proxy-Key: secret")
    with pytest.raises(openai.OpenAIError, match="HEADGATE_API_KEY"):
        kind()
    made, _ = answering(kind, (200, {}, {}))
    assert (made.admin_api_key, made.organization, made.project) == (None, None, None)
    assert "127.0.0.1" in str(made.base_url)
    for each in (made, made.with_options(timeout=1)):
        names = {name.lower() for name, value in each.default_headers.items() if isinstance(value, str)}
        assert names.isdisjoint({"x-proxy-key", "openai-organization", "openai-project"})


def test_an_administrators_key_is_enough_for_administration(kind, answering):
    made = kind(admin_api_key=KEY)
    assert (made.api_key, made.admin_api_key) == ("", KEY)
    assert made.copy().admin_api_key == KEY


def test_administration_is_asked_with_the_administrators_key(answering):
    made, requests = answering(Headgate, (200, {}, {"object": "list", "data": []}), admin_api_key="hg_admin")
    made.admin.organization.projects.list()
    made.status.retrieve()
    made.usage.list()
    assert [request.url.path for request in requests] == ["/v1/organization/projects", "/v1/status", "/v1/usage"]
    keys = [request.headers["authorization"] for request in requests]
    assert keys == ["Bearer hg_admin", "Bearer hg_admin", "Bearer hg_test"]


def test_administration_falls_back_to_the_key_that_there_is(answering, monkeypatch):
    monkeypatch.delenv("HEADGATE_ADMIN_KEY")
    made, requests = answering(Headgate, (200, {}, {}))
    made.status.retrieve()
    assert requests[0].headers["authorization"] == "Bearer hg_test"


def test_what_was_given_is_sent(answering):
    made, requests = answering(
        Headgate, (200, {}, COMPLETION), organization="org-1", default_headers={"X-Team": "a"}, base_url="http://a/v1"
    )
    made.chat.completions.create(model="m", messages=[])
    headers = requests[0].headers
    assert (headers["openai-organization"], headers["x-team"]) == ("org-1", "a")
    assert str(requests[0].url) == "http://a/v1/chat/completions"


def test_the_cost_of_streams_is_asked_for_where_it_is_wanted(answering):
    made, requests = answering(Headgate, (200, {}, COMPLETION))
    for each in (
        made,
        made.copy(include_cost=True).copy(timeout=3),
        made.copy(include_cost=True).copy(include_cost=False),
    ):
        each.chat.completions.create(model="m", messages=[])
    assert [request.headers.get("service-include-cost") for request in requests] == [None, "true", None]


def test_a_copy_keeps_what_it_is_not_told(kind):
    made = kind(api_key=KEY, base_url="http://a", pace=True, timeout=3, max_retries=7, default_headers={"X-Team": "a"})
    same = made.with_options(max_retries=1)
    assert type(same) is kind
    assert (same.api_key, str(same.base_url), same.timeout, same.max_retries) == (KEY, "http://a/v1/", 3, 1)
    assert same.default_headers["X-Team"] == "a"
    # One key has one window.
    assert same._pacer is made._pacer is not None
    assert made.copy(pace=False)._pacer is None
    assert kind(api_key=KEY).with_options(pace=5)._pacer.most_seconds == 5


def test_a_key_may_come_from_a_function(answering):
    made, requests = answering(Headgate, (200, {}, COMPLETION), api_key=lambda: "hg_fresh")
    made.chat.completions.create(model="m", messages=[])
    assert requests[0].headers["authorization"] == "Bearer hg_fresh"


def test_no_key_is_printed(kind):
    made = kind(api_key=KEY, admin_api_key=KEY, base_url="http://user:s3cret@a")
    assert repr(made) == f"{kind.__name__}(base_url=URL('http://user:[secure]@a/v1/'))"
    assert "s3cret" not in repr([made.api_key, made.admin_api_key, made.copy().api_key])
    # What reporters of errors do with the members of an object.
    members = {name: value for name, value in vars(made).items() if name != "_base_url"}
    assert "s3cret" not in repr(members)
    assert made.api_key == KEY


def test_no_error_tells_the_key(answering):
    refusal = (401, {}, {"error": {"message": "no", "type": "t", "code": "invalid_api_key", "param": None}})
    made, _ = answering(Headgate, refusal, api_key=KEY)
    with pytest.raises(openai.AuthenticationError) as told:
        made.models.list()
    assert "s3cret" not in "".join(traceback.format_exception(told.value))
    assert "s3cret" not in repr((told.value, told.value.request, told.value.request.headers))


def told_by(call):
    """All that an error tells, and those that led to it."""
    with pytest.raises(openai.OpenAIError) as told:
        call()
    parts = [*traceback.format_exception(told.value)]
    error = told.value
    while error is not None:
        parts.append(repr((error, error.args, vars(error))))
        error = error.__cause__ or error.__context__
    return "".join(parts)


@pytest.mark.parametrize("key", [f"{KEY}\n", f"{KEY} x", f"{KEY}é"])
def test_a_key_that_can_not_be_sent_is_told_without_the_key(kind, key):
    async def ask(made):
        listed = made.models.list()
        if kind is AsyncHeadgate:
            await listed

    async def give():
        return key

    function = give if kind is AsyncHeadgate else lambda: key
    for options in ({"api_key": key}, {"admin_api_key": key}, {"api_key": function}):
        told = told_by(lambda options=options: asyncio.run(ask(kind(**options, base_url="http://127.0.0.1:1"))))
        assert "no key has" in told
        assert "s3cret" not in told


async def test_a_key_of_a_function_is_not_printed(kind, answering):
    async def give():
        return KEY

    made, requests = answering(kind, (200, {}, COMPLETION), api_key=give if kind is AsyncHeadgate else lambda: KEY)
    asked = made.copy().copy().chat.completions.create(model="m", messages=[])
    if kind is AsyncHeadgate:
        await asked
        await made.chat.completions.create(model="m", messages=[])
    else:
        made.chat.completions.create(model="m", messages=[])
    assert [request.headers["authorization"] for request in requests] == [f"Bearer {KEY}"] * 2
    assert "s3cret" not in repr(vars(made))


def test_a_browser_is_refused_unless_it_is_allowed(kind, monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    with pytest.raises(openai.OpenAIError, match="dangerously_allow_browser"):
        kind(api_key=KEY)
    assert kind(api_key=KEY, dangerously_allow_browser=True).copy().api_key == KEY


def test_a_transport_of_ones_own_is_used(answering):
    made, requests = answering(Headgate, (200, {}, {"object": "list", "data": []}))
    assert list(made.models.list()) == []
    assert len(requests) == 1
    assert isinstance(made.with_options(http_client=http.Client())._client, http.Client)


def test_answers_can_be_copied_and_pickled(answering):
    made, _ = answering(Headgate, (200, {"x-request-id": "req_1"}, COMPLETION))
    answer = made.chat.completions.create(model="m", messages=[])
    assert copy.deepcopy(answer) == answer == pickle.loads(pickle.dumps(answer))
