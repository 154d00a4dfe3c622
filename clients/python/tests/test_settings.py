"""What an organization has beyond the official client, in `settings`."""

import json
import urllib.request
import uuid

import openai
import pytest
from calling import calls_of, operations_of
from conftest import QUESTION

from headgate import AsyncHeadgate, Headgate, gateway


def unique(name):
    """Other runs of these tests use the same gateway."""
    return f"{name}-{uuid.uuid4().hex[:8]}"


@pytest.mark.parametrize("kind", [Headgate, AsyncHeadgate])
def test_each_operation_of_the_gateway_is_in_the_official_client_or_in_ours(kind, environment):
    with urllib.request.urlopen(f"{environment('HEADGATE_BASE_URL')}/openapi.json") as answer:
        paths = json.load(answer)["paths"]
    exceptions = tuple(json.loads(environment("HEADGATE_TEST_NOT_FOR_CLIENTS")))
    ours = [path for path in paths if path.startswith("/v1/") and not path.startswith(exceptions)]
    wanted = {each for path, each in operations_of(paths) if path in ours}
    assert len(wanted) > 100
    assert wanted - calls_of(kind) == set()


def test_keys_of_a_project(client):
    keys = client.settings.projects.api_keys
    project = client.admin.organization.projects.create(name="Search")
    made = keys.create(project.id, name="nightly", allowed_models=["echo"])
    rotated = keys.rotate(project.id, made.id)
    assert rotated.value != made.value
    answer = client.with_options(api_key=rotated.value).chat.completions.create(model="echo", messages=QUESTION)
    assert gateway(answer).provider == "echo"
    changed = keys.update(project.id, made.id, max_requests_per_1_minute=1, allowed_models=None)
    assert (changed.max_requests_per_1_minute, changed.allowed_models, changed.name) == (1, None, "nightly")
    assert keys.update(project.id, made.id, enabled=False).status == "disabled"
    assert [key.id for key in keys.list(project.id)] == [made.id]
    assert keys.delete(project.id, made.id).deleted


def test_budgets(client):
    budgets = client.settings.budgets
    holders = [{"type": "organization"}]
    made = [budgets.create(name=unique("b"), holders=holders, amount_usd=each, hard=False) for each in (1, "2.5", 3)]
    listed = [budget.id for budget in budgets.list(limit=1, order="asc")]
    assert [each for each in listed if each in {budget.id for budget in made}] == [budget.id for budget in made]
    changed = budgets.update(made[1].id, alerts=[0.5], if_version=made[1].version)
    assert (changed.amount_usd, changed.alerts) == ("2.5", [0.5])
    with pytest.raises(openai.ConflictError):
        budgets.update(made[1].id, alerts=[], if_version=made[1].version)
    assert all(budgets.delete(budget.id).deleted for budget in made)


def test_providers_and_their_credentials(client):
    providers = client.settings.providers
    name = unique("p")
    made = providers.create(id=name, preset="openai", credentials=[{"key": "sk-of-the-vendor"}])
    assert "sk-of-the-vendor" not in made.to_json()
    second = providers.credentials.create(name, name="second", key="sk-another-one")
    providers.credentials.update(name, second.id, weight=3)
    assert len(providers.retrieve(name).credentials) == 2
    assert providers.credentials.delete(name, second.id).deleted
    assert providers.update(name, label="Ours").label == "Ours"
    assert name in [provider.id for provider in providers.list(limit=1)]
    assert "openai" in [preset.id for preset in providers.presets()]
    assert providers.delete(name).deleted


def test_routes_and_their_versions(client):
    routes = client.settings.routes
    name = unique("acme/careful")
    assert not routes.validate(id=name, definition={"targets": []}).valid
    routes.create(id=name, definition={"targets": ["fake/fake-small"]})
    definition = {"targets": ["fake/fake-small", "fake/fake-tools"]}
    version = routes.versions.create(name, definition=definition, note="A second target.", in_force=False)
    first, second = [each.id for each in routes.versions.list(name, limit=1)]
    assert (second, routes.versions.retrieve(name, second).note) == (version.id, "A second target.")
    diff = routes.versions.diff(name, second, from_=first)
    assert (diff.from_, diff.to) == (first, second)
    assert routes.update(name, canary={"version_id": second, "share": 0.1}).canary.share == 0.1
    assert routes.update(name, canary=None).canary is None
    assert len(routes.explain(name, call={"messages": QUESTION}, version_id=second).order) == 2
    assert routes.replay(name, version_id=second).object == "organization.route.replay"
    routes.update(name, version_in_force=second)
    assert routes.rollback(name).version_in_force == first
    assert name in [route.id for route in routes.list(limit=1)]
    assert routes.delete(name).deleted


def test_webhook_endpoints_invitations_and_what_the_organization_is(client):
    settings = client.settings
    made = settings.webhook_endpoints.create(name="ours", url="https://example.com/h", event_types=["project.archived"])
    assert settings.webhook_endpoints.rotate_secret(made.id).signing_secret.startswith("whsec_")
    assert list(settings.webhook_endpoints.deliveries(made.id)) == []
    assert made.id in [endpoint.id for endpoint in settings.webhook_endpoints.list(limit=1)]
    assert settings.webhook_endpoints.delete(made.id).deleted
    assert "project.archived" in settings.webhook_endpoints.event_types().data
    assert settings.invites.create(email=f"{unique('a')}@example.com", role="reader").status == "pending"
    whole = settings.retrieve()
    assert settings.update(name=whole.name, if_version=whole.version).name == whole.name
    names = {setting.name: setting.from_ for setting in settings.configuration()}
    assert names["limits.max_body"] == "default"
    assert settings.about().object == "organization.about"


async def test_the_asynchronous_client_has_them_too(async_client):
    settings = async_client.settings
    made = await settings.budgets.create(name=unique("b"), holders=[{"type": "organization"}], amount_usd=9, hard=False)
    assert made.id in [budget.id async for budget in settings.budgets.list(limit=1)]
    assert (await settings.budgets.delete(made.id)).deleted
    assert (await settings.about()).object == "organization.about"
    assert "openai" in [preset.id async for preset in settings.providers.presets()]


def test_what_is_left_out_is_not_sent_and_none_is(answering):
    made, requests = answering(Headgate, (200, {}, {"id": "key_1"}), admin_api_key="hg_admin")
    made.settings.projects.api_keys.update("proj_1", "key_1", spend_limit=None)
    assert json.loads(requests[0].content) == {"spend_limit": None}
    assert requests[0].url.path == "/v1/organization/projects/proj_1/api_keys/key_1"
    assert requests[0].headers["authorization"] == "Bearer hg_admin"


# Raw and streamed responses


def test_own_methods_have_raw_responses(client):
    raw = client.catalog.with_raw_response.retrieve("echo")
    assert (raw.status_code, raw.parse().id) == (200, "echo")
    assert gateway(raw).request_id == raw.headers["x-request-id"]
    page = client.usage.with_raw_response.list(limit=1).parse()
    assert len(page.data) == 1
    assert client.settings.with_raw_response.about().parse().object == "organization.about"
    nested = client.settings.with_raw_response.providers.presets()
    assert "openai" in [preset.id for preset in nested.parse()]


def test_own_methods_have_streamed_responses(client):
    with client.catalog.with_streaming_response.list(provider="echo") as streamed:
        assert json.loads(b"".join(streamed.iter_bytes()))["object"] == "list"
    with client.settings.with_streaming_response.budgets.list() as streamed:
        assert streamed.parse().has_more is False


async def test_so_have_the_asynchronous_ones(async_client):
    raw = await async_client.usage.with_raw_response.summary(by="model")
    assert raw.parse().object == "usage_summary"
    page = (await async_client.usage.with_raw_response.list(limit=1)).parse()
    assert len(page.data) == 1
    async with async_client.settings.with_streaming_response.about() as streamed:
        assert (await streamed.parse()).object == "organization.about"
