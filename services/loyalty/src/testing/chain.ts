import type { DataInputOf, directoryProgramme } from '@corner/contracts';
import { programmeOf } from './events.ts';
import type { Running } from './running.ts';
import { openShop, type Shop } from './shop.ts';

type Terms = Partial<DataInputOf<typeof directoryProgramme>>;

/**
 * Stores with one programme, whose home is the first, and a store outside it. `rejoin` publishes the programme's next version, with other
 * stores besides its home.
 */
export interface Chain {
  readonly home: Shop;
  readonly branch: Shop;
  readonly outside: Shop;
  rejoin(...further: readonly Shop[]): Promise<void>;
}

/** Opens a chain. Each store has a programme of its own too, which rests at the branch. */
export async function openChain(running: Running, terms: Terms = {}): Promise<Chain> {
  const [home, branch, outside] = [await openShop(running, terms), await openShop(running), await openShop(running)];
  let version = 1;
  const rejoin: Chain['rejoin'] = async (...further) => {
    version += 1;
    await running.consume(programmeOf(home.storeId, { ...terms, version, store_ids: further.map(({ storeId }) => storeId) }));
  };
  await rejoin(branch);
  return { home, branch, outside, rejoin };
}
