import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Running } from '../support/headgate.ts';
import { type Call, callOfClientId, clientIdOf, costOf } from './calls.ts';
import type { Acknowledged } from './load.ts';

/** A record as `GET /v1/usage` tells it. */
type UsageJson = Readonly<Record<string, unknown>>;

const PAGE = 100;
const NANOS_PER_DOLLAR = 1e9;

/** Holds what callers and the vendor have seen against what the gateway remembers. Each check gives its faults. */
export class Auditor {
  readonly #gateway: Running;
  readonly #known = new Map<string, Acknowledged>();
  readonly #statusOf = new Map<string, string>();
  readonly #clientIds = new Set<string>();
  #newestId = '';
  #records = 0;
  #counted = 0n;
  lost = 0;
  doubled = 0;
  interrupted = 0;

  constructor(gateway: Running) {
    this.#gateway = gateway;
  }

  get acknowledged(): number {
    return this.#known.size;
  }

  /** Looks at the records that are new since the last round: those of the calls before the kill. */
  async checkRound(acknowledged: readonly Acknowledged[], seenByVendor: readonly Call[]): Promise<string[]> {
    const records = await this.#recordsDownTo(this.#newestId);
    for (const each of acknowledged) this.#known.set(each.requestId, each);
    const faults = [...records.flatMap((record) => this.#take(record)), ...this.#lost(acknowledged)];
    for (const call of seenByVendor) {
      if (!this.#clientIds.has(clientIdOf(call)))
        faults.push(`call ${call.number} went to the vendor without a record`);
    }
    this.#newestId = String(records[0]?.id ?? this.#newestId);
    return [...faults, ...this.#checkStore()];
  }

  /** Reads every record there is once more, as one listing. */
  async checkAll(): Promise<string[]> {
    const records = await this.#recordsDownTo('');
    const faults: string[] = [];
    const byRequest = new Map(records.map((record) => [record.request_id, record]));
    if (byRequest.size !== this.#records || records.length !== this.#records) {
      faults.push(`${this.#records} records were seen round by round, ${records.length} at the end`);
    }
    for (const { requestId, call } of this.#known.values()) {
      const record = byRequest.get(requestId);
      if (record === undefined) faults.push(`call ${call.number} (${requestId}) is lost at the end`);
      else faults.push(...differences(record, call));
    }
    const stored = this.#ask('select count(*) as value from calls');
    if (stored !== BigInt(records.length)) faults.push(`${stored} calls are stored, ${records.length} are listed`);
    return faults;
  }

  /** Newest first, and in that order; those with ids after `id`. */
  async #recordsDownTo(id: string): Promise<UsageJson[]> {
    const records: UsageJson[] = [];
    for (let after: string | null = null; ; ) {
      const query: Record<string, string> = { limit: `${PAGE}`, ...(after !== null && { after }) };
      const page = await this.#gateway.usage(query);
      const fresh = page.data.filter((record) => String(record.id) > id);
      records.push(...fresh);
      if (!page.has_more || fresh.length < page.data.length) return records;
      after = String(page.data.at(-1)?.id);
    }
  }

  #take(record: UsageJson): string[] {
    const { request_id: requestId, client_request_id: clientId, status } = record;
    const call = callOfClientId(clientId);
    if (call === null) return [`a record is of no call: ${JSON.stringify(record)}`];
    const faults: string[] = [];
    if (this.#statusOf.has(String(requestId)) || this.#clientIds.has(String(clientId))) {
      this.doubled += 1;
      faults.push(`call ${call.number} has two records`);
    }
    this.#statusOf.set(String(requestId), String(status));
    this.#clientIds.add(String(clientId));
    this.#records += 1;
    this.#counted += nanos(record.counted_usd);
    if (nanos(record.cost_usd) !== costOf(Number(record.input_tokens), Number(record.output_tokens))) {
      faults.push(`call ${call.number} has a cost that its tokens do not make: ${JSON.stringify(record)}`);
    }
    // A call may be settled, and its caller die with the gateway before the answer was read: it is right all the same.
    if (status === 'succeeded') return [...faults, ...differences(record, call)];
    if (status !== 'interrupted') return [...faults, `call ${call.number} ended as ${status}`];
    this.interrupted += 1;
    return faults;
  }

  #lost(acknowledged: readonly Acknowledged[]): string[] {
    const faults = acknowledged.flatMap(({ requestId, call }) => {
      const status = this.#statusOf.get(requestId) ?? 'lost';
      return status === 'succeeded' ? [] : [`call ${call.number} (${requestId}) was acknowledged and is ${status}`];
    });
    this.lost += faults.length;
    return faults;
  }

  /** Nothing is under way now, so no call may be open; and what keys have spent is what their calls count. */
  #checkStore(): string[] {
    const open = this.#ask("select count(*) as value from calls where status = 'open'");
    const spent = this.#ask('select coalesce(sum(amount_nano), 0) as value from key_spend');
    return [
      ...(open === 0n ? [] : [`${open} calls are still open`]),
      ...(spent === this.#counted ? [] : [`keys have spent ${spent} nano-dollars, their calls count ${this.#counted}`]),
    ];
  }

  #ask(sql: string): unknown {
    using database = new DatabaseSync(join(this.#gateway.data, 'headgate.db'), { readOnly: true });
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.get()?.value;
  }
}

function nanos(usd: unknown): bigint {
  return BigInt(Math.round(Number(usd) * NANOS_PER_DOLLAR));
}

/** What a record of a call that ended well says otherwise than its vendor did. */
function differences(record: UsageJson, call: Call): string[] {
  const expected = {
    status: 'succeeded',
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    total_tokens: call.inputTokens + call.outputTokens,
    usage_source: 'provider',
    streamed: call.streamed,
    client_request_id: clientIdOf(call),
  };
  const wrong = Object.entries(expected).filter(([name, value]) => record[name] !== value);
  return wrong.map(([name, value]) => `call ${call.number} has ${name} ${record[name]}, not ${value}`);
}
