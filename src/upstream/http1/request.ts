import { Delivery } from '../delivery.ts';
import type { Http1Connection } from './connection.ts';

/** One request in progress. It holds its connection only while the answer needs it. */
export class Http1Request extends Delivery {
  connection: Http1Connection | null = null;
  /** What is sent. The body is kept until the answer begins, because it may have to be sent again. */
  head = '';
  body: Buffer | null = null;
  /** True if reading the answer is paused, on any connection. */
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
