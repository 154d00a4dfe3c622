import pytest
from openai import BadRequestError, NotFoundError

QUESTION = [{"role": "user", "content": "Hello?"}]


def test_models_are_listed_and_each_can_be_retrieved(client):
    models = {model.id: model for model in client.models.list()}
    assert {"fake-small", "text-embedding-3-small", "default", "echo"} <= set(models)
    for model in models.values():
        assert client.models.retrieve(model.id) == model


def test_a_model_is_retrieved_by_its_provider_too(client):
    assert client.models.retrieve("fake/fake-small").owned_by == "fake"


def test_a_model_that_is_not_there_is_not_found(client):
    with pytest.raises(NotFoundError) as refusal:
        client.models.retrieve("nothing-like-it")
    assert refusal.value.code == "model_not_found"


def test_usage_is_read_page_by_page_newest_first(client, usage):
    sent = [client.chat.completions.create(model="fake-small", messages=QUESTION)._request_id for _ in range(5)]
    first = usage(limit=2, model="fake-small")
    second = usage(limit=2, model="fake-small", after=first["data"][-1]["id"])
    third = usage(limit=1, model="fake-small", after=second["data"][-1]["id"])
    assert [first["object"], first["has_more"], second["has_more"]] == ["list", True, True]
    records = first["data"] + second["data"] + third["data"]
    assert [record["request_id"] for record in records] == sent[::-1]
    ids = [record["id"] for record in records]
    assert ids == sorted(set(ids), reverse=True)


def test_usage_has_twenty_records_to_a_page_and_an_end(client, usage):
    for _ in range(21):
        client.embeddings.create(model="text-embedding-3-small", input="x", dimensions=2)
    page = usage()
    assert (len(page["data"]), page["has_more"]) == (20, True)
    while page["has_more"]:
        page = usage(limit=100, after=page["data"][-1]["id"])
    assert usage(after=page["data"][-1]["id"]) == {"object": "list", "data": [], "has_more": False}


@pytest.mark.parametrize(("param", "value"), [("limit", 0), ("limit", 101), ("limit", "many"), ("after", "usage_0")])
def test_a_bad_query_is_refused_by_its_name(usage, param, value):
    with pytest.raises(BadRequestError) as refusal:
        usage(**{param: value})
    assert refusal.value.param == param
