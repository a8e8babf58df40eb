import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Log, observe } from '@corner/chassis/edge';
import type { ServiceName } from '@corner/contracts';
import { Canary, type CanarySettings } from './canary.ts';
import { openReplica, type Replica, type Upstream } from './replicas.ts';

/**
 * Milliseconds. Replicas that are out are probed, and all replicas of a service that has several. A probe on request has a limit because
 * those who check the gateway's readiness wait about three seconds.
 */
const probeEveryMs = 1_000;
const lookupEveryMs = 5_000;
const probedOnRequestMs = 1_000;

/** Watches the replicas of each service, and those of a new version, until it is closed. The first request connects. */
export function openUpstreams(urls: ReadonlyMap<ServiceName, readonly string[]>, options: UpstreamOptions): Upstreams {
  const running = [...urls].map(([service, origins]) => new WatchedUpstream(service, origins, options));
  const { canary, candidate } = openCanary(running, options);
  const upstreams = candidate ? [...running, candidate] : running;
  let underway: Promise<void> | null = null;
  // Anyone may call /readyz at any rate, and a probe costs each service a query: concurrent callers share one.
  const probe = () => {
    underway ??= Promise.all(upstreams.flatMap(({ replicas }) => replicas.map((replica) => replica.probe())))
      .then(() => {})
      .finally(() => {
        underway = null;
      });
    return Promise.race([underway, pause(probedOnRequestMs, undefined, { ref: false })]);
  };
  const probeWatched = async () => {
    const watched = upstreams.flatMap(({ replicas }) => replicas.filter(({ fault }) => fault !== null || replicas.length > 1));
    await Promise.all(watched.map((replica) => replica.probe()));
  };
  const lookUp = () => Promise.all(upstreams.map((upstream) => upstream.lookUp()));
  const timers = options.timersHeld ? [] : [repeat(probeEveryMs, probeWatched), repeat(lookupEveryMs, lookUp)];
  const observing = observe(['corner.upstream.replicas', 'corner.upstream.replicas.out'], (report) => {
    for (const service of urls.keys()) {
      const replicas = upstreams.flatMap((upstream) => (upstream.service === service ? upstream.replicas : []));
      report('corner.upstream.replicas', replicas.length, { 'corner.service': service });
      report('corner.upstream.replicas.out', outOf(replicas).length, { 'corner.service': service });
    }
  });
  for (const upstream of upstreams) void upstream.lookUp();
  return {
    of: new Map(running.map((upstream) => [upstream.service, upstream])),
    canary,
    probe,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      observing();
      canary?.[Symbol.dispose]();
      await Promise.all(upstreams.map((upstream) => upstream[Symbol.asyncDispose]()));
    },
  };
}

function openCanary(running: readonly Upstream[], options: UpstreamOptions) {
  const { canary: settings, log } = options;
  const others = running.find(({ service }) => service === settings?.service);
  if (!settings || !others) return { canary: null, candidate: null };
  const candidate = new WatchedUpstream(settings.service, settings.urls, options);
  return { canary: new Canary(settings, { candidate, others, log }), candidate };
}

class WatchedUpstream implements Upstream, AsyncDisposable {
  readonly service: ServiceName;
  readonly #options: UpstreamOptions;
  readonly #found: Map<string, ReadonlyMap<string, Replica>>;
  readonly #closing = new Set<Replica>();
  #replicas: readonly Replica[];
  #turn = 0;
  #closed = false;

  constructor(service: ServiceName, urls: readonly string[], options: UpstreamOptions) {
    this.service = service;
    this.#options = options;
    // By name until the name is looked up, so that the gateway starts and serves before that.
    this.#found = new Map(urls.map((origin) => [origin, new Map([['', this.#open(origin, null)]])]));
    this.#replicas = this.#listReplicas();
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  get fault(): string | null {
    const out = outOf(this.#replicas);
    if (out.length === 0) return null;
    const faults = [...new Set(out.map(({ fault }) => fault))].join(', ');
    return this.#replicas.length === 1 ? faults : `${out.length} of ${this.#replicas.length} replicas out: ${faults}`;
  }

  choose(tried: readonly Replica[]): Replica | undefined {
    const replicas = this.#replicas;
    if (replicas.length === 1 && tried.length === 0) return replicas[0];
    this.#turn += 1;
    let best: Replica | undefined;
    for (let index = 0; index < replicas.length; index += 1) {
      const replica = replicas[(this.#turn + index) % replicas.length] as Replica;
      if (!tried.includes(replica) && (!best || isBetter(replica, best))) best = replica;
    }
    return best;
  }

  async lookUp(): Promise<void> {
    await Promise.all([...this.#found.keys()].map((origin) => this.#lookUpName(origin)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#replicas, ...this.#closing].map((replica) => replica[Symbol.asyncDispose]()));
  }

  /** Opens new replicas and closes those that are gone. If a lookup fails, the last result stays. */
  async #lookUpName(origin: string): Promise<void> {
    const name = new URL(origin).hostname;
    const addresses = isIP(name.replace(/^\[|\]$/g, '')) ? [] : await this.#options.lookup(name).catch(() => []);
    if (addresses.length === 0 || this.#closed) return;
    const before = this.#found.get(origin);
    const groups = addressesOfReplicas(addresses).map((group) => [group.map(({ address }) => address).join(), group] as const);
    const after = new Map(groups.map(([key, group]) => [key, before?.get(key) ?? this.#open(origin, group)]));
    this.#found.set(origin, after);
    this.#replicas = this.#listReplicas();
    for (const [key, replica] of before ?? []) if (!after.has(key)) this.#close(replica);
  }

  #open(origin: string, addresses: readonly LookupAddress[] | null): Replica {
    return openReplica({ service: this.service, origin, addresses, ...this.#options });
  }

  #close(replica: Replica): void {
    this.#closing.add(replica);
    void replica.close().then(() => this.#closing.delete(replica));
  }

  #listReplicas(): readonly Replica[] {
    return [...this.#found.values()].flatMap((named) => [...named.values()]);
  }
}

/**
 * Returns the addresses of each replica of a name: one for each A record, else for each AAAA record. One of each kind is one replica, such
 * as `localhost`.
 */
function addressesOfReplicas(addresses: readonly LookupAddress[]): readonly (readonly LookupAddress[])[] {
  const [v4, v6] = [addresses.filter(({ family }) => family === 4), addresses.filter(({ family }) => family === 6)];
  if (v4.length <= 1 && v6.length <= 1) return [addresses];
  return (v4.length > 0 ? v4 : v6).toSorted((a, b) => (a.address < b.address ? -1 : 1)).map((address) => [address]);
}

const outOf = (replicas: readonly Replica[]): readonly Replica[] => replicas.filter(({ fault }) => fault !== null);

const isBetter = (a: Replica, b: Replica): boolean =>
  a.preference === b.preference ? a.underway < b.underway : a.preference < b.preference;

/** Never runs twice at once, and keeps no process alive. */
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

export type Lookup = (name: string) => Promise<readonly LookupAddress[]>;

/** Uses the system's lookup, which reads the configuration of containers and clusters: /etc/hosts and their DNS. */
export const lookUpBySystem: Lookup = (name) => lookup(name, { all: true });

interface UpstreamOptions {
  readonly timeoutMs: number;
  readonly log: Log;
  readonly lookup: Lookup;
  readonly timersHeld?: boolean;
  readonly canary?: (CanarySettings & { readonly urls: readonly string[] }) | undefined;
}

export interface Upstreams extends AsyncDisposable {
  readonly of: ReadonlyMap<ServiceName, Upstream>;
  /** Null without a new version on trial. */
  readonly canary: Canary | null;
  /**
   * Probes every replica once and updates its `fault`. Never throws. Resolves after a second at most, so that a hanging replica cannot
   * delay the caller.
   */
  probe(): Promise<void>;
}
