import {
  customerErased,
  type Envelope,
  exportCustomerOf,
  type RequiredService,
  type RpcCallInput,
  type RpcOutput,
  readErasureAt,
} from '@corner/contracts';
import { envelopeOf } from './envelope-of.ts';

interface CalledService {
  call<Q extends ReturnType<typeof exportCustomerOf> | ReturnType<typeof readErasureAt>>(
    rpc: Q,
    input: RpcCallInput<Q>,
  ): Promise<{ readonly output?: RpcOutput<Q> | undefined }>;
}

export const erasedEvent = (id: string, sequence = 1): Envelope =>
  envelopeOf(customerErased, { customer_id: id, at: '2026-05-01T11:00:00Z' }, { aggregateId: id, sequence, customerId: id });

/** Consumes events one after another: the stream keeps only a customer's newest, so the next may replace an unread one. */
export function inTurn(consume: (event: Envelope) => Promise<void>): (event: Envelope) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (event) => {
    last = last.then(() => consume(event));
    return last;
  };
}

export async function exportedBy({ call }: CalledService, service: RequiredService, id: string): Promise<Record<string, unknown[]>> {
  const sections: Record<string, unknown[]> = {};
  for (let from: { section: number; after: string } | null = { section: 0, after: '' }; from; ) {
    const { output }: { output?: RpcOutput<ReturnType<typeof exportCustomerOf>> | undefined } = await call(exportCustomerOf(service), {
      customer_id: id,
      from,
    });
    if (!output) throw new Error(`${service} exported nothing`);
    if (output.rows.length > 0) sections[output.section] = [...(sections[output.section] ?? []), ...output.rows];
    from = output.next;
  }
  return sections;
}

/** Returns sentences about a service's progress, and whether something is left; null before it began. */
export async function erasureBy({ call }: CalledService, service: RequiredService, id: string) {
  const { output } = await call(readErasureAt(service), { customer_id: id });
  return output?.erasure ? { isDone: output.erasure.finished_at !== null, steps: output.erasure.steps.map(({ what }) => what) } : null;
}
