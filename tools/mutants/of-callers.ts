import type { Mutant } from './mutant.ts';

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
    find: "if (!caller.stores.has(storeId)) throw new Problem('STORE_FORBIDDEN');",
    plant: '',
    tests: ['loyalty/src/operations/every-operation.test'],
  },
  {
    name: 'a customer’s token is taken by an operation of merchants',
    file: `${auth}/caller.ts`,
    find: "caller.type === 'anonymous' || !rule.types.includes(caller.type)",
    plant: "caller.type === 'anonymous'",
    tests: ['loyalty/src/operations/every-operation.test'],
  },
  {
    name: 'the scope that an operation needs is not looked for',
    file: `${auth}/caller.ts`,
    find: 'if (rule.scope && !caller.scopes.has(rule.scope)) {',
    plant: 'if (rule.scope && caller.scopes.size > 99) {',
    tests: ['loyalty/src/operations/customer-state.test'],
  },
  {
    name: 'a token that was verified once is taken after it has expired',
    file: `${auth}/caller.ts`,
    find: 'known && known.expiresAt > options.now().getTime() ? known.caller : null',
    plant: 'known ? known.caller : null',
    tests: ['chassis/src/auth/caller.test'],
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
    file: `${gateway}/http/client-address.ts`,
    find: 'if (isIP(address) !== 6) return address;',
    plant: 'if (address) return address;',
    tests: ['gateway/src/http/client-address.test', 'gateway/src/limits/rate-limits.test'],
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
    file: `${gateway}/proxy/forward.ts`,
    find: 'if (lost && status === conflict)',
    plant: 'if (lost && status === 0)',
    tests: ['gateway/src/proxy/replicas.test'],
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
    find: 'return fault === null ? 0 : unready.has(fault) ? 1 : 2;',
    plant: 'return 0;',
    tests: ['gateway/src/proxy/replicas.test'],
  },
  {
    name: 'a response that broke off looks complete',
    file: `${gateway}/proxy/forward.ts`,
    find: 'if (response.headersSent) response.destroy();',
    plant: 'if (response.headersSent) response.end();',
    tests: ['gateway/src/proxy/forward.test'],
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
    file: `${gateway}/http/request-body.ts`,
    find: 'if (length > maxBytes) throw tooLarge(maxBytes);',
    plant: '',
    tests: ['gateway/src/http/request-body.test'],
  },
  {
    name: 'a customer moves another customer’s order to an earlier slot',
    file: `${orders}/fulfilment/transactions/collect-earlier.ts`,
    find: '!order || order.customer_id !== customerId',
    plant: '!order',
    tests: ['orders/src/fulfilment/collect-earlier.test'],
  },
  {
    name: 'a stamp code that a customer used shows its stamp to another one',
    file: `${loyalty}/transactions/redeem-stamp-code.ts`,
    find: '!stamp || stamp.customer_id !== redeemer',
    plant: '!stamp',
    tests: ['loyalty/src/operations/redeem-stamp-code.test'],
  },
  {
    name: 'the key of a grant to one customer returns that grant for another one',
    file: `${loyalty}/transactions/grant-stamp.ts`,
    find: 'if (granted && granted.customer_id !== customerId)',
    plant: 'if (granted && !granted.customer_id)',
    tests: ['loyalty/src/operations/grant-stamp.test'],
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
];
