import { instant, money } from '../../../logic/format.ts';
import type { Sale } from './sale-operations.ts';
import type { KeptSale } from './waiting.ts';

export function arrivedOtherwise({ order_number, currency, offline }: Sale, sale: KeptSale, zone: string | undefined): readonly string[] {
  const differences = offline?.differences ?? [];
  if (differences.length === 0) return [];
  const inWords = differences.map(({ why, name, quantity, menu_pence }) => {
    if (why === 'sold_out') return `${quantity} ${name} more than ${quantity === 1 ? 'was' : 'were'} left`;
    return why === 'off_menu' ? `${name} is no longer on the menu` : `${name} costs ${money(menu_pence ?? 0, currency)} by now`;
  });
  return [`Sale ${order_number} of ${timeOf(sale, zone)}: ${inWords.join(', ')}. It is recorded as you sold it.`];
}

export const leftToPay = ({ total_pence, tenders = [] }: Sale): number =>
  tenders.reduce((left, { amount_pence, refunded_pence }) => left - amount_pence + refunded_pence, total_pence);

export const timeOf = ({ at }: Pick<KeptSale, 'at'>, zone: string | undefined): string => instant(at, 'minute', undefined, zone);

export function paidText({ body }: Pick<KeptSale, 'body'>): 'in cash' | 'by card' | 'left open' | 'free' {
  const tenders = tendersIn(body);
  if (tenders === null) return 'left open';
  if (tenders.some(({ kind }) => kind === 'external_card')) return 'by card';
  return tenders.some(({ kind }) => kind === 'cash') ? 'in cash' : 'free';
}

export const cashIn = (sales: readonly Pick<KeptSale, 'body'>[]): number =>
  sales
    .flatMap(({ body }) => tendersIn(body) ?? [])
    .reduce((sum, { kind, amount_pence = 0 }) => sum + (kind === 'cash' ? amount_pence : 0), 0);

interface SentTender {
  readonly kind?: string;
  readonly amount_pence?: number;
}

const tendersIn = ({ tenders }: KeptSale['body']): readonly SentTender[] | null => (Array.isArray(tenders) ? tenders : null);

export function tendersText({ tenders = [], currency, status }: Sale): string {
  if (tenders.length === 0) return status === 'pending_payment' ? 'Open' : '';
  const names = { cash: 'Cash', external_card: 'Card', none: 'Free', provider: 'Online' } as const;
  return tenders
    .map(({ kind, amount_pence, reference }) =>
      kind === 'none' ? names.none : `${names[kind]} ${money(amount_pence, currency)}${reference === null ? '' : ` (${reference})`}`,
    )
    .join(', ');
}
