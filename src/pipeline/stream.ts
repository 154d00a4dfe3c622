import type { GatewayError } from '../core/errors.ts';
import type {
  Admission,
  CallerAnswer,
  Upstream,
  UpstreamHeaders,
  UpstreamHold,
  UpstreamListener,
  UpstreamRequest,
} from '../core/ports.ts';
import type { ServedBy } from '../core/provider.ts';
import type { TimerWheel } from '../deadlines/timer-wheel.ts';
import type { Dialect, EventRole, StreamEvent } from '../dialects/dialect.ts';
import { cutShort } from '../dialects/vendor-errors.ts';
import { type Frame, joinFrames, joinReadable, readFrame, readRest, SseSplitter } from '../upstream/sse.ts';
import { HeldFrames } from './held-frames.ts';
import type { Interruptible } from './open-calls.ts';
import { SpeedWatch } from './speed.ts';
import { ALARM, type Alarm, RELEASE_MS, StreamDeadlines, USAGE_MS } from './stream-deadlines.ts';
import { convertWhole, type OpenedStream, StreamOpening } from './stream-opening.ts';
import type { StreamEnds, StreamLimits, StreamOutcome } from './stream-parts.ts';
import type { StreamConverter } from './translation/converter.ts';
import {
  type AnswerHead,
  BUILT,
  eventFault,
  isSuccess,
  PASSING,
  SMALL_JSON,
  tooLate,
  tooLongFrame,
} from './vendor-answer.ts';

const NO_FRAMES: readonly Frame[] = [];
const LEFT: StreamOutcome = { kind: 'left' };

/**
 * Passes one stream from a vendor to a caller, frame by frame, and watches it.
 *
 * Events that only open the answer are held until the first that carries content: until then, a failure becomes an
 * ordinary error answer. That first write is the commit point; after it, a failure can only be an error frame.
 *
 * /!\ Hot path: `onData` runs for each piece of every stream. It must create no promise, closure or timer.
 */
export class StreamRelay implements UpstreamListener, AnswerHead, Interruptible {
  waitsAt = -1;
  admission: Admission | null = null;
  status: number | null = null;
  headers: UpstreamHeaders = {};
  firstContentAt: number | null = null;
  /** Called when the first content is written, with `firstContentAt`. */
  onContent: ((at: number) => void) | null = null;

  #converter: StreamConverter;
  readonly #ofWhole: StreamEnds['ofWhole'];
  readonly #caller: CallerAnswer;
  readonly #served: ServedBy;
  readonly #limits: StreamLimits;
  readonly #now: () => number;
  readonly #splitter: SseSplitter;
  readonly #deadlines: StreamDeadlines;
  readonly #readError: Dialect['outbound']['readError'];
  /** `null` without a minimum speed. */
  readonly #speed: SpeedWatch | null;
  #resolve: ((end: StreamOutcome) => void) | null = null;
  #upstream: UpstreamHold | null = null;
  /** Frames held before the commit point; `null` after it. */
  #held: HeldFrames | null = new HeldFrames();
  readonly #opening: StreamOpening;
  #paused = false;
  /** Whether the caller has left, and only the usage of its answer is waited for. */
  #isLeft = false;
  /** Whether the current piece contains an event, not only comments. */
  #alive = false;
  /** Frames of the current piece that are written together after its last frame. */
  #joined: (Buffer | string)[] | null = null;
  /** The frames of the current piece, and the index of the current one. */
  #frames: readonly Frame[] = NO_FRAMES;
  #at = 0;
  #vendorDone = false;
  readonly #keepsLast: boolean;
  #last: Buffer | string | null = null;

  constructor(
    { spoken, converter, ofWhole, caller, served, keepsLast }: StreamEnds,
    limits: StreamLimits,
    wheel: TimerWheel,
  ) {
    this.#converter = converter;
    this.#ofWhole = ofWhole;
    this.#caller = caller;
    this.#served = served;
    this.#keepsLast = keepsLast;
    this.#readError = spoken.outbound.readError;
    this.#limits = limits;
    this.#opening = new StreamOpening(limits.maxAnswer);
    this.#now = wheel.monotonic;
    this.#speed = limits.minSpeed > 0 ? new SpeedWatch(limits, () => converter.output()) : null;
    this.#splitter = new SseSplitter(limits.maxLine);
    this.#deadlines = new StreamDeadlines(wheel, (alarm) => this.#ring(alarm));
  }

  /** What the answer was converted by. */
  get converter(): StreamConverter {
    return this.#converter;
  }

  get isCommitted(): boolean {
    return this.#held === null;
  }

  /** Whether nothing of the request has left. */
  get unsent(): boolean {
    return this.#upstream?.unsent === true;
  }

  /** Sends the request and passes the answer on. Never rejects; must be called once. */
  run(upstream: Upstream, request: UpstreamRequest): Promise<StreamOutcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#deadlines.set(ALARM.total, this.#limits.total);
      this.#deadlines.set(ALARM.silence, this.#limits.firstByte);
      this.#upstream = upstream.send(request, this);
      if (this.#resolve === null) this.#upstream.abort();
      this.#caller.onDrain(() => this.#drained());
      this.#caller.onGone(() => this.#leave());
    });
  }

  /** Ends a running stream from outside, for example when the gateway stops. */
  interrupt(error: GatewayError): void {
    this.#fail(error);
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.status = status;
    this.headers = headers;
    if (isSuccess(status)) this.#deadlines.set(ALARM.ping, this.#limits.ping);
  }

  onText(text: string): void {
    this.onData(text);
  }

  onData(piece: Buffer | string): void {
    if (this.#resolve === null) return;
    if (this.#opening.isStream) return this.#takePiece(piece);
    const opened = this.#opening.push(piece, this);
    if (opened !== null) return this.#open(opened);
    if (isSuccess(this.status)) this.#deadlines.setAt(ALARM.silence, this.#now() + this.#limits.idle);
  }

  #open(opened: OpenedStream): void {
    if ('events' in opened) this.#takePiece(opened.events);
    else if ('refusal' in opened) this.#refuse(opened.refusal);
    else this.#fail(opened.fault);
  }

  #takePiece(piece: Buffer | string): void {
    const now = this.#now();
    let frames: Frame[];
    try {
      frames = this.#splitter.push(piece);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      return this.#fail(tooLongFrame(cause));
    }
    this.#frames = frames;
    // What was held leaves with the first content, in one write.
    this.#joined = frames.length === 1 && this.#held === null ? null : [];
    this.#alive = false;
    for (this.#at = 0; this.#at < frames.length && this.#resolve !== null; this.#at += 1) this.#take(frames[this.#at]!);
    if (this.#resolve === null) return;
    this.#frames = NO_FRAMES;
    if (this.#alive && !this.#paused) this.#deadlines.setAt(ALARM.silence, now + this.#limits.idle);
    this.#writeJoined(now);
  }

  onEnd(): void {
    this.#vendorDone = true;
    if (this.#resolve === null) return this.#deadlines.stop();
    if (!this.#opening.isStream) return this.#endOpening();
    const rest = readRest(this.#splitter.end());
    // An incomplete event is never passed on, and a body that ends within one was cut off.
    if (rest.kind === 'cut') return this.#fail(cutShort());
    if (rest.kind === 'whole') this.#take(rest.frame);
    if (this.#resolve === null) return;
    this.#converter.close();
    if (this.#converter.complete()) return this.#complete(this.#converter.terminal());
    this.#fail(cutShort());
  }

  onFailure(error: GatewayError): void {
    this.#vendorDone = true;
    this.#fail(error);
  }

  /** Every byte that a caller gets from a vendor's stream passes here, in whole frames. */
  #take(frame: Frame): void {
    const { event, data } = readFrame(frame);
    if (data === null || data.trim() === '') {
      // An event with a name but without data does not count by the standard, but some clients fail on it.
      if (event === null && data === null && this.#converter.passes) this.#pass(frame, 'comment');
      return;
    }
    this.#alive = true;
    const fault = data.length > SMALL_JSON ? eventFault(data, this.#converter.passes ? PASSING : BUILT) : null;
    if (fault !== null) return this.#fail(fault);
    this.#convert(frame, { event, data });
  }

  #convert(frame: Frame, event: StreamEvent): void {
    const { role, bytes } = this.#converter.convert(frame, event);
    if (this.#isLeft) return this.#awaitUsage(role);
    switch (role) {
      case 'withhold':
        return;
      case 'opens':
      case 'carries':
        return this.#pass(bytes, role);
      case 'fails':
        return this.#fail(this.#converter.error());
      case 'ends':
        if (this.#converter.complete()) return this.#complete(this.#withRest(bytes));
        return this.#fail(cutShort());
      default:
        return role satisfies never;
    }
  }

  /** The vendor's last frame with those that arrived with it, such as `[DONE]`. They leave once the account is settled. */
  #withRest(last: Buffer | string): Buffer | string {
    return this.#converter.passes ? joinReadable(last, this.#frames.slice(this.#at + 1)) : last;
  }

  /** Passes a frame on, or holds it before the commit point. A comment before the first event starts no hold timer. */
  #pass(frame: Buffer | string, role: 'opens' | 'carries' | 'comment'): void {
    if (this.#isLeft) return;
    if (this.#held === null) this.#write(frame);
    else this.#hold(this.#held, frame, role);
    if (role !== 'carries' || this.firstContentAt !== null) return;
    this.firstContentAt = this.#now();
    this.onContent?.(this.firstContentAt);
  }

  #hold(held: HeldFrames, frame: Buffer | string, role: 'opens' | 'carries' | 'comment'): void {
    const isFull = held.push(frame);
    if (role === 'opens' && held.opens()) this.#deadlines.set(ALARM.hold, this.#limits.hold);
    if (role === 'carries' || isFull) this.#commit();
  }

  #commit(): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    this.#deadlines.clear(ALARM.hold);
    this.#caller.begin(this.#served);
    this.#deadlines.set(ALARM.ping, this.#limits.ping);
    this.#watchSpeed();
    for (const frame of held.frames) this.#write(frame);
  }

  #write(frame: Buffer | string): void {
    if (!this.#keepsLast) return this.#writeSoon(frame);
    const last = this.#last;
    this.#last = frame;
    if (last !== null) this.#writeSoon(last);
  }

  #writeSoon(frame: Buffer | string): void {
    if (this.#joined === null) this.#writeNow(frame, this.#now());
    else this.#joined.push(frame);
  }

  #writeJoined(now: number): void {
    const joined = this.#joined;
    this.#joined = null;
    if (joined !== null && joined.length > 0) this.#writeNow(joinFrames(joined), now);
  }

  #writeNow(frames: Buffer | string, now: number): void {
    if (!this.#paused) this.#deadlines.setAt(ALARM.ping, now + this.#limits.ping);
    if (this.#caller.write(frames) || this.#paused) return;
    this.#paused = true;
    this.#deadlines.clear(ALARM.silence);
    this.#deadlines.clear(ALARM.ping);
    this.#deadlines.clear(ALARM.speed);
    this.#upstream?.pause();
  }

  #drained(): void {
    if (!this.#paused || this.#resolve === null) return;
    this.#paused = false;
    this.#deadlines.set(ALARM.silence, this.#limits.idle);
    this.#deadlines.set(ALARM.ping, this.#limits.ping);
    this.#watchSpeed();
    this.#upstream?.resume();
  }

  /** Releases the vendor, unless it has only to report the usage of a complete answer. */
  #leave(): void {
    if (this.#resolve === null) return;
    this.#isLeft = true;
    this.#deadlines.stop();
    this.#deadlines.set(ALARM.usage, USAGE_MS);
    this.#awaitUsage('carries');
    if (this.#resolve !== null && this.#paused) this.#upstream?.resume();
  }

  #awaitUsage(role: EventRole): void {
    const isTold = role === 'ends' || role === 'fails' || this.#converter.usage() !== null;
    if (isTold || !this.#converter.answered()) this.#end(LEFT);
  }

  #watchSpeed(): void {
    if (this.#speed === null) return;
    this.#speed.begin();
    this.#deadlines.set(ALARM.speed, this.#limits.minSpeedAfter);
  }

  #checkSpeed(): void {
    const tooSlow = this.#speed?.next() ?? null;
    if (tooSlow !== null) return this.#fail(tooSlow);
    this.#deadlines.set(ALARM.speed, this.#limits.minSpeedAfter);
  }

  #ring(alarm: Alarm): void {
    switch (alarm) {
      case ALARM.total:
        return this.#fail(tooLate(this.#upstream, 'The answer took longer than a call may.'));
      case ALARM.silence:
        return this.#fail(tooLate(this.#upstream, 'The provider was silent for too long.'));
      case ALARM.hold:
        return this.#commit();
      case ALARM.ping:
        if (this.#limits.mayMove && this.#held?.isOpened === false)
          return this.#deadlines.set(ALARM.ping, this.#limits.ping);
        this.#commit();
        // Past the frame that is kept for the end: nothing would leave in its place.
        return this.#writeSoon(this.#converter.keepAlive);
      case ALARM.speed:
        return this.#checkSpeed();
      case ALARM.usage:
        this.#converter.close();
        return this.#end(LEFT);
      case ALARM.release:
        this.#deadlines.stop();
        if (!this.#vendorDone) this.#upstream?.abort();
        return;
      default:
        return alarm satisfies never;
    }
  }

  /** The body has ended, and is no stream of events. */
  #endOpening(): void {
    const ended = this.#opening.end(this);
    if (!('whole' in ended)) return this.#open(ended);
    convertWhole(ended.whole, this.#ofWhole, {
      isOver: () => this.#resolve === null,
      take: (converter, event) => {
        this.#converter = converter;
        this.#convert('', event);
      },
      fail: (error) => this.#fail(error),
    });
  }

  #refuse(words: string): void {
    this.#end({ kind: 'failed', error: this.#readError(this.status ?? 0, this.headers, words), words });
  }

  #complete(last: Buffer | string): void {
    if (this.#isLeft) return this.#end(LEFT);
    this.#commit();
    this.firstContentAt ??= this.#now();
    this.#end({ kind: 'complete', last: this.#last === null ? last : joinFrames([this.#last, last]) });
  }

  #fail(error: GatewayError): void {
    this.#end(this.#held === null ? { kind: 'broken', error } : { kind: 'failed', error, words: '' });
  }

  #end(told: StreamOutcome): void {
    if (this.#resolve === null) return;
    const end = this.#isLeft ? LEFT : told;
    const resolve = this.#resolve;
    if (end.kind === 'broken' && this.#last !== null) this.#writeSoon(this.#last);
    if (end.kind === 'complete' || end.kind === 'broken') this.#writeJoined(this.#now());
    // The error frame needs a blank line before it: a frame that ended in CR may still lack its LF.
    if (end.kind === 'broken' && this.#splitter.endedInCr) this.#writeNow('\n', this.#now());
    this.#resolve = null;
    this.#deadlines.stop();
    if (end.kind !== 'complete') this.#upstream?.abort();
    else if (!this.#vendorDone) this.#deadlines.set(ALARM.release, RELEASE_MS);
    resolve(end);
  }
}
