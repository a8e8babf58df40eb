import { createHash } from 'node:crypto';
import { elapsedMs, type Log, observe } from '@corner/chassis/edge';
import type { ServiceName } from '@corner/contracts';
import { CallerLeft } from './faults.ts';
import type { Replica, Upstream } from './replicas.ts';

/** `percent` of the stores, 0 to 100, and `stores` by their ids, get the new version of `service`. */
export interface CanarySettings {
  readonly service: ServiceName;
  readonly percent: number;
  readonly stores: ReadonlySet<string>;
}

/** Responses of one version, by their duration in ms: `faster[n]` took less than 2^n, `failures` of them are 5xx or none at all. */
export interface Counted {
  readonly requests: number;
  readonly failures: number;
  readonly faster: readonly number[];
}

const steps = 16;
const leastFailures = 5;
const leastRequests = 100;
/** When a version has so many, all counts are halved: old requests count less and less. */
const mostRequests = 2_000;

export const countedNone: Counted = { requests: 0, failures: 0, faster: Array.from({ length: steps }, () => 0) };

export const count = ({ requests, failures, faster }: Counted, failed: boolean, ms: number): Counted => ({
  requests: requests + 1,
  failures: failures + (failed ? 1 : 0),
  faster: faster.map((before, n) => before + (ms < 2 ** n ? 1 : 0)),
});

/**
 * Says why the new version must get no more requests; null while it may. It fails too often with five failures that are more than twice
 * the others' share and a hundredth. It is too slow when its 95th percentile, as a power of two, is four times the others' and over
 * 256 ms, after 100 requests of each.
 */
export function whyTakeBack(canary: Counted, others: Counted): string | null {
  const [share, usual] = [shareOf(canary), shareOf(others)];
  if (canary.failures >= leastFailures && share > 2 * usual + 0.01) {
    return `${canary.failures} of ${canary.requests} requests failed, of the others ${others.failures} of ${others.requests}`;
  }
  if (Math.min(canary.requests, others.requests) < leastRequests) return null;
  const [slow, usually] = [slowest5Percent(canary), slowest5Percent(others)];
  return slow > 8 && slow >= usually + 2
    ? `one of 20 requests takes over ${2 ** (slow - 1)} ms, of the others ${2 ** (usually - 1)} ms`
    : null;
}

const shareOf = ({ requests, failures }: Counted): number => (requests === 0 ? 0 : failures / requests);

function slowest5Percent({ requests, faster }: Counted): number {
  const found = faster.findIndex((number) => number >= 0.95 * requests);
  return found === -1 ? steps : found;
}

const halved = ({ requests, failures, faster }: Counted): Counted => ({
  requests: Math.round(requests / 2),
  failures: Math.round(failures / 2),
  faster: faster.map((number) => Math.round(number / 2)),
});

/** Follows one request: `sent` for each replica that gets it, `settled` with its status or its fault. Only the first settling counts. */
export interface Followed {
  sent(origin: string): void;
  settled(outcome: unknown): void;
}

/**
 * Gives the requests of some stores to the new version of a service, and takes them back for good when it fails or is slow more often than
 * the version of the others. A request that the new version cannot get goes to the others, as one from a lost replica.
 */
export class Canary implements Upstream, Disposable {
  readonly service: ServiceName;
  readonly #candidate: Upstream;
  readonly #others: Upstream;
  readonly #settings: CanarySettings;
  readonly #log: Log;
  readonly #stopObserving: () => void;
  #counted = { canary: countedNone, others: countedNone };
  #takenBack: string | null = null;

  constructor(settings: CanarySettings, { candidate, others, log }: { candidate: Upstream; others: Upstream; log: Log }) {
    this.service = others.service;
    this.#candidate = candidate;
    this.#others = others;
    this.#settings = settings;
    this.#log = log;
    this.#stopObserving = observe(['corner.canary.active'], (report) =>
      report('corner.canary.active', this.#takenBack === null ? 1 : 0, { 'corner.service': this.service }),
    );
  }

  get replicas(): readonly Replica[] {
    return this.#candidate.replicas;
  }

  get fault(): string | null {
    return this.#takenBack === null ? this.#candidate.fault : `taken back: ${this.#takenBack}`;
  }

  choose(tried: readonly Replica[]): Replica | undefined {
    const next = this.#candidate.choose(tried);
    return next?.fault === null ? next : (this.#others.choose(tried) ?? next);
  }

  /** Returns the replicas that a store's requests go to. Requests that name no store go to the others. */
  upstreamFor(storeId: string | undefined): Upstream {
    return storeId !== undefined && this.#takenBack === null && isChosen(storeId, this.#settings) ? this : this.#others;
  }

  follow(upstream: Upstream): Followed {
    const beganMs = elapsedMs();
    let [origins, isSettled] = [0, false];
    const isOfCandidate = (origin: string) => this.#candidate.replicas.some((replica) => replica.origin === origin);
    const settle = (failed: boolean) => {
      if (isSettled) return;
      isSettled = true;
      this.#count(upstream === this ? 'canary' : 'others', failed, elapsedMs() - beganMs);
    };
    return {
      sent: (origin) => {
        origins += 1;
        // The new version did not respond: that another version does so afterwards is no merit of its.
        if (upstream === this && origins > 1 && !isOfCandidate(origin)) settle(true);
      },
      settled: (outcome) => {
        if (outcome instanceof CallerLeft) isSettled = true;
        settle(typeof outcome === 'number' ? outcome >= 500 : outcome !== undefined);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#stopObserving();
  }

  #count(version: 'canary' | 'others', failed: boolean, ms: number): void {
    if (this.#takenBack !== null) return;
    this.#counted = { ...this.#counted, [version]: count(this.#counted[version], failed, ms) };
    const { canary, others } = this.#counted;
    if (Math.max(canary.requests, others.requests) >= mostRequests) this.#counted = { canary: halved(canary), others: halved(others) };
    this.#takenBack = whyTakeBack(canary, others);
    if (this.#takenBack === null) return;
    this.#log.error({ upstream: this.service, why: this.#takenBack }, 'a canary is taken back: its stores get the version of the others');
  }
}

/** The same stores at each gateway, and more with a higher percentage. */
export function isChosen(storeId: string, { service, percent, stores }: CanarySettings): boolean {
  if (stores.has(storeId)) return true;
  return createHash('sha256').update(`${service}:${storeId}`).digest().readUInt32BE() < (percent / 100) * 2 ** 32;
}
