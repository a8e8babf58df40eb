import { randomUUID } from 'node:crypto';
import { CornerError } from '@corner/client';
import type { RunningSystem } from '@corner/sandbox/system';
import type { History } from '@corner/simulation';
import { pay } from '../testing/order-scenario.ts';
import { recordingClient } from '../testing/recording-client.ts';
import { type FaultDirectory, items } from './directory.ts';

export const visitKinds = ['free order', 'paid order', 'refunded order', 'stamp', 'party'] as const;
export type VisitKind = (typeof visitKinds)[number];

export interface Visit {
  readonly kind: VisitKind;
  readonly key: string;
  readonly began: number;
  /** Milliseconds until the first call had its final response, retries included. */
  readonly tookMs: number;
  readonly ended: number;
  /** `refused` when the last response of the first call was a refusal, `unanswered` when there was none. */
  readonly outcome: 'accepted' | 'refused' | 'unanswered';
  readonly code: string | null;
  readonly id: string | null;
  readonly done: readonly ('confirm' | 'refund' | 'leave')[];
  readonly failed: readonly string[];
}

export interface Visitor {
  readonly system: RunningSystem;
  readonly gatewayUrl: string;
  readonly history: History;
  readonly directory: FaultDirectory;
  readonly store: FaultDirectory['stores'][number];
  readonly customerId: string;
  readonly customerToken: string;
  readonly ownerToken: string;
}

/** Milliseconds for which a visitor retries a call: longer than the claim of a call whose process died. */
const patienceMs = 45_000;

export async function visit(kind: VisitKind, visitor: Visitor): Promise<Visit> {
  const key = randomUUID();
  const began = performance.now();
  const done: Visit['done'][number][] = [];
  const failed: string[] = [];
  const first = await attempt(() => beginVisit(kind, key, visitor));
  const tookMs = performance.now() - began;
  const base = { kind, key, began, tookMs, done, failed };
  if (!('result' in first))
    return {
      ...base,
      ended: performance.now(),
      outcome: first.code === 'UNREACHABLE' ? 'unanswered' : 'refused',
      code: first.code,
      id: null,
    };
  for (const [name, call] of laterCalls(kind, key, first.result, visitor)) {
    const later = await attempt(call);
    if ('result' in later) done.push(name);
    else failed.push(`${name}: ${later.code}`);
  }
  return { ...base, ended: performance.now(), outcome: 'accepted', code: null, id: first.result.id };
}

interface Begun {
  readonly id: string;
  readonly intentId: string | null;
}

export const firstCall = (kind: VisitKind, key: string): string => `${key}:${kind.endsWith('order') ? 'create' : kind}`;

async function beginVisit(kind: VisitKind, key: string, visitor: Visitor): Promise<Begun> {
  const { store, customerId } = visitor;
  if (kind === 'stamp') {
    const { data } = await clientFor(visitor, kind, key, visitor.ownerToken).POST('/api/v1/loyalty/stamps', {
      body: { store_id: store.id, customer_id: customerId, idempotency_key: key },
    });
    return { id: data.stamp_id ?? '', intentId: null };
  }
  if (kind === 'party') {
    const { data } = await clientFor(visitor, kind, key).POST('/api/v1/queue/join', {
      body: { store_id: visitor.directory.barber, guest_name: guestOf(key) },
    });
    return { id: data.entry_id, intentId: null };
  }
  const { data } = await clientFor(visitor, 'create', key, visitor.customerToken).POST('/api/v1/orders', {
    body: {
      store_code: store.code,
      store_id: store.id,
      idempotency_key: key,
      ...(kind === 'free order' ? { order_type: 'collect', collection_mode: 'now' } : {}),
      items: [{ menu_item_id: kind === 'free order' ? items.free : items.priced, quantity: 1 }],
    },
  });
  return { id: data.order_id, intentId: data.payment_intent_id ?? null };
}

export const guestOf = (key: string): string => `Guest ${key.slice(0, 13)}`;

type LaterCall = readonly [name: Visit['done'][number], call: () => Promise<unknown>];

function laterCalls(kind: VisitKind, key: string, { id, intentId }: Begun, visitor: Visitor): LaterCall[] {
  const { system, history, store, customerToken, ownerToken } = visitor;
  if (kind === 'party') {
    return [['leave', () => clientFor(visitor, 'leave', key).POST('/api/v1/queue/leave', { body: { entry_id: id } })]];
  }
  if (intentId === null) return [];
  const confirm: LaterCall = [
    'confirm',
    async () => {
      await pay(system, history, intentId);
      const body = { store_id: store.id, payment_intent_id: intentId };
      await clientFor(visitor, 'confirm', key, customerToken).POST('/api/v1/orders/confirm', { body });
    },
  ];
  const refund: LaterCall = [
    'refund',
    () =>
      clientFor(visitor, 'refund', key, ownerToken).POST('/api/v1/orders/{orderId}/refund', {
        params: { path: { orderId: id } },
        body: { store_id: store.id, reason: 'It was cold.', refund_attempt_id: key },
      }),
  ];
  return kind === 'refunded order' ? [confirm, refund] : [confirm];
}

const clientFor = ({ gatewayUrl, history }: Visitor, operation: string, key: string, token?: string) =>
  recordingClient(gatewayUrl, history, { operation, key: `${key}:${operation}`, token }, patienceMs);

async function attempt<T>(call: () => Promise<T>): Promise<{ readonly result: T } | { readonly code: string }> {
  try {
    return { result: await call() };
  } catch (error) {
    if (error instanceof CornerError) return { code: error.code };
    return { code: error instanceof Error ? error.message : String(error) };
  }
}
