import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Log, observe } from '@corner/chassis/edge';
import { type ServiceName, services } from '@corner/contracts';
import { openReplica, type Replica } from './replicas.ts';

/** Milliseconds between two probes of the replicas that are out, and of all replicas of a service that has several. */
const probeEveryMs = 1_000;
/** Milliseconds between two lookups of a name: replicas come and go. */
const lookupEveryMs = 5_000;
/** Milliseconds that a probe on request lasts at most: those who ask whether the gateway is ready give it about three seconds. */
const probedOnRequestMs = 1_000;

/** Finds the replicas of each service, and looks again while it is open. The first request connects. */
export function openUpstreams(urls: Readonly<Record<ServiceName, readonly string[]>>, options: UpstreamOptions): Upstreams {
  const upstreams = services.map((service) => openUpstream(service, urls[service], options));
  let underway: Promise<void> | null = null;
  // Anyone may ask the gateway whether it is ready, as often as they like: callers share a probe, which costs each service a query.
  const probe = () => {
    underway ??= Promise.all(upstreams.flatMap(({ replicas }) => replicas.map((replica) => replica.probe())))
      .then(() => {})
      .finally(() => {
        underway = null;
      });
    return Promise.race([underway, pause(probedOnRequestMs, undefined, { ref: false })]);
  };
  const probing = repeat(probeEveryMs, async () => {
    const watched = upstreams.flatMap(({ replicas }) => replicas.filter(({ fault }) => fault !== null || replicas.length > 1));
    await Promise.all(watched.map((replica) => replica.probe()));
  });
  const lookingUp = repeat(lookupEveryMs, () => Promise.all(upstreams.map((upstream) => upstream.lookUp())));
  const observing = observe(['corner.upstream.replicas', 'corner.upstream.replicas.out'], (report) => {
    for (const { service, replicas } of upstreams) {
      report('corner.upstream.replicas', replicas.length, { 'corner.service': service });
      report('corner.upstream.replicas.out', outOf(replicas).length, { 'corner.service': service });
    }
  });
  for (const upstream of upstreams) void upstream.lookUp();
  return {
    of: Object.fromEntries(upstreams.map((upstream) => [upstream.service, upstream])) as Record<ServiceName, WatchedUpstream>,
    probe,
    async [Symbol.asyncDispose]() {
      for (const timer of [probing, lookingUp]) clearInterval(timer);
      observing();
      await Promise.all(upstreams.map((upstream) => upstream[Symbol.asyncDispose]()));
    },
  };
}

function openUpstream(service: ServiceName, urls: readonly string[], options: UpstreamOptions): WatchedUpstream {
  const open = (origin: string, addresses: readonly LookupAddress[] | null) => openReplica({ service, origin, addresses, ...options });
  // By name until the name is looked up, so that the gateway starts and serves before that.
  const found = new Map(urls.map((origin) => [origin, new Map([['', open(origin, null)]])]));
  const closing = new Set<Replica>();
  let replicas = [...found.values()].flatMap((named) => [...named.values()]);
  let turn = 0;
  let closed = false;

  const close = (replica: Replica): void => {
    closing.add(replica);
    void replica.close().then(() => closing.delete(replica));
  };
  /** Opens the replicas that are new and closes those that are gone. Without an answer, the last one is still the best. */
  const lookUpName = async (origin: string): Promise<void> => {
    const name = new URL(origin).hostname;
    const addresses = isIP(name.replace(/^\[|\]$/g, '')) ? [] : await options.lookup(name).catch(() => []);
    if (addresses.length === 0 || closed) return;
    const before = found.get(origin);
    const groups = addressesOfReplicas(addresses).map((group) => [group.map(({ address }) => address).join(), group] as const);
    const after = new Map(groups.map(([key, group]) => [key, before?.get(key) ?? open(origin, group)]));
    found.set(origin, after);
    replicas = [...found.values()].flatMap((named) => [...named.values()]);
    for (const [key, replica] of before ?? []) if (!after.has(key)) close(replica);
  };

  return {
    service,
    get replicas() {
      return replicas;
    },
    get fault() {
      const out = outOf(replicas);
      if (out.length === 0) return null;
      const faults = [...new Set(out.map(({ fault }) => fault))].join(', ');
      return replicas.length === 1 ? faults : `${out.length} of ${replicas.length} replicas out: ${faults}`;
    },
    choose(tried) {
      if (replicas.length === 1 && tried.length === 0) return replicas[0];
      turn += 1;
      let best: Replica | undefined;
      for (let index = 0; index < replicas.length; index += 1) {
        const replica = replicas[(turn + index) % replicas.length] as Replica;
        if (!tried.includes(replica) && (!best || isBetter(replica, best))) best = replica;
      }
      return best;
    },
    async lookUp() {
      await Promise.all(urls.map(lookUpName));
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([...replicas, ...closing].map((replica) => replica[Symbol.asyncDispose]()));
    },
  };
}

/**
 * Returns the addresses of each replica of a name. Each A record is a replica; without one, each AAAA record is. One record of each kind
 * is one replica, which is reached by whichever address works, as `localhost` is.
 */
function addressesOfReplicas(addresses: readonly LookupAddress[]): readonly (readonly LookupAddress[])[] {
  const [v4, v6] = [addresses.filter(({ family }) => family === 4), addresses.filter(({ family }) => family === 6)];
  if (v4.length <= 1 && v6.length <= 1) return [addresses];
  return (v4.length > 0 ? v4 : v6).toSorted((a, b) => (a.address < b.address ? -1 : 1)).map((address) => [address]);
}

const outOf = (replicas: readonly Replica[]): readonly Replica[] => replicas.filter(({ fault }) => fault !== null);

const isBetter = (a: Replica, b: Replica): boolean =>
  a.preference === b.preference ? a.underway < b.underway : a.preference < b.preference;

/** Runs again and again, never twice at once. It keeps no process alive. */
function repeat(everyMs: number, run: () => Promise<unknown>): NodeJS.Timeout {
  let running = false;
  return setInterval(() => {
    if (running) return;
    running = true;
    void run().finally(() => {
      running = false;
    });
  }, everyMs).unref();
}

/** Returns all addresses of a name. Rejects when there are none. */
export type Lookup = (name: string) => Promise<readonly LookupAddress[]>;

/** Asks the system, which reads what containers and clusters configure: /etc/hosts and their DNS. */
export const lookUpBySystem: Lookup = (name) => lookup(name, { all: true });

interface UpstreamOptions {
  /** Milliseconds between two parts of a response. */
  readonly timeoutMs: number;
  readonly log: Log;
  readonly lookup: Lookup;
}

/** A service as the gateway sees it. */
export interface Upstream {
  readonly service: ServiceName;
  readonly replicas: readonly Replica[];
  /** What is wrong with its replicas; null when all are in. It does not name an address. */
  readonly fault: string | null;
  /**
   * Returns the replica for a request, other than those that it was sent to: one that is in, with the fewest requests, in turn. When all
   * are out it returns one of them, since what is known of them may be a second old. Undefined when all were tried.
   */
  choose(tried: readonly Replica[]): Replica | undefined;
}

interface WatchedUpstream extends Upstream, AsyncDisposable {
  /** Looks the names up again. Never throws. */
  lookUp(): Promise<void>;
}

export interface Upstreams extends AsyncDisposable {
  readonly of: Readonly<Record<ServiceName, Upstream>>;
  /**
   * Probes every replica once and updates its `fault`. Never throws. Resolves after a second at the latest: a replica that hangs is found by the
   * probe, which goes on, and must not make the gateway look as if it hung too.
   */
  probe(): Promise<void>;
}
