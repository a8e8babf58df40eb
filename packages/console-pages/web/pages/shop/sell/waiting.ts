import type { Step } from '@corner/page-kit/logic/machine';

/**
 * A sale, or the payment of an open one (`pays`). `at` is ISO 8601; `text` names the items; `prices` has the shown price of one of each
 * line; `key` is for the next attempt. `refused` is a sentence; null while the sale waits.
 */
export interface KeptSale {
  readonly id: string;
  /** The sale must be sent by the person who sold it, whose key it has. */
  readonly by: string;
  readonly at: string;
  readonly text: string;
  readonly total: number;
  readonly currency: string;
  readonly pays?: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly prices: readonly number[];
  readonly key: string;
  /** A sale that may have arrived is first sent unchanged. */
  readonly isOffline: boolean;
  /** It was paid by card, left open, or pays an open one, so it is never sent as a sale without a connection. Absent: it may be. */
  readonly isOnlyAsItWas?: boolean | undefined;
  readonly refused: string | null;
  /** The last response that left open whether it was recorded, as a sentence; null or absent for none. */
  readonly trouble?: string | null;
}

/**
 * The sales of the till that the platform has not confirmed, the oldest first, with those of other people of this tablet. `notices` are
 * sentences about sales that were recorded differently, until a person has read them. `sending` is the id of the sale that is being sent;
 * `tried` are the ids of those whose response since the last try left open whether they were recorded. `isDown`: the last attempt got no
 * response. `isUnstored`: the browser has not stored all of them, so they last as long as the page.
 */
export interface Waiting {
  readonly sales: readonly KeptSale[];
  readonly notices: readonly string[];
  readonly sending: string | null;
  readonly tried: readonly string[];
  readonly isDown: boolean;
  readonly isUnstored: boolean;
}

export const nothingWaits: Waiting = { sales: [], notices: [], sending: null, tried: [], isDown: false, isUnstored: false };

/**
 * `read` has the sales that this browser stored before. `try` comes with time, or when the connection may be back. `refused` has a `key`
 * for another attempt. `lost` has the `trouble` of a response, null without one; `isOfPerson` says that any other sale would get it too.
 * `line` comes with the outcome of another request.
 */
export type WaitingEvent =
  | { readonly type: 'read'; readonly sales: readonly KeptSale[] }
  | { readonly type: 'keep'; readonly sale: KeptSale }
  | { readonly type: 'try'; readonly by: string }
  | { readonly type: 'sent'; readonly id: string; readonly notices: readonly string[]; readonly by: string }
  | {
      readonly type: 'refused';
      readonly id: string;
      readonly code: string;
      readonly text: string;
      readonly key: string;
      readonly by: string;
    }
  | {
      readonly type: 'lost';
      readonly id: string;
      readonly trouble: string | null;
      readonly isOfPerson: boolean;
      readonly by: string;
    }
  | { readonly type: 'line'; readonly isDown: boolean; readonly by: string }
  | { readonly type: 'again'; readonly id: string; readonly key: string; readonly by: string }
  | { readonly type: 'drop'; readonly id: string }
  | { readonly type: 'stored'; readonly isUnstored: boolean }
  | { readonly type: 'have read' };

export type WaitingEffect =
  | { readonly do: 'send'; readonly sale: KeptSale }
  | { readonly do: 'store'; readonly sale: KeptSale }
  | { readonly do: 'forget'; readonly id: string };

type Stepped = Step<Waiting, WaitingEffect>;

export function stepWaiting(now: Waiting, event: WaitingEvent): Stepped {
  switch (event.type) {
    case 'read':
      return [{ ...now, sales: [...event.sales, ...now.sales.filter(({ id }) => !event.sales.some((other) => other.id === id))] }, []];
    case 'keep':
      return [{ ...now, sales: [...now.sales, event.sale] }, [{ do: 'store', sale: event.sale }]];
    case 'try':
      return sendNext({ ...now, tried: [] }, event.by);
    case 'line':
      return event.isDown ? [{ ...now, isDown: true }, []] : sendNext({ ...now, isDown: false }, event.by);
    case 'sent': {
      const rest = without(now, event.id);
      return after(
        [{ do: 'forget', id: event.id }],
        sendNext({ ...rest, isDown: false, notices: [...now.notices, ...event.notices] }, event.by),
      );
    }
    case 'refused':
      return refused(now, event);
    case 'lost':
      return lost(now, event);
    case 'again':
      return changed(now, event.id, (sale) => ({ ...sale, refused: null, trouble: null, key: event.key }), event.by);
    case 'drop':
      return [without(now, event.id), [{ do: 'forget', id: event.id }]];
    case 'stored':
      return [now.isUnstored === event.isUnstored ? now : { ...now, isUnstored: event.isUnstored }, []];
    case 'have read':
      return [{ ...now, notices: [] }, []];
    default:
      return event satisfies never;
  }
}

export const refusedSales = ({ sales }: Waiting): readonly KeptSale[] => sales.filter((sale) => sale.refused !== null);

export const waitingSales = ({ sales }: Waiting): readonly KeptSale[] => sales.filter((sale) => sale.refused === null);

/** After a response that says what is wrong, other sales go on; without a response, all wait. */
function lost(now: Waiting, { id, trouble, isOfPerson, by }: Extract<WaitingEvent, { readonly type: 'lost' }>): Stepped {
  if (trouble === null) return [{ ...now, sending: null, isDown: true }, []];
  const ended = { ...now, isDown: false, tried: [...now.tried, id] };
  if (!isOfPerson) return changed(ended, id, (sale) => ({ ...sale, trouble }), by);
  const sales = now.sales.map((sale) => (sale.id === id ? { ...sale, trouble } : sale));
  return [{ ...ended, sending: null, sales }, []];
}

/**
 * Nothing was recorded. A cash sale that was sent unchanged is sent as a sale without a connection; one whose customer is unknown is sent
 * without the customer; any other waits for a person.
 */
function refused(now: Waiting, { id, code, text, key, by }: Extract<WaitingEvent, { readonly type: 'refused' }>): Stepped {
  const ended = { ...now, isDown: false };
  const unknown = code === 'CUSTOMER_NOT_FOUND';
  return changed(
    ended,
    id,
    (sale) => {
      if (!sale.isOffline && !sale.isOnlyAsItWas) return { ...sale, isOffline: true, trouble: null, key };
      const { customer, ...body } = sale.body;
      return unknown && customer !== undefined ? { ...sale, body, trouble: null, key } : { ...sale, trouble: null, refused: text };
    },
    by,
    unknown ? (sale) => `${sale.text}: the customer was not found, so it is on no card.` : undefined,
  );
}

function changed(
  now: Waiting,
  id: string,
  change: (sale: KeptSale) => KeptSale,
  by: string,
  noticeOf?: (sale: KeptSale) => string,
): Stepped {
  const before = now.sales.find((sale) => sale.id === id);
  if (!before) return [{ ...now, sending: null }, []];
  const sale = change(before);
  const dropped = noticeOf && before.body !== sale.body ? [noticeOf(before)] : [];
  const sales = now.sales.map((other) => (other.id === id ? sale : other));
  return after([{ do: 'store', sale }], sendNext({ ...now, sending: null, sales, notices: [...now.notices, ...dropped] }, by));
}

const without = (now: Waiting, id: string): Waiting => ({
  ...now,
  sending: now.sending === id ? null : now.sending,
  sales: now.sales.filter((sale) => sale.id !== id),
});

function sendNext(now: Waiting, by: string): Stepped {
  const next = now.sending === null && waitingSales(now).find((sale) => sale.by === by && !now.tried.includes(sale.id));
  return next ? [{ ...now, sending: next.id }, [{ do: 'send', sale: next }]] : [now, []];
}

const after = (effects: readonly WaitingEffect[], [state, more]: Stepped): Stepped => [state, [...effects, ...more]];
