import type { Logger } from 'pino';
import { App } from './app.ts';
import { createLimiter } from './control/limits/limiter.ts';
import type { Gateway } from './gateway.ts';
import { Keeper } from './keeper.ts';
import { storageLog } from './log.ts';
import { greetedOffer } from './offer.ts';
import { CLOCK, type Place, readAgain, readCatalog, type Setup } from './setup.ts';

/** Serves in this process alone. */
export async function startAlone(place: Place, log: Logger, setup: Setup): Promise<Gateway> {
  let present = setup;
  const keeper = await Keeper.open({ setup, log, present: () => present.config });
  const { storage, keys, ids } = keeper;
  try {
    const app = await App.start({
      place,
      log,
      setup,
      storage,
      keys,
      ids,
      company: {
        limiter: (defaults) => createLimiter({ clock: CLOCK, spend: storage.spend, defaults }),
        items: null,
        metrics: null,
        status: null,
        storageNews: storageLog(log, setup.folder),
        portion: (whole) => whole,
      },
    });
    return {
      address: app.address,
      firstKey: await keeper.begin(setup),
      recovered: keeper.recovered,
      offer: greetedOffer(app, place),
      get setup() {
        return present;
      },
      async reload() {
        const next = readAgain(present, place);
        const catalog = readCatalog(next.setup.folder);
        await keeper.prepare(next.setup);
        await app.reload(next.setup, catalog);
        present = next.setup;
        keeper.tidyUp();
        return next.reloaded;
      },
      async stop() {
        await app.stop();
        await keeper.close();
      },
    };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}
