import { inSpan, measure, nameEntryPoints, SpanKind } from '@corner/chassis';
import { Declined, type Payments } from './payments.ts';

/** Wraps the payment provider: each call runs in its own span, and is timed and counted by its outcome. */
export function watchPayments(payments: Payments): Payments {
  const { verifyWebhook, ...calls } = payments;
  nameEntryPoints('corner.call', Object.keys(calls));
  const watched = Object.entries(calls).map(([name, call]) => [name, (...given: never[]) => watch(name, () => (call as Call)(...given))]);
  return { ...(Object.fromEntries(watched) as typeof calls), verifyWebhook };
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
