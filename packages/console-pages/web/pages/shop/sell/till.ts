import type { Step } from '@corner/page-kit/logic/machine';
import { asksPlace, counted, type Line, lineOf, type MenuItem, missing, repriced, toggled, totalOf, withLine } from './basket.ts';

export type TillTender =
  | { readonly kind: 'cash'; readonly pence: number; readonly given: number }
  | { readonly kind: 'external_card'; readonly pence: number; readonly reference: string };

/** `total` is what is left of it to pay. */
export interface OpenSale {
  readonly id: string;
  readonly number: string;
  readonly total: number;
}

/**
 * A sale of the basket, or the payment of an open one (`pays`), as it is sent. The same attempt has the same key. Null tenders leave it
 * open, at a `table`, which may be a name.
 */
export interface Attempt {
  readonly key: string;
  readonly pays: OpenSale | null;
  /** The tenders pay a part of what is left. */
  readonly isPart: boolean;
  readonly lines: readonly Line[];
  readonly total: number;
  readonly tenders: readonly TillTender[] | null;
  readonly eatIn: boolean | null;
  readonly table: string;
  readonly customer: string;
}

/** The number is null if the sale waits for a connection, or if it is unknown whether it was recorded. */
export interface Sold {
  readonly number: string | null;
  readonly orderId: string | null;
  readonly total: number;
  readonly change: number;
  readonly isOpen: boolean;
  readonly isPart: boolean;
  readonly isKnown: boolean;
}

/** Its tenders are dropped only by taking them back or clearing the till. `isAside`: it waits with them, while the basket is changed. */
interface Paying {
  readonly open: OpenSale | null;
  readonly tenders: readonly TillTender[];
  readonly isAside: boolean;
}

/** `choosing` is the item whose choices are asked for; `eatIn` is null until it is chosen; `sent` is null while nothing is being sent. */
export interface Till {
  readonly lines: readonly Line[];
  readonly choosing: { readonly item: MenuItem; readonly chosen: readonly string[] } | null;
  readonly eatIn: boolean | null;
  readonly customer: string;
  readonly paying: Paying | null;
  readonly sent: Attempt | null;
  readonly refused: unknown;
  readonly sold: Sold | null;
}

export const emptyTill: Till = {
  lines: [],
  choosing: null,
  eatIn: null,
  customer: '',
  paying: null,
  sent: null,
  refused: null,
  sold: null,
};

interface Now {
  readonly key: string;
  readonly isDown: boolean;
}

export type TillEvent =
  | { readonly type: 'menu'; readonly items: readonly MenuItem[] }
  | { readonly type: 'item'; readonly item: MenuItem }
  | { readonly type: 'choice'; readonly id: string }
  | { readonly type: 'put' }
  | { readonly type: 'back' }
  | { readonly type: 'count'; readonly n: number; readonly by: 1 | -1 }
  | { readonly type: 'place'; readonly eatIn: boolean }
  | { readonly type: 'customer'; readonly text: string }
  | { readonly type: 'clear' }
  | ({ readonly type: 'pay'; readonly open: OpenSale | null } & Now)
  | ({ readonly type: 'tender'; readonly tender: TillTender } & Now)
  | { readonly type: 'untender'; readonly n: number }
  | ({ readonly type: 'leave open'; readonly table: string } & Now)
  | ({ readonly type: 'take part' } & Now)
  | { readonly type: 'sold'; readonly number: string; readonly orderId: string; readonly isKnown: boolean }
  | { readonly type: 'refused'; readonly error: unknown }
  | { readonly type: 'lost' };

export type TillEffect =
  | { readonly do: 'send'; readonly attempt: Attempt }
  /** Stores a sale until the connection is back. `isTried`: it may have arrived. */
  | { readonly do: 'keep'; readonly attempt: Attempt; readonly isTried: boolean }
  | { readonly do: 'read menu' };

type Stepped = Step<Till, TillEffect>;

export const leftOf = ({ lines, paying }: Till): number =>
  (paying?.tenders ?? []).reduce((left, { pence }) => left - pence, paying?.open?.total ?? totalOf(lines));

export const lacksPlace = ({ lines, eatIn }: Till): boolean => asksPlace(lines) && eatIn === null;

export const shownPayment = ({ paying }: Till): Paying | null => (paying?.isAside ? null : paying);

export const hasTaken = ({ paying, sent }: Till): boolean => sent === null && (paying?.tenders.length ?? 0) > 0;

/** While something is sent, only prices change. */
export function stepTill(now: Till, event: TillEvent): Stepped {
  switch (event.type) {
    case 'sold':
    case 'refused':
    case 'lost':
      return ended(now, event);
    case 'menu':
      return [{ ...now, lines: repriced(now.lines, event.items) }, []];
    default:
      return now.sent ? [now, []] : typed(now, event);
  }
}

type Typed = Exclude<TillEvent, { readonly type: 'sold' | 'refused' | 'lost' | 'menu' }>;

function typed(now: Till, event: Typed): Stepped {
  switch (event.type) {
    case 'item':
      return [chooseItem({ ...now, sold: null, refused: null }, event.item), []];
    case 'choice':
      return [
        now.choosing ? { ...now, choosing: { ...now.choosing, chosen: toggled(now.choosing.item, now.choosing.chosen, event.id) } } : now,
        [],
      ];
    case 'put':
      return [putChosen(now), []];
    case 'back':
      return [{ ...now, choosing: null, paying: aside(now.paying) }, []];
    case 'count':
      return [{ ...now, lines: counted(now.lines, event.n, event.by), paying: aside(now.paying) }, []];
    case 'place':
      return [{ ...now, eatIn: event.eatIn }, []];
    case 'customer':
      return [{ ...now, customer: event.text, sold: null }, []];
    case 'clear':
      return [emptyTill, []];
    default:
      return paid(now, event);
  }
}

const aside = (paying: Paying | null): Paying | null => (paying && paying.tenders.length > 0 ? { ...paying, isAside: true } : null);

const chooseItem = (now: Till, item: MenuItem): Till =>
  item.options.length > 0
    ? { ...now, choosing: { item, chosen: [] }, paying: aside(now.paying) }
    : { ...now, lines: withLine(now.lines, lineOf(item, [])), choosing: null, paying: aside(now.paying) };

const putChosen = (now: Till): Till =>
  now.choosing && missing(now.choosing.item, now.choosing.chosen) === null
    ? { ...now, lines: withLine(now.lines, lineOf(now.choosing.item, now.choosing.chosen)), choosing: null }
    : now;

function paid(
  now: Till,
  event: Extract<TillEvent, { readonly type: 'pay' | 'tender' | 'untender' | 'leave open' | 'take part' }>,
): Stepped {
  switch (event.type) {
    case 'pay': {
      const { open, tenders } = hasTaken(now) && now.paying ? now.paying : { open: event.open, tenders: [] };
      if (open === null && ((now.lines.length === 0 && tenders.length === 0) || lacksPlace(now))) return [now, []];
      const paying: Till = { ...now, choosing: null, refused: null, sold: null, paying: { open, tenders, isAside: false } };
      // A sale that is free or paid in full is sent at once. A payment that was set aside is shown first: its tenders may be taken back.
      return leftOf(paying) === 0 && !now.paying?.isAside ? dispatch(paying, event) : [paying, []];
    }
    case 'tender': {
      if (!now.paying || now.paying.isAside || event.tender.pence <= 0 || event.tender.pence > leftOf(now)) return [now, []];
      const taken = { ...now, paying: { ...now.paying, tenders: [...now.paying.tenders, event.tender] } };
      return leftOf(taken) === 0 ? dispatch(taken, event) : [taken, []];
    }
    case 'untender':
      return [now.paying ? { ...now, paying: { ...now.paying, tenders: now.paying.tenders.filter((_, n) => n !== event.n) } } : now, []];
    case 'leave open':
      if (now.paying?.open || hasTaken(now) || now.lines.length === 0) return [now, []];
      return dispatch({ ...now, paying: { open: null, tenders: [], isAside: false } }, event, event.table);
    case 'take part':
      return now.paying?.open && hasTaken(now) && leftOf(now) > 0 ? dispatch(now, event) : [now, []];
    default:
      return event satisfies never;
  }
}

function dispatch(now: Till, { key, isDown }: Now, table: string | null = null): Stepped {
  const { lines, eatIn, customer, paying } = now;
  const isPart = table === null && leftOf(now) > 0;
  const whole = paying?.open?.total ?? totalOf(lines);
  const attempt: Attempt = {
    key,
    isPart,
    lines,
    eatIn,
    customer,
    pays: paying?.open ?? null,
    table: table ?? '',
    total: isPart ? whole - leftOf(now) : whole,
    tenders: table === null ? (paying?.tenders ?? []) : null,
  };
  if (isDown && isCash(attempt)) return [keptTill(now, attempt), [{ do: 'keep', attempt, isTried: false }]];
  return [{ ...now, sent: attempt }, [{ do: 'send', attempt }]];
}

/** Without a connection only cash can be taken: it is in the till already. */
export const isCash = ({ pays, tenders }: Attempt): boolean =>
  pays === null && tenders !== null && tenders.every(({ kind }) => kind === 'cash');

const changeOf = ({ tenders }: Attempt): number =>
  (tenders ?? []).reduce((sum, tender) => sum + (tender.kind === 'cash' ? tender.given - tender.pence : 0), 0);

const keptTill = (now: Till, attempt: Attempt): Till => ({
  ...restOf(now, attempt),
  sold: {
    number: null,
    orderId: null,
    total: attempt.total,
    change: changeOf(attempt),
    isOpen: attempt.tenders === null,
    isPart: attempt.isPart,
    isKnown: attempt.customer !== '',
  },
});

const restOf = (now: Till, { pays }: Attempt): Till => (pays ? { ...now, sent: null, paying: null, refused: null } : emptyTill);

function ended(now: Till, event: Extract<TillEvent, { readonly type: 'sold' | 'refused' | 'lost' }>): Stepped {
  const { sent } = now;
  if (!sent) return [now, []];
  switch (event.type) {
    case 'sold': {
      const { number, orderId, isKnown } = event;
      return [
        {
          ...restOf(now, sent),
          sold: { number, orderId, isKnown, total: sent.total, change: changeOf(sent), isOpen: sent.tenders === null, isPart: sent.isPart },
        },
        [],
      ];
    }
    case 'refused':
      return [{ ...now, sent: null, paying: aside(now.paying), refused: event.error }, [{ do: 'read menu' }]];
    case 'lost':
      return [keptTill(now, sent), [{ do: 'keep', attempt: sent, isTried: true }]];
    default:
      return event satisfies never;
  }
}
