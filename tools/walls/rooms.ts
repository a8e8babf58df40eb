import { services } from '@corner/contracts';
import { areas, pageRooms } from './page-rooms.ts';
import type { Room, Wing } from './room.ts';

const service = `^services/(?<service>${services.join('|')})/src/`;
/** docs/architecture.md counts the files of its service that a reader of each operation may meet. */
export const measuredOperations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: { createOrder: 'checkout/operations.ts', confirmOrder: 'confirmation/operations.ts', refundOrder: 'refunds/operations.ts' },
};

/** Only services with more than one subject have wings. The imports between wings have no circle. */
const serviceWings: Readonly<Record<string, Readonly<Record<string, Wing>>>> = {
  orders: {
    order: { kernel: true, imports: [], about: 'What an order is: status, legs, numbers, holds, log, ledger, events and views.' },
    provider: { kernel: true, imports: [], about: 'The payment provider: its client, and each request under a key of its own.' },
    'ready-times': { imports: [], about: 'When orders will be ready, learned from those that were; whether quotes were kept.' },
    shop: { imports: ['ready-times'], about: 'Stores, menus, slots and contacts as the directory publishes them; what customers read.' },
    accounts: { imports: [], about: 'Whether a store’s account lets it take orders.' },
    disputes: { imports: [], about: 'Disputes of payments, and the store’s share of them.' },
    refunds: { imports: ['disputes'], about: 'Refunds: reserved, made at the provider, settled.' },
    payment: { imports: ['ready-times'], about: 'An order becomes paid, or ends unpaid; its voucher is reserved.' },
    confirmation: {
      imports: ['payment', 'refunds', 'disputes'],
      about: 'A payment’s state at the provider is applied; a payment that came late goes back.',
    },
    checkout: { imports: ['payment', 'shop'], about: 'A basket becomes a priced order with its holds and its intent.' },
    counter: {
      imports: ['checkout', 'payment', 'fulfilment'],
      about: 'Sales at the counter, cash drawers.',
    },
    fulfilment: {
      imports: ['confirmation', 'payment', 'refunds', 'shop'],
      about: 'Staff prepare, hand over, delay and cancel; customers collect earlier.',
    },
    tickets: { imports: [], about: 'Tickets for the kitchen, and the printers of a store.' },
    payouts: { imports: ['accounts', 'money'], about: 'What the provider pays out to a store’s bank, compared with its orders.' },
    events: {
      imports: ['confirmation', 'payment', 'accounts', 'payouts'],
      about: 'What the provider reports: its webhook and its list.',
    },
    money: { imports: ['confirmation', 'payment', 'disputes'], about: 'The ledger against the provider’s balance; a day’s money.' },
    receipts: {
      imports: [],
      about: 'Invoices and credit notes, for services and as pages.',
    },
    customers: { imports: ['payment'], about: 'Customers are erased and exported.' },
    reports: { imports: ['money', 'receipts'], about: 'Sums of days; tips.' },
    story: { imports: [], about: 'What happened to an order, in plain words.' },
  },
  loyalty: {
    card: {
      kernel: true,
      imports: [],
      about: 'What a card is: lock, stamps, vouchers, events, limits; stores and programmes.',
    },
    orders: { imports: [], about: 'Paid orders earn stamps; refunds and disputes take them back.' },
    visits: { imports: ['orders'], about: 'Completed visits earn stamps.' },
    memberships: { imports: [], about: 'Memberships begin, go on and end; each period earns a stamp.' },
    'codes-and-taps': { imports: [], about: 'Stamps collected with a code, a tap or its receipt.' },
    'multi-stamp': { imports: ['codes-and-taps'], about: 'Several stamps at once, confirmed by staff.' },
    vouchers: { imports: [], about: 'Vouchers are reserved, redeemed at the counter, announced and expired.' },
    staff: { imports: [], about: 'The store grants, undoes and reviews stamps.' },
    'opening-balances': { imports: ['customers'], about: 'Stamps from other systems.' },
    customers: { imports: ['vouchers'], about: 'Staff find a customer; customers are erased and exported.' },
  },
  directory: {
    object: {
      kernel: true,
      imports: [],
      about: 'What an object is: its faults, its change under a lock, its log and its snapshot.',
    },
    stores: { imports: ['staff'], about: 'Stores are created, set up and connected to their accounts; who changed what.' },
    offer: { imports: [], about: 'Menus, slots, programmes and floors; templates are published ahead.' },
    pictures: { imports: [], about: 'Pictures are uploaded and served.' },
    diary: { imports: [], about: 'Bookings.' },
    staff: { imports: [], about: 'People of a store: roles, cards, invitations, sessions at work.' },
    customers: { imports: ['data-access'], about: 'Profiles and memberships.' },
    'sign-in': { imports: ['customers', 'staff', 'erasure'], about: 'Accounts, guests, sessions and their tokens.' },
    partners: { imports: ['staff', 'sign-in'], about: 'Partners, their secrets and tokens.' },
    erasure: { imports: ['customers', 'data-access'], about: 'Customers are erased at every service, and exported.' },
    imports: {
      imports: ['erasure', 'data-access'],
      about: 'The directory file is imported and exported; what another producer published is taken over.',
    },
    'data-access': { imports: [], about: 'Who read whose data, as chains of rows.' },
  },
  notifications: {
    subscriptions: { imports: [], about: 'Webhooks: the events of a store, numbered and sent to its own systems.' },
    messages: { imports: ['subscriptions'], about: 'Messages to customers and staff, over mail and push.' },
    campaigns: { imports: ['messages'], about: 'What a store writes to those who said yes to its news.' },
    wallet: { imports: [], about: 'Cards in the wallets of phones.' },
    customers: { imports: [], about: 'Customers are erased and exported.' },
  },
};

export const wings: Readonly<Record<string, Readonly<Record<string, Wing>>>> = { ...serviceWings, ...areas };

const wingNames = Object.values(serviceWings).flatMap((own) => Object.keys(own));
const wing = `(?:(?<wing>${wingNames.join('|')})/)?`;
const room = (name: string) => new RegExp(`${service}${wing}${name}(?:\\.ts$|/(?!.*\\.test\\.ts$))`);
const loose = (name: string) => new RegExp(`${service}${name}\\.ts$`);
const chassisRoom = (name: string) => new RegExp(`^packages/chassis/src/${name}/(?!.*\\.test\\.ts$)`);

const entryPoint = {
  imports: ['transactions', 'sagas', 'rules', 'tables', 'adapters', 'crypto', 'context', '@corner/chassis', '@corner/contracts'],
  apart: true,
  refused: {
    names: ['express', 'stripe', 'undici', 'slonik'],
    why: 'The chassis holds the request, an adapter holds each outside SDK, and a table holds SQL and translates the errors of constraints.',
  },
} as const;

export const serviceRooms: readonly Room[] = [
  { name: 'main', files: loose('main'), imports: ['service', 'config', '@corner/chassis'], about: 'Starts the process.' },
  { name: 'migrate', files: loose('migrate'), imports: ['config', '@corner/chassis'], about: 'Brings the schema up to date.' },
  {
    name: 'config',
    files: loose('config'),
    imports: ['@corner/chassis', '@corner/contracts'],
    environment: true,
    about: 'Reads the settings.',
  },
  {
    name: 'context',
    files: room('context'),
    imports: ['config', 'adapters', 'crypto', 'rules', '@corner/chassis', '@corner/contracts'],
    about: 'What entry points are handed: those of all wings, or of one.',
  },
  {
    name: 'service',
    files: loose('service'),
    imports: [
      'operations',
      'event-handlers',
      'rpc-handlers',
      'jobs',
      'webhooks',
      'entry-points',
      'tables',
      'transactions',
      'sagas',
      'adapters',
      'crypto',
      'rules',
      'config',
      'context',
      '@corner/chassis',
      '@corner/contracts',
    ],
    about: 'Lists every entry point, and puts together what they are handed.',
  },
  {
    name: 'index',
    files: new RegExp(`${service}(?<wing>${wingNames.join('|')})/index\\.ts$`),
    imports: ['sagas', 'transactions', 'tables', 'rules', 'crypto', 'context'],
    about: 'The names of a wing that other wings use.',
  },
  { name: 'operations', files: room('operations'), ...entryPoint, about: 'HTTP: one operation, or those of one subject, a file.' },
  { name: 'event-handlers', files: room('event-handlers'), ...entryPoint, about: 'An event arrived: one consequence a handler.' },
  { name: 'rpc-handlers', files: room('rpc-handlers'), ...entryPoint, about: 'Another service calls and waits.' },
  { name: 'jobs', files: room('jobs'), ...entryPoint, about: 'Time has passed.' },
  {
    name: 'webhooks',
    files: room('webhooks'),
    ...entryPoint,
    imports: [...entryPoint.imports, 'texts'],
    about: 'An outside caller with a protocol of its own.',
  },
  { name: 'entry-points', files: room('entry-points'), ...entryPoint, about: 'The entry points of a wing that has few of each kind.' },
  {
    name: 'sagas',
    files: room('sagas'),
    imports: ['transactions', 'rules', 'tables', 'adapters', 'crypto', 'texts', 'context', '@corner/chassis', '@corner/contracts'],
    refused: {
      names: ['express', 'stripe', 'undici', 'slonik'],
      why: 'An adapter holds each outside SDK, and a table holds SQL and translates the errors of constraints.',
    },
    about: 'Several transactions and an outside party; each step can be repeated.',
  },
  {
    name: 'transactions',
    files: room('transactions'),
    imports: ['rules', 'tables', 'crypto', '@corner/chassis', '@corner/contracts'],
    refused: {
      names: ['express', 'stripe', 'undici', 'slonik'],
      why: 'The network is never called inside a transaction, and a table holds SQL and translates the errors of constraints.',
    },
    about: 'Units of change: lock, decide, write, publish.',
  },
  {
    name: 'tables',
    files: room('tables'),
    imports: ['rules', '@corner/chassis', '@corner/contracts'],
    typesOnly: ['rules'],
    libraries: ['slonik', 'zod'],
    refused: {
      names: ['Problem', 'publish', 'publishAll'],
      why: 'A transaction decides, refuses and publishes; a table reads and writes.',
    },
    about: 'Row schemas, locks and statements.',
  },
  {
    name: 'adapters',
    files: room('adapters'),
    imports: ['rules', 'crypto', 'config', '@corner/chassis', '@corner/contracts'],
    refused: { names: ['slonik', 'express'], why: 'An adapter is the wire to one outside party.' },
    about: 'One outside SDK each.',
  },
  { name: 'texts', files: room('texts'), imports: ['rules', '@corner/contracts'], about: 'What customers read.' },
  {
    name: 'crypto',
    files: room('(?:nfc|crypto)'),
    imports: ['rules', '@corner/contracts', '@corner/chassis'],
    about: 'Signatures, keyed hashes and the proofs of tags: pure but for cryptography.',
  },
  {
    name: 'rules',
    files: room('rules'),
    imports: ['@corner/contracts'],
    libraries: [],
    builtins: ['node:assert', 'node:assert/strict'],
    pure: true,
    about: 'Decisions as pure functions.',
  },
  {
    name: 'testing',
    files: room('testing'),
    imports: ['*', '@corner/chassis', '@corner/contracts', '@corner/testkit', '@corner/sandbox', '@corner/gateway/testing'],
    environment: true,
    about: 'Fixtures, for tests only.',
  },
];

const gateway = (name: string) => new RegExp(`^services/gateway/src/${name}`);

export const gatewayRooms: readonly Room[] = [
  {
    name: 'gateway config',
    files: gateway('config\\.ts$'),
    imports: ['@corner/chassis', '@corner/contracts', 'gateway'],
    environment: true,
    about: 'Reads the settings.',
  },
  {
    name: 'gateway testing',
    files: gateway('testing/'),
    imports: ['gateway', 'gateway config', 'gateway testing', '@corner/chassis', '@corner/contracts', '@corner/testkit', '@corner/sandbox'],
    environment: true,
    about: 'Fixtures, for tests only.',
  },
  {
    name: 'gateway',
    files: gateway('(?!.*\\.test\\.ts$)(?:[a-z-]+/|main\\.ts$|migrate\\.ts$|gateway\\.ts$)'),
    imports: ['gateway', 'gateway config', '@corner/chassis', '@corner/contracts', '@corner/contracts/specs'],
    about: 'Routes, limits and the reference.',
  },
];

const consoleServer = (name: string) => new RegExp(`^services/console/src/${name}`);

export const consoleRooms: readonly Room[] = [
  {
    name: 'console config',
    files: consoleServer('config\\.ts$'),
    imports: ['@corner/chassis', '@corner/contracts', '@corner/nats'],
    environment: true,
    about: 'Reads the settings.',
  },
  {
    name: 'pages server',
    files: consoleServer(
      '(?!.*\\.test\\.ts$)(?:forwarding/|openid/|pages/|http/(?:limit-by-address|protect-pages|send-problems|serve-app)\\.ts$)',
    ),
    imports: ['pages server', '@corner/chassis', '@corner/contracts'],
    about: 'Shared by console and storefront.',
  },
  {
    name: 'storefront',
    files: consoleServer('(?!.*\\.test\\.ts$)storefront(?:/|\\.ts$)'),
    imports: ['storefront', 'pages server', 'console config', '@corner/console-api', '@corner/chassis', '@corner/contracts'],
    libraries: ['express', 'zod'],
    environment: true,
    about: 'Serves a shop’s pages. It has no session, broker or database.',
  },
  {
    name: 'console testing',
    files: consoleServer('(?:[a-z-]+/)?testing/'),
    imports: [
      'console',
      'storefront',
      'pages server',
      'console config',
      'console testing',
      '@corner/console-api',
      '@corner/chassis',
      '@corner/contracts',
      '@corner/nats',
      '@corner/operator',
      '@corner/testkit',
      '@corner/sandbox',
    ],
    environment: true,
    about: 'Fixtures, for tests only.',
  },
  {
    name: 'console sandbox',
    files: consoleServer('(?:sandbox/(?!.*\\.test\\.ts$)|development\\.ts$)'),
    imports: [
      'console sandbox',
      'console',
      'pages server',
      'console config',
      '@corner/console-api',
      '@corner/chassis',
      '@corner/contracts',
    ],
    environment: true,
    about: 'The simulators’ controls, in npm start and the trial.',
  },
  {
    name: 'console',
    files: consoleServer('(?!.*\\.test\\.ts$)(?:[a-z-]+/|main\\.ts$|console\\.ts$)'),
    imports: [
      'console',
      'pages server',
      'console config',
      '@corner/console-api',
      '@corner/chassis',
      '@corner/contracts',
      '@corner/nats',
      '@corner/operator',
    ],
    about: 'Sessions, what pages ask, changes.',
  },
];

/** Lowest floor first: a room imports only rooms above it in this list. */
const chassisFloors: readonly (readonly [name: string, about: string])[][] = [
  [['async', 'The clock, backoff, signals, semaphores, programs.']],
  [['errors', 'Errors without the data they quote; transient faults; crash points.']],
  [['telemetry', 'Logs, metrics, spans.']],
  [
    ['database', 'The pool, transactions, migrations.'],
    ['broker', 'What a service uses of its broker, and NATS as one.'],
    ['auth', 'Tokens and callers.'],
  ],
  [
    ['outbox', 'Publishing events: outbox and relay.'],
    ['http', 'Operations and webhooks over HTTP; idempotency keys; health.'],
    ['rpc', 'Calling another service, and serving calls.'],
    ['jobs', 'Work that is due by time.'],
  ],
  [['inbox', 'Consumers, inbox, dead letters; reading from the producer what the broker lacks.']],
  [['operator', 'Operators’ RPCs.']],
];

export const chassisRooms: readonly Room[] = [
  ...chassisFloors.flatMap((floor, level) =>
    floor.map(
      ([name, about]): Room => ({
        name: `chassis ${name}`,
        files: chassisRoom(name),
        imports: [
          ...chassisFloors
            .slice(0, level)
            .flat()
            .map(([below]) => `chassis ${below}`),
          `chassis ${name}`,
          '@corner/contracts',
          '@corner/nats',
        ],
        about,
      }),
    ),
  ),
  {
    name: 'chassis config',
    files: /^packages\/chassis\/src\/(?:config|migrate-service|production-guard|secret-files)\.ts$/,
    imports: ['chassis database', '@corner/contracts', '@corner/nats'],
    environment: true,
    about: 'Settings every process has.',
  },
  {
    name: 'chassis',
    files:
      /^packages\/chassis\/src\/(?:index|calls|edge|run|start-program|service|service-definition|backbone|shadow|shadow-differences)\.ts$/,
    imports: [...chassisFloors.flat().map(([name]) => `chassis ${name}`), 'chassis config', 'chassis', '@corner/contracts', '@corner/nats'],
    about: 'Starting a service, and what services import.',
  },
  {
    name: 'chassis testing',
    files: chassisRoom('testing'),
    imports: [
      'chassis',
      ...chassisFloors.flat().map(([name]) => `chassis ${name}`),
      'chassis config',
      'chassis testing',
      '@corner/contracts',
      '@corner/testkit',
    ],
    environment: true,
    about: 'Fixtures, imported by tests only.',
  },
];

const source = (name: string, rest = 'src/(?!.*\\.test\\.ts$)(?!(?:.*/)?testing/)') => new RegExp(`^packages/${name}/${rest}`);

export const packageRooms: readonly Room[] = [
  {
    name: '@corner/contracts',
    files: source('contracts'),
    imports: ['@corner/contracts'],
    libraries: ['libphonenumber-js', 'zod'],
    builtins: [],
    about: 'Every operation, event, RPC and problem, as values.',
  },
  {
    name: '@corner/contracts/specs',
    files: source('contracts', 'specs/'),
    imports: ['@corner/contracts', '@corner/contracts/specs'],
    about: 'The documents generated from the contracts.',
  },
  {
    name: '@corner/client',
    files: source('client', '(?:src/(?!.*\\.test\\.ts$)(?!testing/)|generate/|pack/)'),
    imports: ['@corner/client', '@corner/contracts/specs'],
    about: 'What an app developer installs.',
  },
  {
    name: '@corner/nats',
    files: source('nats'),
    imports: ['@corner/nats', '@corner/contracts'],
    libraries: ['@nats-io/jetstream', '@nats-io/transport-node', 'zod'],
    about: 'Logins to NATS, rights, streams and consumers.',
  },
  {
    name: '@corner/compatibility',
    files: source('compatibility'),
    imports: ['@corner/compatibility', '@corner/console-api', '@corner/contracts', '@corner/programs'],
    libraries: ['zod'],
    about: 'Whether a version of a part may run beside released versions of the others.',
  },
  {
    name: '@corner/console-api',
    files: source('console-api'),
    imports: ['@corner/console-api', '@corner/contracts'],
    libraries: ['zod'],
    about: 'What the console’s pages ask of its server.',
  },
  {
    name: '@corner/build-pages',
    files: source('build-pages'),
    imports: ['@corner/build-pages'],
    libraries: ['esbuild'],
    about: 'Makes static files of pages.',
  },
  ...(['console', 'shop'] as const).map(
    (name): Room => ({
      name: `@corner/${name}-pages/build`,
      files: source(`${name}-pages`, 'build/'),
      imports: [`@corner/${name}-pages/build`, '@corner/build-pages'],
      about: 'Builds them into static files.',
    }),
  ),
  {
    name: '@corner/programs',
    files: source('programs'),
    imports: ['@corner/programs'],
    libraries: ['@jridgewell/sourcemap-codec', 'esbuild', 'oxc-parser'],
    about: 'Bundles each program.',
  },
  {
    name: '@corner/operator',
    files: source('operator'),
    imports: ['@corner/operator', '@corner/contracts'],
    about: 'What operators’ tools stand on: calls, dead letters, replay, explain, directory data. It knows no simulator.',
  },
  {
    name: '@corner/sandbox',
    files: source('sandbox'),
    imports: [
      '@corner/sandbox',
      '@corner/operator',
      '@corner/contracts',
      '@corner/contracts/specs',
      '@corner/nats',
      '@corner/programs',
      '@corner/console-pages/build',
      '@corner/shop-pages/build',
    ],
    environment: true,
    about: 'The whole system on one machine, and the simulators of outside parties.',
  },
  {
    name: '@corner/testkit',
    files: source('testkit'),
    imports: ['@corner/testkit', '@corner/sandbox', '@corner/contracts', '@corner/nats', '@corner/programs'],
    environment: true,
    about: 'Real servers for tests.',
  },
  {
    name: 'development of @corner/cli',
    files: source('cli', 'src/(?:development/(?!.*\\.test\\.ts$)|(?:main|program|run-command-line)\\.ts$)'),
    imports: [
      'development of @corner/cli',
      '@corner/cli',
      '@corner/operator',
      '@corner/sandbox',
      '@corner/contracts',
      '@corner/contracts/specs',
      '@corner/client',
      '@corner/nats',
    ],
    environment: true,
    about: 'Commands that run a system on this machine, and the list of all.',
  },
  {
    name: '@corner/cli',
    files: source('cli'),
    imports: ['@corner/cli', '@corner/operator', '@corner/compatibility', '@corner/contracts', '@corner/nats'],
    environment: true,
    about: 'Commands of operators, and what all share. They know no simulator.',
  },
  {
    name: 'template of @corner/cli',
    files: source('cli', 'template/'),
    imports: ['template of @corner/cli', '@corner/client'],
    builtins: [],
    environment: true,
    about: 'What `corner new app` writes.',
  },
  {
    name: 'web template of @corner/cli',
    files: source('cli', 'template-web/'),
    imports: ['web template of @corner/cli', '@corner/client'],
    environment: true,
    about: 'What `corner new app --web` writes.',
  },
  {
    name: '@corner/platform',
    files: source('platform'),
    imports: [
      '@corner/platform',
      '@corner/chassis/host',
      '@corner/chassis/migrate',
      '@corner/console/development',
      '@corner/console/storefront',
      '@corner/sandbox',
      'exports of services',
    ],
    environment: true,
    about: 'The whole system in one process; its migrations.',
  },
  {
    name: '@corner/simulation',
    files: source('simulation'),
    imports: [
      '@corner/simulation',
      '@corner/chassis',
      '@corner/chassis/broker',
      '@corner/chassis/host',
      '@corner/client',
      '@corner/contracts',
      '@corner/operator',
      '@corner/sandbox',
      '@corner/testkit',
      'exports of services',
    ],
    about: 'The platform under a seed: its clock, its broker, its histories; what must hold.',
  },
  {
    name: '@corner/e2e',
    files: source('e2e', 'src/(?!.*\\.test\\.ts$)'),
    imports: [
      '@corner/e2e',
      '@corner/benchmarks/browser',
      '@corner/benchmarks/report',
      '@corner/chassis/metrics-catalog',
      '@corner/client',
      '@corner/compatibility',
      '@corner/contracts',
      '@corner/nats',
      '@corner/operator',
      '@corner/platform',
      '@corner/sandbox',
      '@corner/simulation',
      '@corner/testkit',
      'exports of services',
    ],
    environment: true,
    about: 'Whole-system tests through the gateway.',
  },
  {
    name: '@corner/benchmarks',
    files: source('benchmarks'),
    imports: ['@corner/benchmarks', '@corner/contracts', '@corner/nats', '@corner/sandbox', 'exports of services'],
    environment: true,
    about: 'Speed, processor time and query plans, measured.',
  },
  {
    name: 'testing of packages',
    files: /^packages\/(?!chassis|e2e|benchmarks)(?<package>[a-z]+)\/src\/(?:.*\/)?testing\//,
    imports: [
      'own package',
      'testing of packages',
      '@corner/contracts',
      '@corner/sandbox',
      '@corner/testkit',
      '@corner/client',
      '@corner/chassis',
      '@corner/compatibility',
    ],
    environment: true,
    about: 'Fixtures, imported by tests only.',
  },
  {
    name: 'tools',
    files: /^tools\//,
    imports: ['tools', '@corner/contracts'],
    environment: true,
    about: 'Checks of the repository itself.',
  },
];

export const testRoom: Room = {
  name: 'tests',
  files: /\.test\.tsx?$/,
  imports: [
    'own package',
    '@corner/contracts',
    '@corner/contracts/specs',
    '@corner/console-api',
    '@corner/build-pages',
    '@corner/page-kit',
    '@corner/chassis',
    '@corner/nats',
    '@corner/operator',
    '@corner/testkit',
    '@corner/sandbox',
    '@corner/simulation',
    '@corner/client',
    '@corner/gateway/testing',
  ],
  environment: true,
  about: 'Stand beside what they test.',
};

export const rooms: readonly Room[] = [...serviceRooms, ...gatewayRooms, ...consoleRooms, ...chassisRooms, ...pageRooms, ...packageRooms];

export const impureGlobals: readonly string[] = ['process', 'crypto', 'performance', 'setTimeout', 'setInterval', 'fetch'];

export const schemas: readonly string[] = [...services, 'gateway'];
