import { type Body, filled, pathTo, type Reply } from '../../../logic/platform.ts';
import { request } from '../../../shell/request.ts';
import { itemsOf } from './basket.ts';
import type { Attempt } from './till.ts';
import type { KeptSale } from './waiting.ts';

export type SaleReply = Reply<'POST /api/v1/orders/at-counter'>;
export type Sale = SaleReply['order'];
export type Drawer = Reply<'GET /api/v1/orders/drawers'>['drawers'][number];

export const menuPath = (store_id: string) => pathTo('/api/v1/orders/stores/{store_id}/menu', { store_id });
export const salesPath = (store_id: string, state: 'paid' | 'open') =>
  pathTo('/api/v1/orders/at-counter', { store_id, state, limit: state === 'open' ? 50 : 10 });
export const drawerPath = (store_id: string) => pathTo('/api/v1/orders/drawers', { store_id, limit: 1 });

const mostMs = 8_000;

interface Posted {
  readonly pays: string | undefined;
  readonly key: string;
  readonly body: unknown;
  readonly by: string;
  readonly sold_seconds_ago?: number | undefined;
}

const post = ({ pays, key, body, by, sold_seconds_ago }: Posted): Promise<SaleReply> =>
  request<SaleReply>(
    pays === undefined
      ? `/api/v1/orders/at-counter${sold_seconds_ago === undefined ? '' : `?sold_seconds_ago=${sold_seconds_ago}`}`
      : filled('/api/v1/orders/{orderId}/tenders', { orderId: pays }),
    { method: 'POST', key, body, person: by, signal: AbortSignal.timeout(mostMs) },
  );

export const sendAttempt = (store_id: string, attempt: Attempt, by: string): Promise<SaleReply> =>
  post({ pays: attempt.pays?.id, key: attempt.key, body: bodyOf(store_id, attempt), by });

export function sendKept({ pays, key, body, at, prices, isOffline, by }: KeptSale): Promise<SaleReply> {
  const sold_seconds_ago = isOffline || !body.tenders ? undefined : Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1_000));
  const sent = isOffline ? { ...body, offline: { sold_at: at, unit_prices_pence: prices } } : body;
  return post({ pays, key, by, body: sent, sold_seconds_ago });
}

export const bodyOf = (store_id: string, attempt: Attempt): Readonly<Record<string, unknown>> =>
  attempt.pays ? { store_id, tenders: tendersOf(attempt), ...(attempt.isPart ? { part: true } : {}) } : saleBody(store_id, attempt);

function saleBody(store_id: string, attempt: Attempt): Body<'POST /api/v1/orders/at-counter'> {
  const { lines, total, eatIn, table, customer } = attempt;
  return {
    store_id,
    items: itemsOf(lines),
    order_type: 'buy_now',
    expected_total_pence: total,
    ...(table ? { fulfilment: { mode: 'table', table_number: table } } : eatIn === null ? {} : { eat_in: eatIn }),
    ...(customer ? { customer } : {}),
    ...(attempt.tenders ? { tenders: tendersOf(attempt) } : {}),
  };
}

const tendersOf = ({ tenders, total }: Attempt) =>
  total === 0
    ? [{ kind: 'none' as const }]
    : (tenders ?? []).map((tender) =>
        tender.kind === 'cash'
          ? { kind: tender.kind, amount_pence: tender.pence, given_pence: tender.given }
          : { kind: tender.kind, amount_pence: tender.pence, reference: tender.reference },
      );
