import type {
  Account,
  AccountLink,
  ApplicationFee,
  BalanceTransaction,
  Charge,
  Customer,
  Dispute,
  EphemeralKey,
  Event,
  FeeRefund,
  Intent,
  PaymentMethodDomain,
  Payout,
  Refund,
  ThinEvent,
  Transfer,
  TransferReversal,
} from './stripe-shapes.ts';

export interface Delivery {
  readonly id: string;
  readonly object: 'delivery';
  readonly attempts: number;
  readonly delivered: number;
  readonly state: 'waiting' | 'held' | 'dropped' | 'delivered' | 'given_up';
}

export interface Post {
  readonly id: string;
  readonly object: 'post';
  readonly path: string;
  readonly fingerprint: string;
  readonly received: number;
  readonly executed: number;
  readonly stored: { readonly status: number; readonly body: string; readonly requestId: string; readonly at: number } | null;
}

export interface Kinds {
  account: Account;
  account_link: AccountLink;
  application_fee: ApplicationFee;
  balance_transaction: BalanceTransaction;
  charge: Charge;
  customer: Customer;
  delivery: Delivery;
  dispute: Dispute;
  ephemeral_key: EphemeralKey;
  event: Event;
  fee_refund: FeeRefund;
  payment_intent: Intent;
  payment_method_domain: PaymentMethodDomain;
  payout: Payout;
  post: Post;
  refund: Refund;
  transfer: Transfer;
  transfer_reversal: TransferReversal;
  'v2.core.event': ThinEvent;
}

export type Kind = keyof Kinds;
export type Thing = Kinds[Kind];

export interface Books {
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  all<K extends Kind>(kind: K): Kinds[K][];
  find(id: string): Thing | undefined;
  /** Never changes a thing in place, so an event may refer to the version it describes. */
  put<T extends Thing>(thing: T): T;
  /**
   * Makes the changes since the last call durable, all of them or none. Changes that cannot be written, as on a full disk, are written with
   * the next ones.
   */
  commit(): void;
}

export function openBooks(kept: Iterable<Thing>, write: (changes: readonly Thing[]) => void): Books {
  const shelves = new Map<Kind, Map<string, Thing>>();
  let changes: Thing[] = [];

  const shelf = (kind: Kind): Map<string, Thing> => {
    const known = shelves.get(kind);
    if (known) return known;
    const made = new Map<string, Thing>();
    shelves.set(kind, made);
    return made;
  };
  for (const thing of kept) shelf(thing.object).set(thing.id, thing);

  return {
    get: <K extends Kind>(kind: K, id: string) => shelf(kind).get(id) as Kinds[K] | undefined,
    all: <K extends Kind>(kind: K) => [...shelf(kind).values()] as Kinds[K][],
    find(id) {
      for (const [kind, things] of shelves) {
        if (kind === 'post' || kind === 'delivery') continue;
        const found = things.get(id);
        if (found) return found;
      }
      return undefined;
    },
    put(thing) {
      shelf(thing.object).set(thing.id, thing);
      changes.push(thing);
      return thing;
    },
    commit() {
      if (changes.length === 0) return;
      write(changes);
      changes = [];
    },
  };
}

/** The complete books, for a comparison with a ledger. They contain no client secret and no key's secret. */
export interface Statement {
  readonly intents: readonly Omit<Intent, 'client_secret'>[];
  readonly charges: readonly Charge[];
  readonly refunds: readonly Refund[];
  readonly transfers: readonly Transfer[];
  readonly transferReversals: readonly TransferReversal[];
  readonly applicationFees: readonly ApplicationFee[];
  readonly feeRefunds: readonly FeeRefund[];
  readonly disputes: readonly Dispute[];
  readonly payouts: readonly Payout[];
  readonly balanceTransactions: readonly BalanceTransaction[];
  readonly customers: readonly Customer[];
  readonly ephemeralKeys: readonly EphemeralKey[];
  readonly accounts: readonly Account[];
  readonly domains: readonly PaymentMethodDomain[];
  readonly events: readonly { readonly id: string; readonly type: string; readonly created: number; readonly about: string }[];
  readonly thinEvents: readonly ThinEvent[];
  readonly deliveries: readonly Delivery[];
  readonly posts: readonly { readonly key: string; readonly path: string; readonly received: number; readonly executed: number }[];
}

export const eventOf = (books: Books, id: string): Event | ThinEvent | undefined =>
  books.get('event', id) ?? books.get('v2.core.event', id);

export function reckon(books: Books): Statement {
  return {
    intents: books.all('payment_intent').map(({ client_secret: _secret, ...intent }) => intent),
    charges: books.all('charge'),
    refunds: books.all('refund'),
    transfers: books.all('transfer'),
    transferReversals: books.all('transfer_reversal'),
    applicationFees: books.all('application_fee'),
    feeRefunds: books.all('fee_refund'),
    disputes: books.all('dispute'),
    payouts: books.all('payout'),
    balanceTransactions: books.all('balance_transaction'),
    customers: books.all('customer'),
    ephemeralKeys: books.all('ephemeral_key'),
    accounts: books.all('account'),
    domains: books.all('payment_method_domain'),
    events: books.all('event').map(({ id, type, created, data }) => ({ id, type, created, about: (data.object as { id: string }).id })),
    thinEvents: books.all('v2.core.event'),
    deliveries: books.all('delivery'),
    posts: books.all('post').map(({ id, path, received, executed }) => ({ key: id, path, received, executed })),
  };
}
