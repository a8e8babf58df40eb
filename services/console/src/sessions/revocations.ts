import { hash } from 'node:crypto';
import type { BrokerConnection } from '@corner/chassis/calls';
import type { Log } from '@corner/chassis/edge';
import { consoleUser, Problem } from '@corner/contracts';
import { peopleChanged, sessionEnded } from '@corner/nats';
import type { Response } from 'express';
import { type Watched, watchMessages } from './watch-messages.ts';

const writeMs = 3_000;

export interface Revocable {
  readonly id: string;
  readonly person: string;
  readonly known: number;
}

/**
 * The sessions that have ended, and the people whose rights may have changed, at any replica and in the directory. Times are of the broker,
 * in milliseconds.
 */
export interface Revocations extends AsyncDisposable {
  /** The time of the newest known change of any person. A token that is requested now reflects it. */
  readonly known: number;
  hasEnded(id: string): boolean;
  /** The time of the newest change of a person; 0 for none. An older token may grant too much. */
  changedAt(person: string): number;
  /**
   * Ends a session here at once, and resolves when the broker has it for every replica. Throws UPSTREAM_UNAVAILABLE, and then keeps
   * retrying.
   */
  end(id: string): Promise<void>;
  /** Returns a signal for a stream of a session: aborted when the session ends or the person's rights may have changed. */
  untilRevoked(session: Revocable, response: Response): AbortSignal;
  readonly isRead: boolean;
  /** Why some changes may be unknown here or elsewhere; null when all is well. */
  readonly fault: string | null;
}

export function createRevocations({ connection, longestMs, log, now }: RevocationsOptions): Revocations {
  const ended = createKept(longestMs, now);
  const changed = createKept(longestMs, now);
  const unwritten = new Set<string>();
  const streams = new Set<Stream>();
  let known = 0;

  const endHere = (hashed: string): void => {
    ended.set(hashed, 0);
    for (const { session, abort } of streams) if (hashOf(session.id) === hashed) abort();
  };
  const write = async (hashed: string): Promise<void> => {
    const broker = connection.current();
    if (!broker?.isConnected()) throw new Error('the broker is away');
    await broker.js.publish(broker.subject(sessionEnded.replace('*', hashed)), '', { timeout: writeMs, msgID: hashed });
    unwritten.delete(hashed);
  };
  const changeHere = ({ key: person, at }: Watched): void => {
    if (!at) return; // It is read from the stream, with its time.
    known = Math.max(known, at.getTime());
    changed.set(person, at.getTime());
    for (const { session, abort } of streams) if (session.person === person && session.known < at.getTime()) abort();
  };

  const since = new Date(now().getTime() - longestMs);
  const watches = [
    watchMessages({
      connection,
      owner: consoleUser,
      subject: sessionEnded,
      since,
      log,
      each: ({ key }) => endHere(key),
      looked: async () => void (await Promise.all([...unwritten].map(write))),
    }),
    watchMessages({ connection, owner: 'directory', subject: peopleChanged, since, log, each: changeHere }),
  ];
  return {
    get known() {
      return known;
    },
    hasEnded: (id) => ended.has(hashOf(id)),
    changedAt: changed.get,
    async end(id) {
      const hashed = hashOf(id);
      endHere(hashed);
      unwritten.add(hashed);
      await write(hashed).catch((cause: unknown) => {
        throw new Problem('UPSTREAM_UNAVAILABLE', { message: notCertain, retryAfterSeconds: 2, cause });
      });
    },
    untilRevoked(session, response) {
      const controller = new AbortController();
      const stream = { session, abort: () => controller.abort() };
      if (ended.has(hashOf(session.id)) || changed.get(session.person) > session.known) stream.abort();
      streams.add(stream);
      response.once('close', () => streams.delete(stream));
      return controller.signal;
    },
    get isRead() {
      return watches.every(({ isRead }) => isRead);
    },
    get fault() {
      return watches.find(({ fault }) => fault !== null)?.fault ?? null;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
    },
  };
}

const notCertain =
  'You are signed out in this browser, and at this server. The others could not be reached: until they can, a copy of the session may be used there.';

/** The broker and its readers get no id that could be compared with a cookie. */
const hashOf = (id: string): string => hash('sha256', id, 'hex');

interface Stream {
  readonly session: Revocable;
  abort(): void;
}

/** Each number is kept as long as a session lasts: an older one concerns no session. */
function createKept(longestMs: number, now: () => Date) {
  const kept = new Map<string, { readonly value: number; readonly until: number }>();
  return {
    has: (key: string): boolean => kept.has(key),
    get: (key: string): number => kept.get(key)?.value ?? 0,
    set(key: string, value: number): void {
      const at = now().getTime();
      kept.delete(key);
      kept.set(key, { value, until: at + longestMs });
      for (const [oldest, { until }] of kept) {
        if (until > at) break;
        kept.delete(oldest);
      }
    },
  };
}

interface RevocationsOptions {
  readonly connection: BrokerConnection;
  readonly longestMs: number;
  readonly log: Log;
  readonly now: () => Date;
}
