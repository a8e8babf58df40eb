import { inSpan, measure, nameEntryPoints, peerAttributes, SpanKind } from '@corner/chassis';
import { Declined } from './stripe-client.ts';

/**
 * Wraps an adapter of the payment provider, all of whose members call it: each call runs in its own span, and is timed and counted by
 * its outcome. `server` is the provider's address.
 */
export function watchPayments<Calls extends object>(adapter: Calls, server: string): Calls {
  nameEntryPoints('corner.call', Object.keys(adapter));
  const watched = Object.entries(adapter).map(([name, call]) => [
    name,
    (...given: never[]) => watch(name, server, () => (call as Call)(...given)),
  ]);
  return Object.fromEntries(watched) as Calls;
}

type Call = (...given: never[]) => Promise<unknown>;

async function watch<T>(name: string, server: string, call: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  const attributes = { 'service.peer.name': 'payments', 'corner.call': name, ...peerAttributes(server) };
  let outcome = 'ok';
  try {
    return await inSpan(`payments ${name}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await call();
      } catch (error) {
        outcome = error instanceof Declined ? 'refused' : 'failed';
        span.setAttribute('error.type', outcome);
        throw error;
      } finally {
        span.setAttribute('corner.outcome', outcome);
      }
    });
  } finally {
    measure('corner.payments.call.duration', (performance.now() - begunAt) / 1000, { 'corner.call': name, 'corner.outcome': outcome });
  }
}
