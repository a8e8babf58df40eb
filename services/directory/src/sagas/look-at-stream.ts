import { notBuilt, type Operation, type OperationsOf, readStored } from '@corner/chassis';
import { directory, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { describeForeign, type StoredSnapshot, snapshotIn } from '../rules/producers.ts';
import { newerThanPublished, readPosition, savePosition } from '../tables/stream-position.ts';

/** Calls `onForeign` with pages of the snapshots in the stream that this service did not publish. Returns the last sequence that was read. */
export async function readForeign(
  { database, broker }: Context,
  from: number,
  onForeign: (snapshots: readonly StoredSnapshot[]) => Promise<void> | void,
): Promise<number | null> {
  const connected = broker();
  if (!connected) return null;
  return await readStored(connected, 'directory', {
    from,
    async onPage(events) {
      const snapshots = events.map(({ envelope, numbered }) => snapshotIn(envelope, numbered)).filter((snapshot) => snapshot !== null);
      const versions = snapshots.map(({ kind, id, version }) => ({ kind, id, version }));
      const places = await newerThanPublished(database, versions);
      const foreign = places.flatMap((place) => snapshots[place] ?? []);
      if (foreign.length > 0) await onForeign(foreign);
    },
  });
}

/**
 * Looks at what the stream has got since the last look, and keeps whether another producer published some of it. While the broker is away
 * nothing is known, and nothing can be published.
 */
export async function lookAtStream(context: Context): Promise<void> {
  const position = await readPosition(context.database);
  let [first, count]: [StoredSnapshot | null, number] = [null, 0];
  const last = await readForeign(context, (position?.read_up_to ?? 0) + 1, (snapshots) => {
    first ??= snapshots[0] ?? null;
    count += snapshots.length;
  });
  if (last === null) return;
  const fault = first && describeForeign(first, count);
  if (fault !== null && fault !== position?.fault) context.log.error({ snapshots: count }, fault);
  await savePosition(context.database, { read_up_to: fault === null ? last : (position?.read_up_to ?? 0), fault }, context.now());
  Object.assign(context.producers, { looked: true, fault });
}

/**
 * Returns why this service is not the only producer of the directory; null when it is. A process looks once before it is ready. A broker or a
 * stream that cannot be read is no reason: while it is away, requests are served and events wait.
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

/** Changes that make no object of the directory. `exchangeToken` makes a customer at the first sign-in, and checks itself. */
const withoutObject: ReadonlySet<string> = new Set([
  'exchangeToken',
  'refreshToken',
  'endSession',
  'startStaffSession',
] satisfies (keyof typeof directory)[]);

/** Returns operations that refuse changes while another producer is known: its snapshots would hide them. They can be read. */
export const asOnlyProducer = (operations: OperationsOf<typeof directory, Context>): OperationsOf<typeof directory, Context> =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const { method } = directory[name as keyof typeof directory];
      const isFree = method === 'GET' || withoutObject.has(name) || operation === notBuilt;
      return [name, isFree ? operation : guarded(operation as Operation<unknown, Context>)];
    }),
  ) as OperationsOf<typeof directory, Context>;

const guarded =
  (operation: Operation<unknown, Context>): Operation<unknown, Context> =>
  async (request, context) => {
    checkOnlyProducer(context);
    return await operation(request, context);
  };

/** Throws UPSTREAM_UNAVAILABLE while another producer is known. */
export function checkOnlyProducer({ producers }: Context): void {
  if (producers.fault !== null)
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The directory cannot be changed right now.', retryAfterSeconds: 60 });
}
