import { Delivery } from '../delivery.ts';
import type { Http1Connection } from './connection.ts';

/** One request under way. It holds on to its connection for as long as the answer needs it, and no longer. */
export class Http1Request extends Delivery {
  connection: Http1Connection | null = null;
  /** What is sent. The body is kept until the answer begins: until then it may have to be sent again. */
  head = '';
  body: Buffer | null = null;
  /** Reading of the answer is paused, on any connection. */
  held = false;

  protected holdInput(): void {
    this.held = true;
    this.connection?.pause();
  }

  protected freeInput(): void {
    this.held = false;
    this.connection?.resume();
  }

  protected letGo(): void {
    this.connection?.drop();
  }
}
