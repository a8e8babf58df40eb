import { inSpan, measure, nameEntryPoints, SpanKind } from '@corner/chassis';
import { Declined } from './stripe-client.ts';

/**
 * Wraps an adapter of the payment provider, all of whose members call it: each call runs in its own span, and is timed and counted by
 * its outcome.
 */
export function watchPayments<Calls extends object>(adapter: Calls): Calls {
  nameEntryPoints('corner.call', Object.keys(adapter));
  const watched = Object.entries(adapter).map(([name, call]) => [name, (...given: never[]) => watch(name, () => (call as Call)(...given))]);
  return Object.fromEntries(watched) as Calls;
}

type Call = (...given: never[]) => Promise<unknown>;

async function watch<T>(name: string, call: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  let outcome = 'ok';
  try {
    return await inSpan(`payments ${name}`, { kind: SpanKind.CLIENT, attributes: { 'peer.service': 'payments' } }, call);
  } catch (error) {
    outcome = error instanceof Declined ? 'refused' : 'failed';
    throw error;
  } finally {
    measure('corner.payments.call.duration', (performance.now() - begunAt) / 1000, { 'corner.call': name, 'corner.outcome': outcome });
  }
}
