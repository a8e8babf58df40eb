import { readStored } from '@corner/chassis';
import { customerErased } from '@corner/contracts';
import type { Context } from '../context.ts';
import { eraseCustomer, unknownErasures } from '../erasure/index.ts';
import { describeForeign, type StoredSnapshot, snapshotIn } from './rules/producers.ts';
import { newerThanPublished, readPosition, savePosition } from './tables/stream-position.ts';

interface ErasedInStream {
  readonly customerId: string;
  readonly sequence: number;
}

/** Erases customers again whose erasure is in the stream and not in the database, which was restored to an earlier moment. */
async function eraseAsInStream({ database, log, newReceipt }: Context, erased: readonly ErasedInStream[]): Promise<void> {
  if (erased.length === 0) return;
  for (const { customer_id: customerId, sequence } of await unknownErasures(database, erased)) {
    const wanted = { customerId, receipt: newReceipt(), requestedBy: 'operator', byId: null, storeId: null, above: sequence } as const;
    await database.transaction((tx) => eraseCustomer(tx, wanted));
    log.warn({ customer_id: customerId }, 'a customer was erased again: the database was restored to a moment before the erasure');
  }
}

export async function readForeign(
  { database, broker }: Context,
  from: number,
  onForeign: (snapshots: readonly StoredSnapshot[]) => Promise<void> | void,
  onErased: (erased: readonly ErasedInStream[]) => Promise<void> | void = () => {},
): Promise<number | null> {
  const connected = broker();
  if (!connected) return null;
  return await readStored(connected, 'directory', {
    from,
    async onPage(events) {
      const erased = events.filter(({ envelope }) => envelope.type === customerErased.type);
      if (erased.length > 0) await onErased(erased.map(({ envelope }) => ({ customerId: envelope.subject, sequence: envelope.sequence })));
      const snapshots = events.map(({ envelope, numbered }) => snapshotIn(envelope, numbered)).filter((snapshot) => snapshot !== null);
      const versions = snapshots.map(({ kind, id, version }) => ({ kind, id, version }));
      const places = await newerThanPublished(database, versions);
      const foreign = places.flatMap((place) => snapshots[place] ?? []);
      if (foreign.length > 0) await onForeign(foreign);
    },
  });
}

/**
 * Reads the stream since the last look, and records whether another producer published some of it. While the broker is away nothing is
 * known, and nothing can be published.
 */
export async function lookAtStream(context: Context): Promise<void> {
  const position = await readPosition(context.database);
  let [first, count]: [StoredSnapshot | null, number] = [null, 0];
  const erased: ErasedInStream[] = [];
  const onForeign = (snapshots: readonly StoredSnapshot[]) => {
    first ??= snapshots[0] ?? null;
    count += snapshots.length;
  };
  const last = await readForeign(context, (position?.read_up_to ?? 0) + 1, onForeign, (found) => void erased.push(...found));
  if (last === null) return;
  await eraseAsInStream(context, erased);
  const fault = first && describeForeign(first, count);
  if (fault !== null && fault !== position?.fault) context.log.error({ snapshots: count }, fault);
  await savePosition(context.database, { read_up_to: fault === null ? last : (position?.read_up_to ?? 0), fault }, context.now());
  Object.assign(context.producers, { looked: true, fault });
}

/**
 * Returns why this service is not the only producer of the directory; null when it is. A process checks once before it is ready. An
 * unreachable broker or stream is no reason: meanwhile requests are served and events wait.
 */
export async function whyNotOnlyProducer(context: Context): Promise<string | null> {
  const { producers } = context;
  if (!producers.looked) {
    producers.looking ??= lookAtStream(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'the stream of the directory cannot be read'))
      .finally(() => {
        producers.looking = null;
      });
    await producers.looking;
  }
  producers.fault = (await readPosition(context.database))?.fault ?? null;
  return producers.fault;
}
