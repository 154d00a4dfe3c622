import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What a device with one passkey does: it makes a key pair, and signs what it is asked to sign. */
export class TestAuthenticator {
  readonly id = randomBytes(32);
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #host: string;
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#host = new URL(origin).hostname;
  }

  /** As `navigator.credentials.create()` answers. */
  create(challenge: string) {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    // COSE: an EC key (1: 2) for ES256 (3: -7) on P-256 (-1: 1).
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, isoCBOR.encode(cose)]);
    const attestationObject = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', new Uint8Array(this.#data(HAS_CREDENTIAL, credential))],
      ]),
    );
    return this.#credential({
      clientDataJSON: this.#client('webauthn.create', challenge).toString('base64url'),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** As `navigator.credentials.get()` answers. */
  get(challenge: string) {
    this.#counter += 1;
    const data = this.#data(0, Buffer.alloc(0));
    const client = this.#client('webauthn.get', challenge);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#key.privateKey).toString('base64url'),
      userHandle: null,
    });
  }

  #credential<Response>(response: Response) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #data(flags: number, more: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const host = createHash('sha256').update(this.#host).digest();
    return Buffer.concat([host, Buffer.from([flags | USER_PRESENT | USER_VERIFIED]), counter, more]);
  }
}
