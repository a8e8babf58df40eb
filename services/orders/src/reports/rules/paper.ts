import { type DayStatement, formatMoney } from '@corner/contracts';
import type { BookContents } from './book.ts';

export interface PaperTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A closed day to be printed. `link` is the address in its code; null prints none. */
export interface Paper {
  readonly title: string;
  readonly about: readonly string[];
  readonly tables: readonly PaperTable[];
  readonly proof: readonly string[];
  readonly link: string | null;
  readonly signed_at: string;
}

export interface PrintedDay {
  /** The store's name now. */
  readonly name: string;
  readonly statement: DayStatement;
  readonly contents: BookContents;
  /** The SHA-256 of the day's proof, as base64url. */
  readonly hash: string;
  /** The key that signed it; null for a day that is not signed. */
  readonly kid: string | null;
  /** Whether each row is still the one that was signed. */
  readonly isAsSigned: boolean;
  /** The console's address; null when it is not known. */
  readonly consoleUrl: string | null;
}

/** Returns the paper of a closed day: its sums as they are now, and what is compared with its proof. */
export function paperOf({ name, statement, contents, hash, kid, isAsSigned, consoleUrl }: PrintedDay): Paper {
  const { store_id, store, date, currency, number, before, closed_at } = statement;
  return {
    title: name,
    about: [`${date}, in ${currency}`, `Store ${store}, day ${number} of its chain of days`],
    tables: tablesOf(statement, contents),
    proof: [
      `Hash of the day: ${hash}`,
      `Hash of the day before: ${before ?? 'none, this is the first day'}`,
      ...(kid === null ? [`Closed at ${closed_at}, without a signature`] : [`Signed at ${closed_at}`, `Key: ${kid}`]),
      isAsSigned
        ? 'When this was printed, each row was as it was signed.'
        : 'When this was printed, the rows were NOT as they were signed.',
      `To check it: the code on this page, or corner books verify ${store} ${date}, which prints the hash of the day.`,
    ],
    link: consoleUrl && `${consoleUrl}/shop/${store_id}/proof?from=${date}&to=${date}&hash=${hash}`,
    signed_at: closed_at,
  };
}

function tablesOf({ currency, sums }: DayStatement, { moved, figures }: BookContents): PaperTable[] {
  const { orders, gross_pence, discounts, vat, takings, tips, refunds } = figures;
  const money = (minor: number) => formatMoney(minor, currency, 'en-GB');
  const drawers = Map.groupBy(
    moved.filter(({ what, drawer_id }) => what === 'ledger' && drawer_id !== null),
    ({ drawer_id }) => drawer_id ?? '',
  );
  const tables = [
    {
      head: ['Signed rows', 'Rows', 'Amount'],
      rows: Object.entries(sums).map(([kind, sum]) => [kind.replaceAll('_', ' '), `${sum.rows}`, money(sum.amount_pence)]),
    },
    {
      head: ['Orders and sales', 'Count', 'Amount'],
      rows: [
        ['orders paid', `${orders.paid}`, money(gross_pence)],
        ['orders fulfilled', `${orders.fulfilled}`, ''],
        ['orders cancelled', `${orders.cancelled}`, ''],
        ['discounts', '', money(discounts.amount_pence)],
        ['refunds', `${refunds.count}`, money(refunds.amount_pence)],
        ['tips', `${tips.orders}`, money(tips.amount_pence)],
        ['tips that refunds took back', '', money(tips.refunded_pence)],
      ],
    },
    {
      head: ['VAT', 'Net', 'VAT', 'Gross'],
      rows: vat.map((of) => [
        of.rate_bps === null ? 'no rate' : `${of.rate_bps / 100} %`,
        ...[of.net_pence, of.vat_pence, of.gross_pence].map(money),
      ]),
    },
    {
      head: ['Tenders', 'Payments', 'Taken', 'Refunded'],
      rows: takings.map(({ channel, tender, payments, amount_pence, refunded_pence }) => [
        `${channel}, ${tender}`.replaceAll('_', ' '),
        `${payments}`,
        money(amount_pence),
        money(refunded_pence),
      ]),
    },
    {
      head: ['Drawers', 'Movements', 'Cash'],
      rows: [...drawers].map(([id, cash]) => [id, `${cash.length}`, money(cash.reduce((sum, row) => sum + (row.amount_pence ?? 0), 0))]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}
