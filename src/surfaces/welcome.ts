import { createHash } from 'node:crypto';
import { operation, type ServerApi } from '../api/operation.ts';
import { text } from '../api/schema.ts';
import { sendText } from '../http/send.ts';
import type { ConsolePages } from './console.ts';

/**
 * The page for links if the console is off or not built. The part after `#` is the secret, which only the page's own
 * script reads.
 */
export const WELCOME = operation('getWelcome', 'GET /welcome', {
  tag: 'Operation',
  summary: 'The page that opens links of owners and invitations.',
  access: 'anyone',
  answer: { description: 'A page for browsers.', schema: text, mediaType: 'text/html' },
});

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 12vh auto 2rem; padding: 0 1.25rem; }
h1 { font-size: 1.4rem; } label { display: block; margin: 1rem 0 .25rem; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .5rem .6rem; border: 1px solid #8888; border-radius: .4rem; }
button { margin-top: 1.5rem; font: inherit; padding: .55rem 1.1rem; border: 0; border-radius: .4rem; background: #2457d6; color: #fff; }
button:disabled { opacity: .6; } code { font-size: .9em; } [role=alert] { color: #c0341d; }
[hidden] { display: none; }
`;

const SCRIPT = `
const link = location.hash.slice(1);
if (link !== '') history.replaceState(null, '', location.pathname);
window.onhashchange = () => location.reload();
const { fetch: request } = window;
const at = (id) => document.getElementById(id);
async function ask(path, body) {
  const answer = await request(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.error.message);
  return json;
}
const fail = (error) => { at('fault').textContent = error.message; at('fault').hidden = false; at('send').disabled = false; };
async function look() {
  const { type, email } = await ask('/v1/auth/link', { link });
  at('what').textContent = type === 'owner' ? 'Become an owner of this gateway' : 'You are invited';
  if (email !== null) { at('email').value = email; at('email').readOnly = true; }
  at('form').hidden = false;
}
at('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  at('fault').hidden = true;
  at('send').disabled = true;
  const [email, name, password] = ['email', 'name', 'password'].map((id) => at(id).value);
  try {
    await ask('/v1/auth/link/open', { link, email, name, password });
    at('form').hidden = true;
    at('what').textContent = 'You are signed in';
    at('done').hidden = false;
  } catch (error) { fail(error); }
});
if (link === '') fail(new Error('This page opens a link of an owner or an invitation: the part of it behind # is missing. Open the link again.'));
else look().catch(fail);
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Headgate</title><style>${STYLE}</style></head><body><main>
<h1 id="what">Headgate</h1>
<p id="fault" role="alert" hidden></p>
<form id="form" hidden>
<label for="email">Email address</label><input id="email" type="email" autocomplete="username" required maxlength="320">
<label for="name">Your name</label><input id="name" autocomplete="name" required maxlength="200">
<label for="password">A password, of at least 12 characters</label>
<input id="password" type="password" autocomplete="new-password" required minlength="12">
<button id="send">Sign in</button></form>
<div id="done" hidden><p>This gateway serves no console (<code>server.console</code>), or it is not built. Settings are changed with commands
(<code>headgate projects</code>, <code>keys</code>, <code>budgets</code>), or over HTTP with OpenAI’s own clients and a key that
<code>headgate admin-keys create</code> prints.</p></div>
</main><script>${SCRIPT}</script></body></html>
`;

const sha256 = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
const POLICY =
  `default-src 'none'; script-src ${sha256(SCRIPT)}; style-src ${sha256(STYLE)}; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function serveWelcome({ app, front }: ServerApi, pages: ConsolePages): void {
  app.get(WELCOME.path, (request, reply) => {
    if (pages.isBuilt() && pages.answer(request, reply)) return reply;
    reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-store');
    sendText({ front, request, reply }, 200, 'text/html; charset=utf-8', PAGE);
    return reply;
  });
}
