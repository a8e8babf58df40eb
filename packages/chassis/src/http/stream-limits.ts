import { Problem } from '@corner/contracts';
import { measure, observe } from '../telemetry/metrics.ts';
import { subscriberOf } from './subscriber.ts';

/** One address may have a tenth of a process's streams: enough for 200 phones behind one Wi-Fi, and far from all. */
const addressShare = 0.1;
/** As often as a stream reads again, so a caller that polls meanwhile costs no more than a stream. */
const retryAfterSeconds = 15;
const eventStream = 'text/event-stream';

export interface StreamOwner {
  readonly address: string;
  /** The subject of a verified token, with its kind; null without one, and where tokens are not verified. */
  readonly caller: string | null;
}

export interface StreamLimits extends Disposable {
  /**
   * Counts a stream until it is disposed of. Throws UPSTREAM_UNAVAILABLE when the process has no room, and RATE_LIMITED when the address or
   * the caller has too many, both with Retry-After: meanwhile the same state can be read without a stream.
   */
  open(owner: StreamOwner): Disposable;
}

/**
 * Returns true for a request that may get server-sent events. No operation sends them unless Accept names the type: so each hop knows
 * beforehand which connections last.
 */
export const mayFollow = (accept: string | undefined): boolean => accept?.toLowerCase().includes(eventStream) ?? false;

export function createStreamLimits({ max, perCaller }: { readonly max: number; readonly perCaller: number }): StreamLimits {
  const perAddress = Math.ceil(max * addressShare);
  const [byAddress, byCaller] = [new Map<string, number>(), new Map<string, number>()];
  let open = 0;
  const stop = observe(['corner.streams.open', 'corner.streams.max'], (report) => {
    report('corner.streams.open', open, {});
    report('corner.streams.max', max, {});
  });
  return {
    open({ address, caller }) {
      const subscriber = subscriberOf(address);
      if (open >= max) throw refused('full', 'All streams that can be open are.', 'UPSTREAM_UNAVAILABLE');
      if (caller !== null && (byCaller.get(caller) ?? 0) >= perCaller)
        throw refused('caller', `${perCaller} streams are open already: close one first.`);
      if ((byAddress.get(subscriber) ?? 0) >= perAddress)
        throw refused('address', `${perAddress} streams are open from this address already: close one first.`);
      open += 1;
      add(byAddress, subscriber, 1);
      if (caller !== null) add(byCaller, caller, 1);
      let isOpen = true;
      return {
        [Symbol.dispose]() {
          if (!isOpen) return;
          isOpen = false;
          open -= 1;
          add(byAddress, subscriber, -1);
          if (caller !== null) add(byCaller, caller, -1);
        },
      };
    },
    [Symbol.dispose]: stop,
  };
}

function refused(reason: 'full' | 'address' | 'caller', message: string, code: 'UPSTREAM_UNAVAILABLE' | 'RATE_LIMITED' = 'RATE_LIMITED') {
  measure('corner.streams.refused', 1, { 'corner.stream.refusal': reason });
  return new Problem(code, { message, retryAfterSeconds });
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
