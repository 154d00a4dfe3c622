import type { Socket } from 'node:net';
import type { Caller } from '../../core/ports.ts';
import { Deadline, type TimerWheel } from '../../deadlines/timer-wheel.ts';
import type { RequestContext } from '../answer-headers.ts';
import { authenticate } from '../authenticate.ts';
import { answerBrokenRequest } from '../broken-request.ts';
import { addressBefore } from '../browser.ts';
import type { CallerConnection, CallerConnections } from '../caller-connections.ts';
import type { BodyRoute } from '../incoming-call.ts';
import type { ReceivedBody } from '../received-bodies.ts';
import { KEEP_ALIVE_MS, type ServerOptions } from '../server.ts';
import type { HeadWriter } from './answer-head.ts';
import { type CallWire, FastCall } from './fast-call.ts';
import { GrowingBody } from './growing-body.ts';
import { type FastHead, headerIn, readFastHead } from './request-head.ts';
import { readIntoShared } from './shared-reads.ts';
import type { SocketAnswer } from './socket-answer.ts';

/** Idle connections are closed later than announced, so that none closes while a request arrives. */
const IDLE_MS = KEEP_ALIVE_MS + 1000;
/** How long a caller that is refused during its request may take to read the answer. */
const LINGER_MS = 10_000;
/**
 * Bytes after a request that are buffered while it is answered; beyond it reading pauses, and a caller that leaves is no
 * longer noticed.
 */
const MAX_EARLY = 128 * 1024;
/** The shared parts of a server's connections. */
export type ConnectionParts = {
  options: ServerOptions;
  routes: ReadonlyMap<string, BodyRoute>;
  heads: HeadWriter;
  wheel: TimerWheel;
  callers: CallerConnections;
  /** Lets Node serve a socket from here on. */
  toNode(socket: Socket): void;
  /** Called when a connection leaves this layer. */
  onLeft(connection: FastConnection): void;
};

/**
 * `fresh`: nothing has come. `admitting`: who calls is being asked of storage. `receiving`: the body is coming.
 * `answering`: the call is the route's. `flushing`: the answer has ended, and the caller is slow to take it. `idle`:
 * between two requests. `left`: over. `nodes`: Node serves the socket.
 */
type ConnectionState = 'fresh' | 'admitting' | 'receiving' | 'answering' | 'flushing' | 'idle' | 'left' | 'nodes';

/**
 * One caller's connection, as long as all that comes on it is plain requests for this layer's routes, one after the other.
 * Whatever else comes is handed to Node with the socket, unread and for good. So this refuses nothing itself: what is
 * refused before its body is waited for, Node refuses.
 *
 * /!\ Hot path: the listeners and the deadline are the connection's; a request makes none.
 */
export class FastConnection implements CallWire {
  readonly heads: HeadWriter;
  readonly #parts: ConnectionParts;
  readonly #socket: Socket;
  readonly #caller: CallerConnection | undefined;
  readonly #deadline: Deadline;
  #state: ConnectionState = 'fresh';
  /** The head of the current call, until its answer was read. */
  #head: FastHead | null = null;
  #context: RequestContext | null = null;
  #answer: SocketAnswer | null = null;
  /** A request that is being received, from its head on. */
  #body: GrowingBody | null = null;
  /** The share of that body in the limit of received bodies. */
  #received: ReceivedBody | null = null;
  /** Bytes that arrived before the request was answered. */
  #early: Buffer[] = [];
  #earlyLength = 0;

  constructor(parts: ConnectionParts, socket: Socket) {
    this.#parts = parts;
    this.heads = parts.heads;
    this.#socket = socket;
    this.#caller = parts.callers.of(socket);
    this.#deadline = new Deadline(parts.wheel, () => this.#late());
    this.#deadline.set(parts.options.limits().requestTimeout);
    if (readIntoShared(socket, this.#onRead)) socket.resume();
    else socket.on('data', this.#onRead);
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Where the present call comes from, as trusted proxies say: asked of keys that may be used from certain addresses alone. */
  get remoteAddress(): string | undefined {
    const forwardedFor = this.#head === null ? undefined : headerIn(this.#head, 'x-forwarded-for');
    return addressBefore(this.#socket, forwardedFor, this.#parts.options.site) ?? undefined;
  }

  again(caller: Caller): Caller | Promise<Caller> {
    return this.#parts.options.front.keys.again(caller, this);
  }

  get idle(): boolean {
    return this.#state === 'idle' && this.#socket.writableLength === 0;
  }

  cut(): void {
    this.#socket.destroy();
  }

  write(text: string): boolean {
    return this.#socket.write(text, 'latin1');
  }

  writeAround(before: string, bytes: Buffer, behind: string): boolean {
    this.#socket.cork();
    this.#socket.write(before, 'latin1');
    this.#socket.write(bytes);
    const more = this.#socket.write(behind, 'latin1');
    this.#socket.uncork();
    return more;
  }

  end(text: string): boolean {
    if (text !== '') this.#socket.write(text, 'latin1');
    if (this.#state === 'answering' && this.#socket.writableNeedDrain) {
      this.#state = 'flushing';
      return false;
    }
    this.#answer = null;
    if (this.#state === 'answering') this.#rest();
    return true;
  }

  /** The bytes are overwritten by the next read, so what is kept is copied. Once the socket is Node's, all goes there. */
  readonly #onRead = (piece: Buffer): boolean => {
    switch (this.#state) {
      case 'fresh':
      case 'idle':
        this.#begin(piece);
        return true;
      case 'receiving':
        this.#receive(piece);
        return true;
      case 'admitting':
      case 'answering':
      case 'flushing':
        this.#keep(Buffer.from(piece));
        return true;
      case 'left':
        return true;
      case 'nodes':
        return this.#socket.push(Buffer.from(piece));
      default:
        return this.#state satisfies never;
    }
  };

  readonly #onDrain = (): void => {
    if (this.#state !== 'flushing') return this.#answer?.drained();
    const answer = this.#answer;
    this.#answer = null;
    this.#rest();
    answer?.taken();
  };

  /** As in Node, a caller that ends its side counts as disconnected. */
  readonly #onEnd = (): void => {
    if (this.#state === 'receiving') return this.#giveUp('HPE_INVALID_EOF_STATE');
    this.#takeEarly();
    this.#answer?.left();
    this.#socket.end();
  };

  /** Ignored, because a close event follows. */
  readonly #onError = (): void => undefined;

  readonly #onClose = (): void => {
    this.#leave();
    this.#answer?.left();
    this.#answer?.taken();
  };

  #begin(piece: Buffer): void {
    const { options, routes } = this.#parts;
    const head = options.stopping() ? null : readFastHead(piece, routes, options.limits());
    if (head === null) return this.#handOver([piece]);
    const { front } = options;
    const context: RequestContext = {
      requestId: front.ids.requestId(),
      style: head.route.style,
      clientRequestId: head.clientRequestId,
      startedAt: front.clock.monotonic(),
      caller: null,
      isPrivate: head.hasCookie,
    };
    this.#head = head;
    this.#context = context;
    if (this.#caller !== undefined) this.#parts.callers.begin(this.#caller);
    let caller: Caller | Promise<Caller>;
    try {
      caller = authenticate(head, front.keys, this);
    } catch {
      return this.#handOver([piece]);
    }
    if (caller instanceof Promise) return this.#wait(caller, context, Buffer.from(piece));
    context.caller = caller;
    this.#admit(head, piece, 'shared');
  }

  /** Reading pauses until the caller is known. */
  #wait(asked: Promise<Caller>, context: RequestContext, piece: Buffer): void {
    this.#state = 'admitting';
    this.#socket.pause();
    this.#keep(piece);
    asked.then(
      (caller) => {
        if (this.#state !== 'admitting') return;
        context.caller = caller;
        this.#socket.resume();
        this.#admit(this.#head!, joined(this.#takeEarly()), 'own');
      },
      () => {
        if (this.#state === 'admitting') this.#handOver(this.#takeEarly());
      },
    );
  }

  /** @param bytes whether the next read overwrites them */
  #admit({ text, contentLength }: FastHead, piece: Buffer, bytes: 'own' | 'shared'): void {
    const length = text.length + contentLength;
    // More bytes than announced: Node's server handles them.
    if (piece.length > length) return this.#handOver([piece]);
    if (piece.length === length) {
      const body = piece.subarray(text.length);
      return this.#call(bytes === 'own' ? body : Buffer.from(body));
    }
    this.#state = 'receiving';
    this.#received = this.#parts.options.receivedBodies.begin(this.#context!.caller!.key.id);
    this.#received.take(piece.length);
    this.#body = new GrowingBody(length, piece);
    this.#deadline.set(this.#parts.options.limits().requestTimeout);
  }

  #receive(piece: Buffer): void {
    const body = this.#body!;
    body.append(piece);
    const isTaken = this.#received!.take(piece.length);
    if (body.missing > 0 && isTaken) return;
    this.#forget();
    // Beyond a limit of this request or of all: Node refuses it.
    if (body.missing !== 0) return this.#handOver([body.bytes()]);
    this.#admitAgain(body.bytes());
  }

  /** The body was slow, so its caller is checked again; Node answers a refusal. */
  #admitAgain(whole: Buffer): void {
    const context = this.#context!;
    let caller: Caller | Promise<Caller>;
    try {
      caller = this.again(context.caller!);
    } catch {
      return this.#handOver([whole]);
    }
    if (caller instanceof Promise) return this.#wait(caller, context, whole);
    context.caller = caller;
    this.#call(whole.subarray(this.#head!.text.length));
  }

  #call(body: Buffer): void {
    const head = this.#head!;
    // Node refuses the request.
    if (this.#parts.options.stopping()) return this.#handOver([Buffer.from(head.text, 'latin1'), body]);
    const call = new FastCall(head, this.#context!, body, this);
    this.#context = null;
    this.#state = 'answering';
    this.#answer = call.answer;
    head.route.handle(call);
  }

  /** The body was passed to the call or to Node, or was dropped. */
  #forget(): void {
    this.#received?.end();
    this.#received = null;
    this.#body = null;
  }

  /** Buffers bytes that cannot be processed yet, up to a limit. */
  #keep(piece: Buffer): void {
    this.#early.push(piece);
    this.#earlyLength += piece.length;
    if (this.#earlyLength > MAX_EARLY) this.#socket.pause();
  }

  #takeEarly(): Buffer[] {
    const early = this.#early;
    this.#early = [];
    this.#earlyLength = 0;
    return early;
  }

  /** The answer was read. If the caller has already sent another request, the connection goes to Node. */
  #rest(): void {
    this.#head = null;
    if (this.#earlyLength > 0) return this.#handOver(this.#takeEarly());
    this.#state = 'idle';
    this.#deadline.set(IDLE_MS);
    if (this.#caller === undefined) return;
    this.#caller.known = true;
    this.#parts.callers.rest(this.#caller);
  }

  #handOver(unread: readonly Buffer[]): void {
    const socket = this.#socket;
    this.#leave();
    this.#state = 'nodes';
    socket.off('data', this.#onRead);
    socket.off('drain', this.#onDrain);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    if (this.#caller !== undefined) this.#parts.callers.rest(this.#caller);
    if (socket.destroyed) return;
    socket.pause();
    // Copied even if it is one piece: a shared one is overwritten by the next read.
    socket.unshift(Buffer.concat(unread));
    this.#parts.toNode(socket);
    socket.resume();
  }

  #late(): void {
    switch (this.#state) {
      case 'fresh':
      case 'receiving':
        return this.#giveUp('ERR_HTTP_REQUEST_TIMEOUT');
      case 'idle':
      case 'left':
      case 'nodes':
        return this.cut();
      case 'admitting':
      case 'answering':
      case 'flushing':
        // Calls have their own deadlines.
        return this.#deadline.set(IDLE_MS);
      default:
        return this.#state satisfies never;
    }
  }

  /** The request will not arrive. Its caller has a moment to read the answer. */
  #giveUp(code: string): void {
    const { front, limits } = this.#parts.options;
    this.#state = 'left';
    this.#forget();
    this.#deadline.set(LINGER_MS);
    answerBrokenRequest(code, this.#socket, front, limits().maxHeader);
  }

  #leave(): void {
    this.#state = 'left';
    this.#forget();
    this.#deadline.clear();
    this.#parts.onLeft(this);
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
