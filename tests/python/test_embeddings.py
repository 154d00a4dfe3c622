import math

import pytest

MODEL = "text-embedding-3-small"


def test_floats_are_what_base64_stands_for(client, decode_floats):
    floats = client.embeddings.create(model=MODEL, input="a sentence", encoding_format="float")
    text = client.embeddings.create(model=MODEL, input="a sentence", encoding_format="base64")
    vector = floats.data[0].embedding
    assert len(vector) == 1536
    assert math.isclose(math.hypot(*vector), 1, rel_tol=1e-5)
    assert decode_floats(text.data[0].embedding) == vector


def test_the_client_asks_for_base64_by_itself_and_decodes_it(client):
    floats = client.embeddings.create(model=MODEL, input="a sentence", encoding_format="float")
    default = client.embeddings.create(model=MODEL, input="a sentence")
    assert default.data[0].embedding == floats.data[0].embedding


@pytest.mark.parametrize(
    ("given", "count"),
    [("one", 1), (["one", "two", "three"], 3), ([1, 2, 3], 1), ([[1, 2], [3]], 2)],
    ids=["string", "strings", "tokens", "token lists"],
)
def test_every_kind_of_input_has_its_vectors(client, given, count):
    answer = client.embeddings.create(model=MODEL, input=given)
    assert [each.index for each in answer.data] == list(range(count))


def test_dimensions_shorten_the_vectors(client):
    answer = client.embeddings.create(model=MODEL, input="a sentence", dimensions=256)
    assert len(answer.data[0].embedding) == 256


def test_embeddings_have_a_record(client, record_of):
    answer = client.embeddings.with_raw_response.create(model=MODEL, input="three short words")
    record = record_of(answer.headers["x-request-id"])
    assert (record["model"], record["input_tokens"], record["output_tokens"]) == (MODEL, 3, 0)
