import type { Step } from '@corner/page-kit/logic/machine';

/** A sale, or the payment of an open one, that waits for the line. */
export interface KeptSale {
  readonly id: string;
  /** Who sold it: what is sent again must be sent by the same person, whose key it has. */
  readonly by: string;
  /** When it was sold, ISO 8601. */
  readonly at: string;
  /** What was sold, in words. */
  readonly text: string;
  readonly total: number;
  readonly currency: string;
  /** The id of the open sale that it pays; absent for a sale of a basket. */
  readonly pays?: string | undefined;
  /** As it is sent without `offline`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The price of one of each line, as it was shown. */
  readonly prices: readonly number[];
  /** Of the next attempt. */
  readonly key: string;
  /** Whether it is sent as a sale without a connection. One that may have arrived before is asked for as it was, first. */
  readonly isOffline: boolean;
  /** Whether it is never sent as a sale without a connection: it was paid by card, left open, or pays an open one. Absent: it may be. */
  readonly isOnlyAsItWas?: boolean | undefined;
  /** Why it was refused, as a sentence; null while it waits. */
  readonly refused: string | null;
  /** What the last response said that does not say whether it was recorded, as a sentence; null or absent after none. */
  readonly trouble?: string | null;
}

/** What the till has sold and the platform does not know yet. */
export interface Waiting {
  /** The oldest first; the sales of other people of this tablet too. */
  readonly sales: readonly KeptSale[];
  /** Sentences about sales that were recorded otherwise than they were made, until a person has read them. */
  readonly notices: readonly string[];
  /** The id of the sale that is being sent. */
  readonly sending: string | null;
  /** The ids of those that got a response since the last time to try that does not say whether they were recorded. */
  readonly tried: readonly string[];
  /** Whether the last attempt got no response. */
  readonly isDown: boolean;
  /** Whether the browser has not taken all of them: then they last as long as the page. */
  readonly isUnstored: boolean;
}

export const nothingWaits: Waiting = { sales: [], notices: [], sending: null, tried: [], isDown: false, isUnstored: false };

export type WaitingEvent =
  /** What this browser has kept from before. */
  | { readonly type: 'read'; readonly sales: readonly KeptSale[] }
  | { readonly type: 'keep'; readonly sale: KeptSale }
  /** It is time to try, or the line may be back. */
  | { readonly type: 'try'; readonly by: string }
  | { readonly type: 'sent'; readonly id: string; readonly notices: readonly string[]; readonly by: string }
  /** `key` is for another attempt. */
  | {
      readonly type: 'refused';
      readonly id: string;
      readonly code: string;
      readonly text: string;
      readonly key: string;
      readonly by: string;
    }
  /** `trouble`: what a response said; null without a response. `isOfPerson`: it would say so of any other sale too. */
  | {
      readonly type: 'lost';
      readonly id: string;
      readonly trouble: string | null;
      readonly isOfPerson: boolean;
      readonly by: string;
    }
  /** Another request has got a response, or none. */
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

/** Returns what waits after an event, and what is to be done. Sales are sent one after another, the oldest first. */
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

/** The sales that a person has to deal with. */
export const refusedSales = ({ sales }: Waiting): readonly KeptSale[] => sales.filter((sale) => sale.refused !== null);

/** The sales that wait for the line. */
export const waitingSales = ({ sales }: Waiting): readonly KeptSale[] => sales.filter((sale) => sale.refused === null);

/** A response that says what is wrong holds up no other sale; without one, all wait. */
function lost(now: Waiting, { id, trouble, isOfPerson, by }: Extract<WaitingEvent, { readonly type: 'lost' }>): Stepped {
  if (trouble === null) return [{ ...now, sending: null, isDown: true }, []];
  const ended = { ...now, isDown: false, tried: [...now.tried, id] };
  if (!isOfPerson) return changed(ended, id, (sale) => ({ ...sale, trouble }), by);
  const sales = now.sales.map((sale) => (sale.id === id ? { ...sale, trouble } : sale));
  return [{ ...ended, sending: null, sales }, []];
}

/**
 * Nothing was done. One in cash that was asked for as it was is sent as a sale without a connection; one whose customer is not known is sent without; any
 * other waits for a person.
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

/** Changes a sale and goes on with the next one. `noticeOf` is said when the change drops the customer. */
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
