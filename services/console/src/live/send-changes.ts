import { once } from 'node:events';
import { Change } from '@corner/console-api';
import type { Response } from 'express';
import { type ChangeMemory, idOf, type PlacedChange, type Positions, positionsIn } from './change-memory.ts';

const heartbeatMs = 15_000;
/** Bytes that wait for a browser before it counts as too slow and is cut off; it reconnects and resumes. */
const maxWaiting = 256 * 1024;
const missedAtOnce = 100;

export async function sendChanges({ memory, response, storeId, from, ended }: Sending): Promise<void> {
  // A browser without a last id has already read its page: it may miss changes until the streams have been read.
  const mayMiss = !from && !memory.isReady;
  const sender = createSender(response, storeId);
  // A store without changes keeps a recent id too: an id without data makes no event, and the browser sends it when it reconnects.
  const beat = setInterval(sender.remind, heartbeatMs).unref();
  try {
    await Promise.race([memory.ready, abortOf(ended)]);
    if (ended.aborted) return;
    sender.positions = from ? positionsIn(from) : { ...memory.positions };
    if (mayMiss || !(await sendMissed({ memory, response, sender, ended }))) sender.reset(memory.positions);
    else sender.remind();
    using _ = memory.follow({ changed: sender.pass, reset: () => sender.reset(memory.positions) });
    await abortOf(ended);
  } finally {
    clearInterval(beat);
    response.end();
  }
}

/** Reads again after each part, since more changes may have arrived. Returns false when some of them are no longer held. */
async function sendMissed({ memory, response, sender, ended }: SendingMissed): Promise<boolean> {
  while (sender.positions && !ended.aborted) {
    const missed = memory.since(sender.positions);
    if (!missed || missed.length === 0) return missed !== null;
    for (const placed of missed.slice(0, missedAtOnce)) sender.pass(placed);
    if (response.writableNeedDrain) await once(response, 'drain', { signal: ended }).catch(() => {});
  }
  return sender.positions !== null;
}

/** `positions`: of the last event in every stream; null while unknown. */
interface Sender {
  positions: Positions | null;
  pass(placed: PlacedChange): void;
  reset(to: Readonly<Positions>): void;
  remind(): void;
}

function createSender(response: Response, storeId: string | undefined): Sender {
  const write = (text: string): void => {
    if (response.destroyed) return;
    response.write(text);
    if (response.writableLength > maxWaiting) response.destroy();
  };
  const sender: Sender = {
    positions: null,
    pass({ producer, sequence, change }) {
      if (!sender.positions) return;
      sender.positions[producer] = sequence;
      if (storeId === undefined || change.store_id === storeId)
        write(`event: change\nid: ${idOf(sender.positions)}\ndata: ${JSON.stringify(Change.parse(change))}\n\n`);
    },
    reset(to) {
      sender.positions = { ...to };
      write(`event: reset\nid: ${idOf(to)}\ndata: {}\n\n`);
    },
    remind: () => write(sender.positions ? `id: ${idOf(sender.positions)}\n\n` : ':\n\n'),
  };
  return sender;
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

interface SendingMissed {
  readonly memory: ChangeMemory;
  readonly response: Response;
  readonly sender: Sender;
  readonly ended: AbortSignal;
}

interface Sending extends Omit<SendingMissed, 'sender'> {
  readonly storeId: string | undefined;
  /** The id of the last event that the browser received; undefined when there was none. */
  readonly from: string | undefined;
}
