import { Delivery } from '../delivery.ts';
import type { Connection } from './connection.ts';

/** One request under way. It holds on to its connection for as long as the answer needs it, and no longer. */
export class Exchange extends Delivery {
  connection: Connection | null = null;

  protected holdInput(): void {
    this.connection?.pause();
  }

  protected freeInput(): void {
    this.connection?.resume();
  }

  protected letGo(): void {
    this.connection?.drop();
  }
}
