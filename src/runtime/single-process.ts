import type { Logger } from 'pino';
import { createLimiter } from '../limits/limiter.ts';
import { attemptsHere, Throttle } from '../organization/sign-in/throttle.ts';
import { storageLog } from '../telemetry/log.ts';
import { DataOwner, type ShownOnce } from './data-owner.ts';
import { Gateway } from './gateway.ts';
import { greetingFactsOf } from './greeting-facts.ts';
import type { RunningGateway } from './running-gateway.ts';
import { openServingData } from './serving-data.ts';
import { CLOCK, readAgain, readCatalog, type Setup, type StartOptions } from './setup.ts';

/** Serves in this process alone. */
export async function startAlone(startOptions: StartOptions, log: Logger, setup: Setup): Promise<RunningGateway> {
  let current = setup;
  const dataOwner = await DataOwner.open({ setup, log, current: () => current, openData: openServingData });
  const { storage, keys, ids } = dataOwner;
  try {
    const gateway = await Gateway.start({
      startOptions,
      log,
      setup,
      storage,
      keys,
      ids,
      processParts: {
        limiter: (defaults) => createLimiter({ clock: CLOCK, spend: storage.spend, defaults }),
        items: null,
        metrics: null,
        status: null,
        storageNews: storageLog(log, setup.folder),
        attempts: attemptsHere(new Throttle(CLOCK.monotonic)),
        asksVendors: true,
        portion: (whole) => whole,
      },
    });
    const { address } = gateway;
    let shownOnce: ShownOnce;
    try {
      shownOnce = await dataOwner.begin(setup, address, gateway.askAsOperator);
    } catch (error) {
      // A failed start answers no calls.
      await gateway.stop();
      throw error;
    }
    return {
      address,
      ...shownOnce,
      recovered: dataOwner.recovered,
      greeting: greetingFactsOf(gateway, startOptions),
      get setup() {
        return current;
      },
      async reload() {
        const next = readAgain(current, startOptions);
        const catalog = readCatalog(next.setup.folder);
        await dataOwner.prepare(next.setup);
        await gateway.reload(next.setup, catalog);
        current = next.setup;
        dataOwner.tidyUp();
        return next.reloaded;
      },
      async stop() {
        await gateway.stop();
        await dataOwner.close();
      },
    };
  } catch (error) {
    await dataOwner.close();
    throw error;
  }
}
