import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ReplayResult, replayCalls } from '../core/replay.ts';
import { openStorage } from '../store/open.ts';
import { directoryOf } from './drafted-route.ts';
import { replayerOf } from './preview.ts';
import type { ReplayOrder } from './replays.ts';

/** The thread that replays past calls: started by `replays.ts`, it reads the store, reports the result, and ends. */
const port = parentPort as MessagePort;
port.postMessage(await replayed(workerData as ReplayOrder));

async function replayed({ storage: options, drafted, from, limit, endsAt }: ReplayOrder): Promise<ReplayResult> {
  const storage = await openStorage(options);
  try {
    const change = await replayerOf(storage, drafted.route, directoryOf(drafted));
    const span = { routeId: drafted.route.id, from, limit, isOver: () => Date.now() >= endsAt };
    return await replayCalls(storage.calls, span, change);
  } finally {
    await storage.close();
  }
}
