import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Greeting, greetingJson, greetingText } from './greeting.ts';

const FIRST: Greeting = {
  version: '1.2.3',
  pid: 7,
  address: 'http://127.0.0.1:8080',
  firstKey: 'hg_live_first',
  ownerLink: 'http://localhost:8080/welcome#owner_secret',
  providers: [{ id: 'echo', label: 'Echo', models: 4, because: 'needs no key and no network' }],
  lacksKey: true,
  notices: [],
  configFile: null,
  configPlace: '/home/me/headgate.yaml',
  folder: '/home/me/data',
  recovered: 0,
  exampleModel: 'echo',
  keyCommand: 'npx headgate keys create --name my-app',
};

const LATER: Greeting = {
  ...FIRST,
  firstKey: null,
  ownerLink: null,
  providers: [
    { id: 'openai', label: 'OpenAI', models: 46, because: 'OPENAI_API_KEY' },
    { id: 'router', label: 'A Router', models: 0, because: 'https://router.example/v1' },
  ],
  lacksKey: false,
  notices: ['Provider lab is off: LAB_KEY is not set.', 'Another one.'],
  configFile: '/home/me/headgate.yaml',
  recovered: 1,
};

test('a first start shows the key once by itself, and in a curl that works when it is pasted', () => {
  assert.equal(
    greetingText(FIRST),
    `
  Headgate 1.2.3 serves at http://127.0.0.1:8080/v1

  Providers  echo  Echo  4 models  needs no key and no network
             No vendor’s key was found in the environment. Set one, such as OPENAI_API_KEY, and start again.
  Config     none; /home/me/headgate.yaml would be used
  Data       /home/me/data

  Your first API key, shown only once (keep it as HEADGATE_API_KEY):

  hg_live_first

  Try it:

  curl http://127.0.0.1:8080/v1/chat/completions \\
    -H "Authorization: Bearer hg_live_first" \\
    -H "Content-Type: application/json" \\
    -d '{"model":"echo","messages":[{"role":"user","content":"Hello, Headgate!"}]}'

  To give others keys and budgets, open this link and sign in. It is valid once, for one day:

  http://localhost:8080/welcome#owner_secret
`,
  );
});

test('a later start takes the key from the environment and says how to make another', () => {
  assert.equal(
    greetingText(LATER),
    `
  Headgate 1.2.3 serves at http://127.0.0.1:8080/v1

  Providers  openai  OpenAI    46 models             OPENAI_API_KEY
             router  A Router  models not known yet  https://router.example/v1
  Config     /home/me/headgate.yaml
  Data       /home/me/data
  Note       Provider lab is off: LAB_KEY is not set.
             Another one.
  Recovered  1 call left open by an earlier process

  Try it:

  curl http://127.0.0.1:8080/v1/chat/completions \\
    -H "Authorization: Bearer $HEADGATE_API_KEY" \\
    -H "Content-Type: application/json" \\
    -d '{"model":"echo","messages":[{"role":"user","content":"Hello, Headgate!"}]}'

  To create another key: npx headgate keys create --name my-app
`,
  );
});

test('where nothing answers there is nothing to try', () => {
  const text = greetingText({ ...LATER, providers: [], exampleModel: null });
  assert.match(text, /Providers {2}none is enabled/);
  assert.doesNotMatch(text, /curl/);
});

test('for programs it is an object', () => {
  assert.deepEqual(greetingJson(FIRST), {
    version: '1.2.3',
    pid: 7,
    base_url: 'http://127.0.0.1:8080/v1',
    api_key: 'hg_live_first',
    owner_link: 'http://localhost:8080/welcome#owner_secret',
    providers: FIRST.providers,
    notices: [],
    config_file: null,
    data: '/home/me/data',
    recovered: 0,
    example_model: 'echo',
  });
});
