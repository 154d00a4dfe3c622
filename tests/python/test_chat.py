import json

from pydantic import BaseModel

QUESTION = [{"role": "user", "content": "Hello?"}]
ANSWER = "Hello from a vendor that does not exist."
TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


class City(BaseModel):
    city: str
    population: int


def test_a_chat_completion_has_an_answer_and_a_record(client, record_of):
    completion = client.chat.completions.create(model="fake-small", messages=QUESTION)
    assert completion.choices[0].message.content == ANSWER
    assert completion.choices[0].finish_reason == "stop"
    assert completion._request_id.startswith("req_")
    record = record_of(completion._request_id)
    assert record["status"] == "succeeded"
    assert record["input_tokens"] == completion.usage.prompt_tokens == 9
    assert record["output_tokens"] == completion.usage.completion_tokens == 8
    assert record["cost_usd"] == (9 * 1.5 + 8 * 6) / 1e6
    assert record["usage_source"] == "provider"


def test_an_alias_leads_to_its_model(client, record_of):
    completion = client.chat.completions.create(model="default", messages=QUESTION)
    assert completion.model == "fake-small"
    assert record_of(completion._request_id)["requested_model"] == "default"


def test_headers_say_who_served_and_what_is_left(client):
    answer = client.chat.completions.with_raw_response.create(model="fake/fake-small", messages=QUESTION)
    assert answer.headers["service-provider"] == "fake"
    assert answer.headers["service-model"] == "fake-small"
    assert int(answer.headers["x-ratelimit-remaining-requests"]) < int(answer.headers["x-ratelimit-limit-requests"])
    assert answer.parse().choices[0].message.content == ANSWER


def test_a_stream_ends_with_the_usage_that_was_asked_for(client, record_of):
    stream = client.chat.completions.create(
        model="fake-small", messages=QUESTION, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    assert text_of(chunks) == ANSWER
    assert chunks[-1].choices == []
    assert chunks[-1].usage.total_tokens == 17
    record = record_of(stream.response.headers["x-request-id"])
    assert record["streamed"] is True
    assert record["total_tokens"] == 17
    assert record["time_to_first_token_ms"] is not None


def test_a_stream_has_no_usage_that_was_not_asked_for_and_a_record_with_it(client, record_of):
    stream = client.chat.completions.create(model="fake-small", messages=QUESTION, stream=True)
    chunks = list(stream)
    assert text_of(chunks) == ANSWER
    assert all(chunk.choices and chunk.usage is None for chunk in chunks)
    record = record_of(stream.response.headers["x-request-id"])
    assert (record["total_tokens"], record["usage_source"]) == (17, "provider")


def test_the_streaming_helper_puts_the_answer_together(client):
    with client.chat.completions.stream(model="fake-small", messages=QUESTION) as stream:
        deltas = [event.delta for event in stream if event.type == "content.delta"]
        final = stream.get_final_completion()
    assert "".join(deltas) == final.choices[0].message.content == ANSWER


def test_tool_calls_are_streamed(client):
    stream = client.chat.completions.create(model="fake-tools", messages=QUESTION, tools=[TOOL], stream=True)
    names, arguments, finish = {}, {}, None
    for chunk in stream:
        choice = chunk.choices[0]
        finish = choice.finish_reason or finish
        for call in choice.delta.tool_calls or []:
            names.setdefault(call.index, call.function.name)
            arguments[call.index] = arguments.get(call.index, "") + (call.function.arguments or "")
    assert finish == "tool_calls"
    assert names == {0: "get_weather", 1: "get_time"}
    assert json.loads(arguments[0]) == {"city": "Paris", "unit": "celsius"}
    assert json.loads(arguments[1]) == {"city": "Paris"}


def test_tool_calls_are_answered_whole(client):
    completion = client.chat.completions.create(model="fake-tools", messages=QUESTION, tools=[TOOL])
    calls = completion.choices[0].message.tool_calls
    assert [call.function.name for call in calls] == ["get_weather", "get_time"]
    assert completion.choices[0].finish_reason == "tool_calls"


def test_structured_output_is_parsed(client):
    completion = client.chat.completions.parse(model="fake-json", messages=QUESTION, response_format=City)
    assert completion.choices[0].message.parsed == City(city="Paris", population=2102650)


def text_of(chunks):
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
