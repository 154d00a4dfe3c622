"""The life of an organization, by the official client alone: every operation of it that this gateway has."""

import json
import os
import threading
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx2 as httpx
import pytest
from openai import APIStatusError, AuthenticationError, NotFoundError, OpenAI, PermissionDeniedError, RateLimitError

BASE = os.environ["OPENAI_BASE_URL"]
ORIGIN = "http://localhost:" + BASE.removesuffix("/v1").rsplit(":", 1)[1]
QUESTION = [{"role": "user", "content": "Hello?"}]
TIMEOUT = 30.0
MONTH = {"currency": "USD", "interval": "month"}
EMAIL = {"type": "email", "recipients": ["lead@example.com"]}
HOUR_AGO = int(time.time()) - 3600


@pytest.fixture(scope="module")
def org():
    """Of an administrator, whose key is made by the first one."""
    with OpenAI(admin_api_key=os.environ["OPENAI_API_KEY"], max_retries=0) as first:
        made = first.admin.organization.admin_api_keys.create(name="life")
    with OpenAI(admin_api_key=made.value, api_key=made.value, max_retries=0, timeout=TIMEOUT) as client:
        client.own_key_id = made.id
        yield client


@pytest.fixture(scope="module")
def project(org):
    return org.admin.organization.projects.create(name="search").id


@pytest.fixture(scope="module")
def user(org, project):
    """Somebody who was invited to the project, and has opened the link."""
    invites = org.admin.organization.invites
    made = invites.create(
        email="Ines@Example.com", role="reader", projects=[{"id": project, "role": "member"}]
    )
    assert invites.retrieve(made.id).status == "pending"
    said = {"link": made.invite_token, "name": "Ines", "password": "a password of Ines"}
    opened = httpx.post(f"{BASE}/auth/link/open", json=said, headers={"origin": ORIGIN})
    assert opened.status_code == 200, opened.text
    assert invites.retrieve(made.id).status == "accepted"
    return opened.json()["person"]["id"]


def ids(page):
    return [each.id for each in page]


def soon(attempt):
    """What every process goes by within a second."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return attempt()
        except AssertionError:
            if time.monotonic() > deadline:
                raise


def refused_with(kind, call):
    try:
        call()
    except APIStatusError as refusal:
        assert isinstance(refusal, kind), refusal
        return refusal
    raise AssertionError("it was not refused")


def test_keys_call_are_limited_and_end(org, project):
    projects = org.admin.organization.projects
    account = projects.service_accounts.create(project, name="ci")
    assert projects.service_accounts.retrieve(account.id, project_id=project).name == "ci"
    assert projects.service_accounts.update(account.id, project_id=project, name="build").name == "build"
    assert account.id in ids(projects.service_accounts.list(project))
    second = projects.service_accounts.api_keys.create(account.id, project_id=project, name="second")

    caller = OpenAI(api_key=account.api_key.value, max_retries=0)
    other = OpenAI(api_key=second.value, max_retries=0)
    for client in (caller, other):
        answer = client.chat.completions.create(model="fake-small", messages=QUESTION)
        assert answer.choices[0].message.content
        streamed = client.chat.completions.create(model="fake-small", messages=QUESTION, stream=True)
        assert sum(1 for _ in streamed) > 1
        client.embeddings.create(model="text-embedding-3-small", input="x")

    key = account.api_key.id
    assert {key, second.id} <= set(ids(projects.api_keys.list(project)))
    assert projects.api_keys.retrieve(key, project_id=project).owner.service_account.id == account.id
    assert projects.api_keys.update(key, project_id=project, scopes=[]).scopes == []

    # Another secret, beside the one that goes on for a minute.
    rotate = f"/organization/projects/{project}/api_keys/{key}/rotate"
    rotated = OpenAI(api_key=org.post(rotate, cast_to=object, body={"overlap_seconds": 60})["value"], max_retries=0)
    for client in (rotated, caller):
        assert client.models.list().data

    # Models and rates of the project.
    models = projects.model_permissions
    models.update(project, mode="deny_list", model_ids=["fake-small"])
    assert models.retrieve(project).model_ids == ["fake-small"]
    ask = lambda: caller.chat.completions.create(model="fake-small", messages=QUESTION)  # noqa: E731
    soon(lambda: refused_with(PermissionDeniedError, ask))
    assert models.delete(project).deleted
    soon(lambda: answers(ask))
    limits = projects.rate_limits
    one = next(each for each in limits.list_rate_limits(project) if each.model == "fake-small")
    assert limits.update_rate_limit(one.id, project_id=project, max_requests_per_1_minute=1).max_requests_per_1_minute == 1
    soon(lambda: refused_with(RateLimitError, ask))
    limits.update_rate_limit(one.id, project_id=project, max_requests_per_1_minute=100_000)
    soon(lambda: answers(ask))

    # Money.
    assert projects.spend_limit.update(project, threshold_amount=1, **MONTH).enforcement.status == "enforcing"
    big = lambda: caller.chat.completions.create(model="fake-small", messages=QUESTION, max_tokens=100_000)  # noqa: E731
    assert soon(lambda: refused_with(RateLimitError, big)).code == "insufficient_quota"
    assert projects.spend_limit.retrieve(project).threshold_amount == 1
    assert projects.spend_limit.delete(project).deleted
    refused_with(NotFoundError, lambda: projects.spend_limit.retrieve(project))
    soon(lambda: answers(ask))

    # The end.
    assert projects.api_keys.delete(second.id, project_id=project).deleted
    soon(lambda: refused_with(AuthenticationError, lambda: other.models.list()))
    assert projects.service_accounts.delete(account.id, project_id=project).deleted
    soon(lambda: refused_with(AuthenticationError, lambda: caller.models.list()))


def answers(ask):
    try:
        return ask()
    except APIStatusError as refusal:
        raise AssertionError(refusal) from refusal


def test_costs_come_to_what_the_ledger_says(org, project):
    account = org.admin.organization.projects.service_accounts.create(project, name="spender")
    client = OpenAI(api_key=account.api_key.value, max_retries=0)
    for _ in range(5):
        client.chat.completions.create(model="fake-small", messages=QUESTION)
    query = {"api_key_id": account.api_key.id, "limit": 100}
    records = org.get("/usage", cast_to=object, options={"params": query})["data"]
    assert len(records) == 5
    spent = sum(Decimal(str(record["cost_usd"])) for record in records)
    assert spent > 0
    usage = org.admin.organization.usage
    for groups in ([], ["line_item"], ["project_id", "api_key_id"], ["user_id"]):
        asked = {"group_by": groups} if groups else {}
        page = usage.costs(start_time=HOUR_AGO, api_key_ids=[account.api_key.id], **asked)
        rows = [row for bucket in page.data for row in bucket.results]
        assert sum(Decimal(row.amount.value_decimal) for row in rows) == spent
        assert {row.amount.currency for row in rows} == {"usd"}
    page = usage.completions(start_time=HOUR_AGO, bucket_width="1h", api_key_ids=[account.api_key.id])
    rows = [row for bucket in page.data for row in bucket.results]
    assert sum(row.num_model_requests for row in rows) == 5
    assert sum(row.input_tokens for row in rows) == sum(record["input_tokens"] for record in records)
    assert usage.embeddings(start_time=HOUR_AGO).object == "page"


@pytest.mark.parametrize(
    "what",
    "audio_speeches audio_transcriptions code_interpreter_sessions decisions file_search_calls images moderations "
    "vector_stores web_search_calls".split(),
)
def test_what_is_never_used_has_empty_buckets(org, what):
    page = getattr(org.admin.organization.usage, what)(start_time=HOUR_AGO)
    assert page.object == "page"
    assert [row for bucket in page.data for row in bucket.results] == []


def test_people_groups_and_roles(org, project, user):
    organization = org.admin.organization
    users, projects, groups, roles = organization.users, organization.projects, organization.groups, organization.roles
    assert users.retrieve(user).email == "ines@example.com"
    assert ids(users.list(emails=["ines@example.com"])) == [user]
    assert users.update(user, technical_level="expert").id == user
    assert projects.users.retrieve(user, project_id=project).role == "member"
    assert projects.users.update(user, project_id=project, role="owner").role == "owner"
    assert user in ids(projects.users.list(project))

    role = roles.create(role_name="Reader of keys", permissions=["api.keys.read"], description="x")
    assert roles.update(role.id, description="y").description == "y"
    assert roles.retrieve(role.id).permissions == ["api.keys.read"]
    assert {role.id, "role_owner", "role_admin", "role_developer", "role_billing", "role_viewer"} <= set(ids(roles.list()))
    group = groups.create(name="leads")
    assert groups.update(group.id, name="Leads").name == "Leads"
    assert groups.retrieve(group.id).name == "Leads"
    assert group.id in ids(groups.list())
    groups.users.create(group.id, user_id=user)
    assert groups.users.retrieve(user, group_id=group.id).id == user
    assert ids(groups.users.list(group.id)) == [user]

    groups.roles.create(group.id, role_id=role.id)
    assert groups.roles.retrieve(role.id, group_id=group.id).id == role.id
    assert ids(groups.roles.list(group.id)) == [role.id]
    assert ids(users.roles.list(user)) == [role.id]
    assert groups.roles.delete(role.id, group_id=group.id).deleted
    users.roles.create(user, role_id=role.id)
    assert users.roles.retrieve(role.id, user_id=user).id == role.id
    assert users.roles.delete(role.id, user_id=user).deleted

    assert projects.groups.create(project, group_id=group.id, role="member").group_id == group.id
    assert projects.groups.retrieve(group.id, project_id=project).group_id == group.id
    assert [each.group_id for each in projects.groups.list(project)] == [group.id]
    inside = org.admin.organization.projects
    own = inside.roles.create(project, role_name="Watcher", permissions=["api.usage.read"])
    assert inside.roles.update(own.id, project_id=project, description="z").description == "z"
    assert inside.roles.retrieve(own.id, project_id=project).name == "Watcher"
    assert own.id in ids(inside.roles.list(project))
    for holder, name in ((inside.users, user), (inside.groups, group.id)):
        holder.roles.create(name, project_id=project, role_id=own.id)
        of = {"user_id": name} if holder is inside.users else {"group_id": name}
        assert holder.roles.retrieve(own.id, project_id=project, **of).id == own.id
        assert own.id in ids(holder.roles.list(name, project_id=project))
        assert holder.roles.delete(own.id, project_id=project, **of).deleted
    assert inside.roles.delete(own.id, project_id=project).deleted
    assert projects.groups.delete(group.id, project_id=project).deleted
    assert groups.users.delete(user, group_id=group.id).deleted
    assert groups.delete(group.id).deleted
    assert roles.delete(role.id).deleted

    assert projects.users.delete(user, project_id=project).deleted
    assert projects.users.create(project, user_id=user, role="member").id == user
    # The last owner cannot leave, and Ines is none.
    assert users.delete(user).deleted
    refused_with(NotFoundError, lambda: users.retrieve(user))
    spare = organization.invites.create(email="late@example.com", role="reader")
    assert spare.id in ids(organization.invites.list())
    assert organization.invites.delete(spare.id).deleted


def test_limits_alerts_and_retention_of_the_organization(org, project):
    organization = org.admin.organization
    assert organization.spend_limit.update(threshold_amount=90_000_000, **MONTH).threshold_amount == 90_000_000
    assert organization.spend_limit.retrieve().enforcement.status == "enforcing"
    assert organization.spend_limit.delete().deleted
    for alerts, of in ((organization.spend_alerts, []), (organization.projects.spend_alerts, [project])):
        within = {"project_id": project} if of else {}
        made = alerts.create(*of, threshold_amount=500, notification_channel=EMAIL, **MONTH)
        assert alerts.retrieve(made.id, **within).threshold_amount == 500
        changed = alerts.update(made.id, threshold_amount=600, notification_channel=EMAIL, **MONTH, **within)
        assert changed.threshold_amount == 600
        assert ids(alerts.list(*of)) == [made.id]
        assert alerts.delete(made.id, **within).deleted
    said = "zero_data_retention"
    assert organization.data_retention.update(retention_type=said).type == said
    assert organization.data_retention.retrieve().type == said
    retention = organization.projects.data_retention
    assert retention.update(project, retention_type="none").type == "none"
    assert retention.retrieve(project).type == "none"


def test_webhooks_are_verified_by_the_client(org):
    received = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((dict(self.headers), self.rfile.read(int(self.headers["content-length"])).decode()))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/hook"
    assert "spend_limit.reached" in str(org.webhooks.event_types.list())
    made = org.webhooks.create(name="ours", url=url, event_types=["spend_limit.reached"])
    assert org.webhooks.retrieve(made.id).url == url
    assert org.webhooks.update(made.id, name="theirs").name == "theirs"
    assert made.id in ids(org.webhooks.list())
    secret = org.webhooks.rotate_secret(made.id).signing_secret
    org.webhooks.test(made.id, event_type="spend_limit.reached")
    headers, body = received[0]
    assert org.webhooks.unwrap(body, headers, secret=secret).type == "spend_limit.reached"
    with pytest.raises(Exception):
        org.webhooks.unwrap(body.replace("reached", "missed"), headers, secret=secret)
    assert org.webhooks.delete(made.id).deleted
    server.shutdown()


def test_projects_and_keys_of_administration(org):
    organization = org.admin.organization
    made = organization.projects.create(name="short")
    assert organization.projects.update(made.id, name="shorter").name == "shorter"
    assert organization.projects.retrieve(made.id).name == "shorter"
    assert organization.projects.archive(made.id).status == "archived"
    assert made.id not in ids(organization.projects.list())
    assert made.id in ids(organization.projects.list(include_archived=True))
    key = organization.admin_api_keys.create(name="spare", expires_in_seconds=3600)
    assert organization.admin_api_keys.retrieve(key.id).name == "spare"
    assert key.id in ids(organization.admin_api_keys.list())
    refused_with(PermissionDeniedError, lambda: OpenAI(api_key=key.value, max_retries=0).chat.completions.create(model="echo", messages=QUESTION))
    assert organization.admin_api_keys.delete(key.id).deleted


def test_what_is_not_offered_is_a_404_that_says_so(org, project):
    organization = org.admin.organization
    projects = organization.projects
    for attempt in (
        lambda: organization.workload_identity_providers.list(),
        lambda: organization.workload_identity_providers.federation_rules.list("wip_1"),
        lambda: organization.certificates.list(),
        lambda: organization.certificates.activate(certificate_ids=["cert_1"]),
        lambda: organization.external_keys.list(),
        lambda: organization.external_storage.list(),
        lambda: projects.certificates.list(project),
        lambda: projects.hosted_tool_permissions.retrieve(project),
        lambda: projects.service_tier_settings.retrieve(project),
    ):
        message = refused_with(NotFoundError, attempt).message
        # What was asked for, and a sentence that says why.
        assert "There is nothing at" in message and len(message.rstrip(".").split(". ")) > 1, message


def test_the_audit_log_tells_of_all_of_it(org):
    logs = org.admin.organization.audit_logs
    entries = list(logs.list(limit=100))
    types = {entry.type for entry in entries}
    wanted = (
        "project.created project.updated project.archived service_account.created service_account.updated "
        "service_account.deleted api_key.created api_key.updated api_key.deleted invite.sent invite.accepted invite.deleted "
        "user.updated user.deleted role.created role.updated role.deleted group.created group.deleted "
        "role.assignment.created role.assignment.deleted rate_limit.updated"
    ).split()
    assert not set(wanted) - types, sorted(types)
    by_us = [entry for entry in entries if entry.actor.type == "api_key" and entry.actor.api_key.id == org.own_key_id]
    assert by_us
    assert "hg_live_" not in json.dumps([entry.to_dict() for entry in entries], default=str)
    only = list(logs.list(event_types=["project.created"], project_ids=[], limit=100))
    assert {entry.type for entry in only} == {"project.created"}
