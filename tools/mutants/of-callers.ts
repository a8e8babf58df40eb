const auth = 'packages/chassis/src/auth';
const gateway = 'services/gateway/src';
const orders = 'services/orders/src';
const loyalty = 'services/loyalty/src';
const queue = 'services/queue/src';
const notifications = 'services/notifications/src';

/** Faults by which a caller gets more than theirs: in the checks of tokens and stores, in the gateway, and in each service. */
export const mutantsOfCallers: readonly Mutant[] = [
  {
    name: 'a merchant acts at a store that their token does not list',
    file: `${auth}/caller.ts`,
    find: "if (!role) throw new Problem('STORE_FORBIDDEN');",
    plant: '',
    tests: ['loyalty/src/every-operation.test'],
  },
  {
    name: 'a customer’s token is taken by an operation of merchants',
    file: `${auth}/caller.ts`,
    find: "caller.type !== 'anonymous' && rule.types.includes(caller.type)",
    plant: "caller.type !== 'anonymous'",
    tests: ['loyalty/src/every-operation.test'],
  },
  {
    name: 'the scope that an operation needs is not looked for',
    file: `${auth}/caller.ts`,
    find: 'if (!scopes.has(scope)) throw',
    plant: 'if (scopes.size > 99) throw',
    tests: ['loyalty/src/card/customer-state.test'],
  },
  {
    name: 'a partner acts without the scope of the operation',
    file: `${auth}/caller.ts`,
    find: "caller.type === 'partner' ? rule.partner : rule.scope",
    plant: "caller.type === 'partner' ? undefined : rule.scope",
    tests: ['chassis/src/auth/caller.test'],
  },
  {
    name: 'a dismissed owner makes a partner with the token of before',
    file: 'services/directory/src/partners/transactions.ts',
    find: " || (await roleNow(tx, storeId, by.id, 'owner')) !== 'owner'",
    plant: '',
    tests: ['operations/partners.test'],
  },
  {
    name: 'a token that was verified once is taken after it has expired',
    file: `${auth}/caller.ts`,
    find: 'known && known.expiresAt > options.now().getTime() ? known.caller : null',
    plant: 'known ? known.caller : null',
    tests: ['chassis/src/auth/caller.test'],
  },
  {
    name: 'a path through the pictures of the shop reaches operations that are not a customer’s',
    file: 'services/console/src/storefront/storefront.ts',
    find: '&& picture.test(path);',
    plant: "&& path.startsWith('/api/v1/directory/pictures/');",
    tests: ['storefront/storefront.test'],
  },
  {
    name: 'a small file that unfolds to a huge picture is kept',
    file: 'services/directory/src/pictures/webhooks.ts',
    find: 'if (pixels > mostPixels)',
    plant: 'if (pixelsOf(body) < 0)',
    tests: ['directory/src/pictures/webhooks.test'],
  },
  {
    name: 'a token for another audience is taken',
    file: `${auth}/verify-token.ts`,
    find: '      audience,\n      algorithms:',
    plant: '      algorithms:',
    tests: ['chassis/src/auth/caller.test', 'chassis/src/auth/verify-token.test'],
  },
  {
    name: 'a logout token that the same key signed is taken for an access token',
    file: `${auth}/verify-token.ts`,
    find: 'if (!accessTypes.has(',
    plant: 'if (accessTypes.size === 0 && !accessTypes.has(',
    tests: ['chassis/src/auth/caller.test', 'chassis/src/auth/verify-token.test'],
  },
  {
    name: 'anybody may name another address in X-Forwarded-For',
    file: `${gateway}/http/client-address.ts`,
    find: 'if (!isTrusted(peer)) return { address: peer, viaTrustedProxy: false };',
    plant: '',
    tests: ['gateway/src/proxy/forwarded-headers.test', 'gateway/src/http/client-address.test'],
  },
  {
    name: 'each address of an IPv6 subscriber has a limit of its own',
    file: 'packages/chassis/src/http/subscriber.ts',
    find: 'if (isIP(address) !== 6) return address;',
    plant: 'if (address) return address;',
    tests: ['chassis/src/http/subscriber.test', 'gateway/src/limits/rate-limits.test'],
  },
  {
    name: 'requests at the same time at two gateways each get the whole limit',
    file: `${gateway}/limits/rate-limits.ts`,
    find: 'if (result && !result.admitted) {',
    plant: 'if (result && !result.admitted && result.levels.length === 0) {',
    tests: ['gateway/src/limits/shared-buckets.test'],
  },
  {
    name: 'the gateway passes on the conflict with an attempt of its own that was lost',
    file: `${gateway}/proxy/attempt.ts`,
    find: 'if (afterLoss && status === conflict)',
    plant: 'if (afterLoss && status === 0)',
    tests: ['gateway/src/proxy/attempt.test', 'gateway/src/proxy/replicas.test'],
  },
  {
    name: 'the gateway sends a POST again after a connection broke',
    file: `${gateway}/proxy/repeat.ts`,
    find: "return operation?.replay === 'header' && headers['idempotency-key'] !== undefined;",
    plant: 'return true;',
    tests: ['gateway/src/proxy/replicas.test'],
  },
  {
    name: 'a replica that drains gets requests',
    file: `${gateway}/proxy/replicas.ts`,
    find: 'return unready.has(this.#fault) ? 1 : 2;',
    plant: 'return 0;',
    tests: ['gateway/src/proxy/replicas.test'],
  },
  {
    name: 'a response that broke off looks complete',
    file: `${gateway}/proxy/forward.ts`,
    find: 'response.destroy();',
    plant: 'response.end();',
    tests: ['gateway/src/proxy/exchange.test', 'gateway/src/proxy/forward.test'],
  },
  {
    name: 'the gateway sends a request again after the first byte of a response',
    file: `${gateway}/proxy/exchange.ts`,
    find: "if (event.type === 'failed') return cutOff(exchange, event);",
    plant:
      "if (event.type === 'failed') return repeatOrRefuse({ ...exchange, state: 'sending', tried: [exchange.replica], lost: false }, event, facts);",
    tests: ['gateway/src/proxy/exchange.test'],
  },
  {
    name: 'a replica counts a request for ever that has ended',
    file: `${gateway}/proxy/forward.ts`,
    find: 'if (from) from.underway -= 1;',
    plant: "if (from && next.state !== 'ended') from.underway -= 1;",
    tests: ['gateway/src/proxy/exchange.test'],
  },
  {
    name: 'a header of the caller’s own connection is passed on',
    file: 'packages/chassis/src/http/end-to-end-headers.ts',
    find: "  'proxy-authorization',\n",
    plant: '',
    tests: ['gateway/src/proxy/forwarded-headers.test'],
  },
  {
    name: 'a body without Content-Length may have any size',
    file: 'packages/chassis/src/http/request-body.ts',
    find: 'if (length > maxBytes) throw tooLarge(maxBytes);',
    plant: '',
    tests: ['gateway/src/http/request-body.test'],
  },
  {
    name: 'a customer moves another customer’s order to an earlier slot',
    file: `${orders}/fulfilment/transactions/change-time.ts`,
    find: '!order || order.customer_id !== customerId',
    plant: '!order',
    tests: ['orders/src/fulfilment/collect-earlier.test'],
  },
  {
    name: 'a stamp code that a customer used shows its stamp to another one',
    file: `${loyalty}/codes-and-taps/transactions/redeem-stamp-code.ts`,
    find: '!stamp || stamp.customer_id !== redeemer',
    plant: '!stamp',
    tests: ['loyalty/src/codes-and-taps/redeem-stamp-code.test'],
  },
  {
    name: 'the key of a grant to one customer returns that grant for another one',
    file: `${loyalty}/staff/transactions.ts`,
    find: 'if (granted && granted.customer_id !== customerId)',
    plant: 'if (granted && !granted.customer_id)',
    tests: ['loyalty/src/staff/grant-stamp.test'],
  },
  {
    name: 'staff look up customers of other stores',
    file: `${loyalty}/customers/tables.ts`,
    find: `join card c on c.store_id = \${storeId} and c.customer_id = m.id`,
    plant: `join card c on \${storeId}::uuid is not null and c.customer_id = m.id`,
    tests: ['loyalty/src/customers/find-customers.test'],
  },
  {
    name: 'a member of staff sees the phone number of a customer whom they look up',
    file: `${loyalty}/customers/entry-points.ts`,
    find: 'phone: known && seesContact ? customer.phone : null,',
    plant: 'phone: known ? customer.phone : null,',
    tests: ['loyalty/src/customers/find-customers.test'],
  },
  {
    name: 'the record of a look-up holds the phone number that was asked for',
    file: `${loyalty}/customers/rules.ts`,
    find: 'lookUp.digits.slice(-2)',
    plant: 'lookUp.digits',
    tests: ['loyalty/src/customers/find-customers.test'],
  },
  {
    name: 'any customer who has its id may leave for another customer',
    file: `${queue}/rules/entry-view.ts`,
    find: "(caller.type === 'customer' ? customer_id === caller.id : customer_id === null)",
    plant: "caller.type === 'customer' || customer_id === null",
    tests: ['queue/src/operations/leave-queue.test', 'queue/src/rules/entries.test'],
  },
  {
    name: 'staff move the entry of another store’s queue',
    file: `${queue}/transactions/move-entry-as-staff.ts`,
    find: '!queue || entry?.store_id !== storeId',
    plant: '!queue || !entry',
    tests: ['queue/src/operations/staff-moves.test'],
  },
  {
    name: 'the store that the path of a request names is not looked for in the token',
    file: 'packages/chassis/src/http/parse-request.ts',
    find: 'of [parts.params, parts.query, parts.body]',
    plant: 'of [parts.query, parts.body]',
    tests: ['chassis/src/http/parse-request.test', 'queue/src/operations/switch-walk-ins.test'],
  },
  {
    name: 'staff undo the end of an entry of another store’s queue',
    file: `${queue}/transactions/reopen-entry.ts`,
    find: '!queue || entry?.store_id !== storeId',
    plant: '!queue || !entry',
    tests: ['queue/src/operations/reopen-queue-entry.test'],
  },
  {
    name: 'the log of a queue shows what other stores did',
    file: `${queue}/tables/log.ts`,
    find: 'where l.store_id = s.id',
    plant: 'where l.store_id is not null',
    tests: ['queue/src/operations/list-queue-log.test'],
  },
  {
    name: 'two changes of a queue run at once',
    file: `${queue}/transactions/lock-queue.ts`,
    find: 'await lockFloor(tx, storeId);',
    plant: '',
    tests: ['queue/src/operations/join-queue.test', 'queue/src/operations/staff-moves.test'],
  },
  {
    name: 'a pass is sent to a device that does not prove to hold it',
    file: `${notifications}/crypto.ts`,
    find: 'return timingSafeEqual(a.length === b.length ? a : Buffer.alloc(b.length), b) && a.length === b.length;',
    plant: 'return timingSafeEqual(a.length === b.length ? a : Buffer.alloc(b.length), b) || a.length > 0;',
    tests: ['wallet/webhooks.test'],
  },
  {
    name: 'a printer that comes back after a crash gets its ticket under another token',
    file: 'services/orders/src/tickets/tables/tickets.ts',
    find: `update ticket set job_token = coalesce(job_token, \${jobToken})`,
    plant: `update ticket set job_token = \${jobToken}`,
    tests: ['orders/src/tickets/cloudprnt.test'],
  },
  {
    name: 'an order that was cancelled after its ticket was printed prints nothing',
    file: 'services/orders/src/tickets/tables/tickets.ts',
    find: 'from ended e where e.is_to_print',
    plant: 'from ended e where false',
    tests: ['orders/src/tickets/cloudprnt.test'],
  },
  {
    name: 'a leg of an order that is cancelled or refunded comes back',
    file: `${orders}/order/rules/corrections.ts`,
    find: "const isGone = main.business_status === 'cancelled' || main.fully_refunded || order.fully_refunded;",
    plant: 'const isGone = order.fully_refunded;',
    tests: ['orders/src/fulfilment/correct-order.test'],
  },
  {
    name: 'a customer cancels an order that is being prepared',
    file: `${orders}/fulfilment/rules.ts`,
    find: "business_status === 'placed' && (fulfilment_status === null || fulfilment_status === 'accepted');",
    plant: "business_status === 'placed' || fulfilment_status === 'accepted';",
    tests: ['orders/src/fulfilment/cancel-my-order.test'],
  },
  {
    name: 'an order is ended although it was booked for later',
    file: `${orders}/fulfilment/rules.ts`,
    find: 'const times = [ready_at, order.requested_collection_at, order.revised_ready_at].filter((time) => time !== null);',
    plant: 'const times = [ready_at].filter((time) => time !== null);',
    tests: ['orders/src/fulfilment/end-overdue-orders.test'],
  },
];

/** A fault to plant in a source file, and the tests that must fail with it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly find: string;
  readonly plant: string;
  /** Parts of the paths of test files, as jest takes them. */
  readonly tests: readonly string[];
  /** Variables with which the tests run. */
  readonly environment?: Readonly<Record<string, string>>;
}
