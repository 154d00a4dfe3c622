import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { endAfter, errorReply, frame, jsonReply, type Plan, type VendorRequest } from '../../src/testing/reply.ts';
import { scripted, type Turn } from '../translation/vendors.ts';
import { faultOf, type StrictVendor } from './vendor-rules.ts';

/** One answer of the model in a session. A tool is named by a part of its name, as the caller declares it. */
export type Step = { tool?: string; input?: Readonly<Record<string, unknown>>; text?: string; tokens?: number };

export type VendorName = 'a' | 'b';

/** What was asked of a vendor for a step: `summary` and `aside` are calls beside the session. */
export type Asked = {
  by: VendorName;
  step: number | 'summary' | 'aside' | 'failed' | 'too long';
  request: VendorRequest;
};

/** A session that two vendors act out together: whoever is asked next gives the next answer. */
export type Stage = {
  steps: readonly Step[];
  /** A vendor answers 503 in place of a step. */
  failsAt?: Partial<Record<VendorName, number>>;
  /** Both answer that the prompt is too long in place of this step, until they were asked for a summary. */
  tooLongAt?: number;
  /** Whoever streams this step breaks off, once, in its middle and tells an error. */
  breaksAt?: number;
  /** Both hold calls to the rules of this vendor. */
  rulesOf?: StrictVendor;
  at: number;
  asked: Asked[];
  /** What a vendor could not accept. */
  faults: string[];
};

const ASIDE = '{"title":"A small task"}';
/** What a vendor of messages counts. */
export const COUNTED = 123;
export const SUMMARY = 'So far a note was read.';
const SUMMARIES = /create a (?:detailed )?summary|CONTEXT CHECKPOINT COMPACTION/i;

export function newStage(stage: Omit<Stage, 'at' | 'asked' | 'faults'>): Stage {
  return { ...stage, at: 0, asked: [], faults: [] };
}

const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
/** How vendors of each dialect tell, in a stream, that they cannot go on. */
const LATE_ERRORS: Record<RecordedDialect, Buffer> = {
  'openai-chat': frame({ error: { ...overloaded, code: 503 } }),
  'openai-responses': frame({
    type: 'error',
    sequence_number: 9,
    code: 'server_is_overloaded',
    message: 'Overloaded',
    param: null,
  }),
  'anthropic-messages': Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', error: overloaded })}\n\n`),
};

/** A proof of reasoning as this vendor makes it, with letters that base64 has and base64url has not. */
export function sealOf(by: VendorName, step: number): string {
  return `EqQB+seal/of-${by}/step${step}+==`;
}

/** What one of the vendors does, in a dialect. It refuses proofs of the other. */
export function actor(by: VendorName, dialect: RecordedDialect, stage: Stage): Plan {
  const say = (turn: Turn, request: VendorRequest) => scripted(dialect, [turn])(request);
  const aside = (step: Asked['step'], text: string, request: VendorRequest) => {
    stage.asked.push({ by, step, request });
    return say({ text, usage: { input: 100, output: 10 } }, request);
  };
  return (request) => {
    if (request.path.endsWith('/count_tokens')) return jsonReply(200, { input_tokens: COUNTED });
    const foreign = request.body.includes(`seal/of-${by === 'a' ? 'b' : 'a'}`);
    if (foreign || request.body.includes('headgate-seal')) {
      stage.faults.push(`${by} was sent a proof of another at ${stage.at}`);
      return errorReply(400, {
        message: 'It could not be verified.',
        type: 'invalid_request_error',
        code: 'invalid_encrypted_content',
      });
    }
    const fault = faultOf(request.json, stage.rulesOf);
    if (fault !== null) {
      stage.faults.push(`${by} was sent what it refuses at ${stage.at}: ${fault}`);
      return errorReply(400, { message: fault, type: 'invalid_request_error' });
    }
    const last = lastTurn(request.json);
    if (SUMMARIES.test(last)) delete stage.tooLongAt;
    if (SUMMARIES.test(last)) return aside('summary', SUMMARY, request);
    const declared = toolsOf(request.json);
    if (declared.length === 0) return aside('aside', ASIDE, request);
    if (stage.failsAt?.[by] === stage.at) {
      stage.asked.push({ by, step: 'failed', request });
      return errorReply(503, { message: 'Overloaded', type: 'server_error', code: 'overloaded' });
    }
    if (stage.tooLongAt === stage.at) {
      stage.asked.push({ by, step: 'too long', request });
      return errorReply(400, {
        message:
          "This model's maximum context length is 200000 tokens. However, your messages resulted in 210000 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      });
    }
    if (stage.breaksAt === stage.at && request.stream) {
      delete stage.breaksAt;
      const whole: Plan = (asked) => say(turnOf(stage, by, declared), asked);
      return endAfter(whole, 5, LATE_ERRORS[dialect])(request);
    }
    const step = stage.at;
    const turn = turnOf(stage, by, declared);
    stage.at += 1;
    stage.asked.push({ by, step, request });
    return say(turn, request);
  };
}

function turnOf(stage: Stage, by: VendorName, declared: readonly Declared[]): Turn {
  const step = stage.at;
  const { tool, input = {}, text, tokens = 900 } = stage.steps[step] ?? { text: 'There is nothing more to do.' };
  const reasoning = { id: `rs_${by}_${step}`, text: `Step ${step} of ${by}.`, seal: sealOf(by, step) };
  const usage = { input: tokens, output: 30 };
  if (tool === undefined) return { reasoning, text: text ?? '', usage };
  const found = declared.find(({ name, namespace }) => `${namespace ?? ''}${name}`.includes(tool));
  if (found === undefined) {
    stage.faults.push(`there is no tool ${tool} among ${JSON.stringify(declared)}`);
    return { text: 'I have no such tool.', usage };
  }
  return { reasoning, ...(text && { text }), calls: [{ id: `call_${step}`, ...found, input }], usage };
}

type Declared = { name: string; namespace?: string };

function toolsOf(json: unknown): Declared[] {
  const tools = field(json, 'tools');
  return (Array.isArray(tools) ? tools : []).flatMap((tool): Declared[] => {
    const inner = field(tool, 'tools');
    const name = field(tool, 'function', 'name') ?? field(tool, 'custom', 'name') ?? field(tool, 'name');
    if (typeof name !== 'string') return [];
    if (!Array.isArray(inner)) return [{ name }];
    return inner.map((each) => ({ name: String(field(each, 'name')), namespace: name }));
  });
}

/** The newest turn as JSON. */
function lastTurn(json: unknown): string {
  const turns = field(json, 'messages') ?? field(json, 'input');
  return Array.isArray(turns) ? JSON.stringify(turns.slice(-2)) : '';
}
