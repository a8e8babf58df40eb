import { formatMoney, isWholeSteps, Problem } from '@corner/contracts';

/** A requested tender. A single one may leave out its amount. */
export interface RequestedTender {
  readonly kind: 'cash' | 'external_card' | 'none';
  readonly amount_pence?: number | undefined;
  readonly given_pence?: number | undefined;
  readonly reference?: string | undefined;
}

/** A tender in the ledger. `given_pence` is the cash received, `reference` is from the card reader's slip; null for other tenders. */
export interface Tender {
  readonly tender: RequestedTender['kind'];
  readonly amount_pence: number;
  readonly given_pence: number | null;
  readonly reference: string | null;
}

export interface TakenTenders {
  readonly tenders: readonly Tender[];
  /** The request that took them: the ledger's references derive from it, so that a repeat enters nothing. */
  readonly attempt: string;
  readonly by: { readonly id: string; readonly name: string | null };
}

export const isInCash = (tenders: readonly Pick<Tender, 'tender'>[]): boolean => tenders.some(({ tender }) => tender === 'cash');

export const drawerOf = ({ tender }: Pick<Tender, 'tender'>, drawerId: string | null): string | null =>
  tender === 'cash' ? drawerId : null;

export const tenderRef = (attempt: string, n: number): string => `till:${attempt}:${n + 1}`;

/** The ledger reference of the nth part of a counter refund. The first part has the refund's own id. */
export const refundRef = (refundId: string, n: number): string => (n === 0 ? refundId : `${refundId}:${n + 1}`);

export const noTender: Tender = { tender: 'none', amount_pence: 0, given_pence: null, reference: null };

/**
 * Decides which tenders pay a total, or with `isPart` a part of it: cash that is given for more is change. Throws TENDERS_MISMATCH when
 * the amounts do not sum to it, one pays nothing, or too little cash was given, and VALIDATION_FAILED for an amount that the currency does
 * not have.
 */
export function tendersFor(totalPence: number, currency: string, requested: readonly RequestedTender[], isPart = false): readonly Tender[] {
  const money = (pence: number) => formatMoney(pence, currency, 'en-GB');
  const mismatch = (message: string) => new Problem('TENDERS_MISMATCH', { message: `tenders: ${message}.`, totalPence });
  const tenders = requested.map(({ kind, amount_pence, given_pence, reference }, n): Tender => {
    const whole = isPart ? Math.min(given_pence ?? totalPence, totalPence) : totalPence;
    const amount = amount_pence ?? (requested.length === 1 ? whole : undefined);
    if (amount === undefined) throw mismatch(`amount_pence of tender ${n + 1} is needed, because there are several`);
    if (!isWholeSteps(amount, currency))
      throw new Problem('VALIDATION_FAILED', { message: `tenders: ${currency} has no ${money(amount)}.` });
    if (kind === 'cash' && given_pence !== undefined && given_pence < amount)
      throw mismatch(`${money(given_pence)} in cash is less than the ${money(amount)} that it is to pay`);
    return {
      tender: kind,
      amount_pence: amount,
      given_pence: kind === 'cash' ? (given_pence ?? amount) : null,
      reference: reference ?? null,
    };
  });
  const sum = sumOf(tenders);
  if (isPart ? sum > totalPence : sum !== totalPence) throw mismatch(`they sum to ${money(sum)}, and ${money(totalPence)} is to be paid`);
  const isPaid = (tender: Tender) => (tender.tender === 'none') === (tender.amount_pence === 0);
  if (!tenders.every(isPaid) || (totalPence === 0 && tenders.length > 1))
    throw mismatch(totalPence === 0 ? 'an order that costs nothing has the one tender none' : 'each must pay a part of the total');
  return tenders;
}

export const sumOf = (tenders: readonly Pick<Tender, 'amount_pence'>[]): number =>
  tenders.reduce((pence, { amount_pence }) => pence + amount_pence, 0);

export interface TenderEntry extends Tender {
  readonly kind: string;
  readonly provider_ref: string;
  readonly at: string;
}

/**
 * Splits a refund over the tenders that paid its order: the rest of the first one is used first. Returns one part for each kind of tender;
 * one empty part for a refund of nothing.
 */
export function refundByTender(
  amountPence: number,
  entries: readonly TenderEntry[],
): readonly Pick<TenderEntry, 'tender' | 'amount_pence'>[] {
  const left = new Map<Tender['tender'], number>();
  for (const { tender, amount_pence } of entries) left.set(tender, (left.get(tender) ?? 0) + amount_pence);
  let rest = amountPence;
  const parts = [...left].map(([tender, pence]) => {
    const part = Math.min(rest, pence);
    rest -= part;
    return { tender, amount_pence: part };
  });
  if (rest > 0) throw new Error(`${rest} of a refund of ${amountPence} fit into no tender`);
  const moved = parts.filter(({ amount_pence }) => amount_pence > 0);
  return moved.length > 0 ? moved : parts.slice(0, 1);
}

/** Returns the tenders of an order as callers see them, in the order given. Refunds are subtracted from the first tenders of their kind. */
export function tenderViews(entries: readonly TenderEntry[]) {
  const refunded = new Map<Tender['tender'], number>();
  for (const { kind, tender, amount_pence } of entries)
    if (kind !== 'charge') refunded.set(tender, (refunded.get(tender) ?? 0) - amount_pence);
  return entries
    .filter(({ kind }) => kind === 'charge')
    .map(({ tender, amount_pence, given_pence, reference, at }) => {
      const back = Math.min(amount_pence, refunded.get(tender) ?? 0);
      refunded.set(tender, (refunded.get(tender) ?? 0) - back);
      const change_pence = given_pence === null ? null : given_pence - amount_pence;
      return { kind: tender, amount_pence, given_pence, change_pence, reference, refunded_pence: back, at };
    });
}

export const tendersInWords = (tenders: readonly Tender[], currency: string): string => {
  const money = (pence: number) => formatMoney(pence, currency, 'en-GB');
  const inWords = ({ tender, amount_pence, given_pence, reference }: Tender): string => {
    switch (tender) {
      case 'cash': {
        const change = (given_pence ?? amount_pence) - amount_pence;
        return `${money(amount_pence)} in cash${change > 0 ? ` (${money(given_pence ?? 0)} given, ${money(change)} change)` : ''}`;
      }
      case 'external_card':
        return `${money(amount_pence)} by card reader (${reference})`;
      case 'none':
        return 'It cost nothing';
      default:
        return tender satisfies never;
    }
  };
  return `${tenders.map(inWords).join(', ')}.`;
};
