import asyncio

import pytest
from openai import RateLimitError

QUESTION = [{"role": "user", "content": "Hello?"}]
ANSWER = "Hello from a vendor that does not exist."


def test_many_calls_at_once(async_client):
    async def call(number):
        answer = await async_client.chat.completions.create(model="fake-small", messages=QUESTION, user=str(number))
        return answer._request_id, answer.choices[0].message.content

    async def run():
        async with async_client:
            return await asyncio.gather(*(call(number) for number in range(20)))

    answers = asyncio.run(run())
    assert len({request_id for request_id, _ in answers}) == 20
    assert {text for _, text in answers} == {ANSWER}


def test_a_stream(async_client):
    async def run():
        async with async_client:
            stream = await async_client.chat.completions.create(model="fake-small", messages=QUESTION, stream=True)
            return [chunk.choices[0].delta.content or "" async for chunk in stream]

    assert "".join(asyncio.run(run())) == ANSWER


def test_a_cancelled_task_cancels_its_call(async_client, record_of):
    async def read(stream):
        async for _ in stream:
            pass

    async def run():
        async with async_client:
            stream = await async_client.chat.completions.create(
                model="fault:endless-stream", messages=QUESTION, stream=True
            )
            await anext(stream)
            task = asyncio.create_task(read(stream))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return stream.response.headers["x-request-id"]

    assert record_of(asyncio.run(run()))["status"] == "cancelled"


def test_embeddings_models_and_errors(async_client):
    async def run():
        async with async_client:
            vectors = await async_client.embeddings.create(model="text-embedding-3-small", input=["one", "two"])
            models = [model.id async for model in async_client.models.list()]
            with pytest.raises(RateLimitError) as refusal:
                await async_client.chat.completions.create(model="fault:rate-limited", messages=QUESTION)
            return vectors, models, refusal.value

    vectors, models, refusal = asyncio.run(run())
    assert [len(each.embedding) for each in vectors.data] == [1536, 1536]
    assert "fake-small" in models
    assert refusal.request_id.startswith("req_")
