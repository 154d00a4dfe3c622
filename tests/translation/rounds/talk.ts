/** What a model answers in one go, in no vendor's words. */
export type Spoken = {
  thoughts: readonly Thought[];
  text: string;
  calls: readonly { name: string; input: string }[];
};

/** Reasoning with its proof. `hidden`: the proof stands in place of the text. */
export type Thought = { text: string; seal: string; hidden: boolean };

/** What the caller's side says: to its model as a user, or of the tools that were called, in the order of the calls. */
export type Asked =
  | { kind: 'user'; text: string; image?: Image }
  | { kind: 'results'; results: readonly { text: string; image?: Image; isError?: boolean }[] };

export type Image = { kind: 'url'; url: string } | { kind: 'data'; mediaType: string; data: string };

export type Turn = { asked: Asked; spoken: Spoken };

export const SYSTEM = 'You help people to pack. Answer in one sentence.';

export const TOOLS = [
  {
    name: 'weather',
    description: 'The weather of a place.',
    parameters: {
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
      additionalProperties: false,
    },
  },
  {
    name: 'clock',
    description: 'What time it is.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
] as const;

const PIXEL: Image = {
  kind: 'data',
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
};
const MAP: Image = { kind: 'url', url: 'https://pictures.invalid/map.png?size=1&lang=日本' };

/**
 * Ten turns that hold what conversations of agents hold: calls side by side, twice in a row, beside words and without, with
 * nothing for input; results with images and errors; reasoning with proof, hidden, without text, twice in a turn, none.
 */
export const TALK: readonly Turn[] = [
  {
    asked: { kind: 'user', text: 'Where is this? Is it warm there, and in Rome?', image: PIXEL },
    spoken: {
      thoughts: [say('It looks like Paris.\nI ask for both.', 'c2VhbCAx+/A==')],
      text: 'That is Paris; I look it up.',
      calls: [
        { name: 'weather', input: '{"place":"Paris \\"Île\\" 🙂"}' },
        { name: 'weather', input: '{"place":"Rome"}' },
      ],
    },
  },
  {
    asked: { kind: 'results', results: [{ text: '12 °C, rain' }, { text: '{"celsius": 25.50}' }] },
    spoken: { thoughts: [say('Rome is warmer.', 'c2VhbCAy+/A==')], text: 'Take a coat for Paris only.', calls: [] },
  },
  {
    asked: { kind: 'user', text: 'Thank you!' },
    spoken: { thoughts: [], text: 'You are welcome.', calls: [] },
  },
  {
    asked: { kind: 'user', text: 'And the places on this map?', image: MAP },
    spoken: {
      thoughts: [say('Only Kyōto can be read.', 'c2VhbCA0+/A==')],
      text: '',
      calls: [{ name: 'weather', input: '{"place":"京都"}' }],
    },
  },
  {
    asked: { kind: 'results', results: [{ text: 'no such place', isError: true }] },
    spoken: {
      thoughts: [say('By its other name, then.', 'c2VhbCA1+/A==')],
      text: '',
      calls: [
        { name: 'weather', input: '{"place":"Kyoto"}' },
        { name: 'clock', input: '{}' },
      ],
    },
  },
  {
    asked: { kind: 'results', results: [{ text: 'as in the picture', image: PIXEL }, { text: '07:30' }] },
    spoken: { thoughts: [], text: 'It is early and dry in Kyōto.', calls: [] },
  },
  {
    asked: { kind: 'user', text: 'What would you wear?' },
    spoken: { thoughts: [{ text: '', seal: 'aGlkZGVuIDc=', hidden: true }], text: 'A light jacket.', calls: [] },
  },
  {
    asked: { kind: 'user', text: 'Check all three again, please.' },
    spoken: {
      thoughts: [],
      text: '',
      calls: [
        { name: 'weather', input: '{"place":"Paris"}' },
        { name: 'weather', input: '{"place":"Rome"}' },
        { name: 'clock', input: '{}' },
      ],
    },
  },
  {
    asked: { kind: 'results', results: [{ text: '13 °C' }, { text: '26 °C' }, { text: '07:31' }] },
    spoken: {
      thoughts: [say('', 'c2VhbCA5YQ=='), say('Nothing has changed.', 'c2VhbCA5Yg==')],
      text: 'All is as it was.',
      calls: [],
    },
  },
  {
    asked: { kind: 'user', text: 'Good night.' },
    spoken: { thoughts: [say('A farewell.', 'c2VhbCAxMA==')], text: 'Sleep well.', calls: [] },
  },
];

function say(text: string, seal: string): Thought {
  return { text, seal, hidden: false };
}
