import type { Proof } from '@corner/console-api';
import { addDays } from '@corner/page-kit/logic/zones';
import { count, money } from '../../../logic/format.ts';
import { pathTo, type Reply } from '../../../logic/platform.ts';
import { todayIn } from './day.ts';

export type ReportReply = Reply<'GET /api/v1/orders/reports'>;
export type Figures = ReportReply['total'];
export type TipsReply = Reply<'GET /api/v1/orders/reports/tips'>;

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const mostDays = 366;
const daysIn = ({ from, to }: DayRange): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

export const reportPath = (store_id: string, { from, to }: DayRange, format?: 'csv') =>
  pathTo('/api/v1/orders/reports', { store_id, from, to, format });

export const tipsPath = (store_id: string, { from, to }: DayRange, format?: 'csv') =>
  pathTo('/api/v1/orders/reports/tips', { store_id, from, to, format, limit: format ? 5_000 : undefined });

export const proofPath = (storeId: string, { from, to }: DayRange): string =>
  `/api/shop/${storeId}/proof?${new URLSearchParams({ from, to })}`;

export const paperPath = (store_id: string, date: string): string =>
  pathTo('/api/v1/orders/reports/book', { store_id, date, format: 'pdf' });

/** Says whether the hash on a day's paper is that of the day as it was proved now. */
export function paperText(hash: string, { hash: proved, state }: Pick<Proof['links'][number], 'hash' | 'state'>): string {
  if (!proved) return `The paper names the hash ${hash}, and the day has no proof now.`;
  if (hash !== proved) return `The paper differs: it names the hash ${hash}, and the day’s proof now has ${proved}.`;
  if (state === 'not_complete') return 'The paper has the hash of the day’s proof, but what the proof says does not hold: see below.';
  return 'The paper has the hash of the day’s proof, and its signature fits.';
}

export function neighbour(range: DayRange, direction: 1 | -1): DayRange {
  const days = daysIn(range) * direction;
  return { from: addDays(range.from, days), to: addDays(range.to, days) };
}

/** Days that are proved at once. */
export const mostProvedDays = 31;

export function rangeFault(range: DayRange, most = mostDays): string | null {
  const days = daysIn(range);
  if (!(days >= 1)) return 'The last day is before the first one.';
  return days > most ? `These are ${count(days)} days. Choose ${most} at most.` : null;
}

/**
 * Returns which entries of a range the comparison with the provider's balance covers: all, those before it, or none. `zone` is the store's;
 * days of today and later are not over, so the comparison never covers all of them.
 */
export function comparedOf({ from, to }: DayRange, agreedAt: string, zone: string | undefined): 'all' | 'earlier' | 'none' {
  const day = todayIn(new Date(agreedAt), zone);
  return day > to ? 'all' : day < from ? 'none' : 'earlier';
}

export interface Line {
  readonly label: string;
  readonly value: string;
}

export function detailsOf({ orders, items_pence, discounts, tips, refunds, fees, disputes, payouts }: Figures, currency: string): Line[] {
  const amount = (minor: number) => money(minor, currency);
  return [
    { label: 'Fulfilled, cancelled, open', value: [orders.fulfilled, orders.cancelled, orders.open].map((n) => count(n)).join(', ') },
    { label: 'Sold, before discounts', value: amount(items_pence) },
    { label: `Promo codes, on ${count(discounts.promo_orders)} orders`, value: amount(-discounts.promos_pence) },
    { label: `Vouchers, on ${count(discounts.voucher_orders)} orders`, value: amount(-discounts.vouchers_pence) },
    { label: `Tips, on ${count(tips.orders)} orders`, value: amount(tips.amount_pence) },
    { label: 'Tips that refunds took back', value: amount(-tips.refunded_pence) },
    { label: `Refunds to customers, ${count(refunds.count)}`, value: amount(-refunds.amount_pence) },
    { label: `Disputes, ${count(disputes.opened)} opened`, value: amount(disputes.returned_pence - disputes.withdrawn_pence) },
    { label: 'Provider’s fees, which the platform pays', value: providerFees(fees, currency) },
    { label: `Payouts to your bank, ${count(payouts.count)}`, value: amount(payouts.amount_pence) },
  ];
}

function providerFees({ provider_pence, unknown_payments }: Figures['fees'], currency: string): string {
  if (provider_pence === null) return 'not known yet';
  const known = money(-provider_pence, currency);
  return unknown_payments === 0 ? known : `${known}, and not known yet for ${count(unknown_payments)} payments`;
}

export const rateText = (rate_bps: number | null): string => (rate_bps === null ? 'no rate' : `${rate_bps / 100} %`);
