import type { Room, Wing } from './room.ts';

/** The rooms of the packages of pages and of what they stand on, and their areas, which are wings as those of services. */

/** An area imports another by its index.ts. The table has no circle. */
export const areas: Readonly<Record<string, Readonly<Record<string, Wing>>>> = {
  'console-pages': {
    shop: { kernel: true, imports: [], about: 'What the areas of a shop share: operations, refusals, links.' },
    operator: { imports: [], about: 'The platform, for its operators.' },
    sandbox: { imports: [], about: 'The controls of the simulators.' },
    money: { imports: [], about: 'Days, reports and payouts.' },
    menu: { imports: [], about: 'What is sold out, and the pause.' },
    sell: { imports: [], about: 'Sales at the counter, and the drawer.' },
    printers: { imports: [], about: 'Printers, and tickets on paper.' },
    orders: { imports: ['menu', 'money', 'printers'], about: 'The board, an order, and past orders.' },
    customers: { imports: ['orders'], about: 'A customer: orders, stamps, stories.' },
    queue: { imports: [], about: 'Who waits, and who is served.' },
    settings: { imports: [], about: 'What a shop sets.' },
    campaigns: { imports: ['settings'], about: 'News that a shop sends.' },
    diary: { imports: ['settings'], about: 'Bookings of chairs.' },
    invitation: { imports: [], about: 'An invitation is accepted.' },
    open: { imports: ['settings'], about: 'A shop is opened on one page.' },
  },
  'shop-pages': {
    home: { imports: [], about: 'The shops of this browser.' },
    menu: { imports: [], about: 'What a shop sells.' },
    basket: { imports: ['menu'], about: 'What is ordered, when and where.' },
    pay: { imports: [], about: 'A payment.' },
    me: { imports: [], about: 'Profile, messages and data of the customer.' },
    order: { imports: ['me'], about: 'An order, and past ones.' },
    queue: { imports: ['basket', 'me'], about: 'A place in the queue.' },
    card: { imports: [], about: 'Stamps and vouchers.' },
    tap: { imports: ['card', 'me'], about: 'A tap on a tag.' },
    'signed-in': { imports: [], about: 'The way back from the provider of accounts.' },
  },
  'page-kit': {},
};

const packages = ['@corner/console-api', '@corner/contracts', '@corner/client', '@corner/page-kit'];

const floors = {
  'console-pages': [
    [['logic', 'Decisions as pure functions: no React, no network.', { libraries: ['regexparam', 'zod'] }]],
    [['components', 'What is on more than one page.']],
    [['shell', 'Frame, session, navigation, and how pages ask the server.']],
  ],
  'shop-pages': [
    [['session', 'Storage, sign-in, and how pages ask the platform.']],
    [
      ['texts', 'What customers read, in each language.'],
      ['errors', 'Problems as customers read them.'],
    ],
    [
      ['ui', 'What is on more than one page.'],
      ['order', 'A basket, its total, and attempts to place it.'],
    ],
    [['shell', 'Frame and navigation.']],
  ],
  'page-kit': [
    [['logic', 'Machines, drafts, merging, times: no React, no network, no clock.', { libraries: [], pure: true }]],
    [['browser', 'What a browser keeps, and attempts that outlive a lost reply.', { libraries: [] }]],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly (readonly [string, string, Partial<Room>?])[])[]>>;

export const pageRooms: readonly Room[] = Object.entries(floors).flatMap(([name, own]) => {
  const of = (path: string) => new RegExp(`^packages/${name}/web/${path}`);
  const names = own.map((floor) => floor.map(([room]) => `${name} ${room}`));
  const below = (level: number) => names.slice(0, level + 1).flat();
  const all = [...names.flat(), ...packages];
  const inArea = `(?:shop/)?(?<wing>${Object.keys(areas[name] ?? {}).join('|')})/`;
  const notTest = '(?!.*\\.test\\.tsx?$)';
  return [
    ...own.flatMap((floor, level) =>
      floor.map(
        ([room, about, more = {}]: readonly [string, string, Partial<Room>?]): Room => ({
          name: `${name} ${room}`,
          files: of(`${notTest}${room}/`),
          imports: [...below(level), ...packages],
          builtins: [],
          about,
          ...more,
        }),
      ),
    ),
    {
      name: 'index',
      files: of(`pages/${inArea}index\\.ts$`),
      imports: [`${name} pages`],
      about: 'The names of an area that other areas use.',
    },
    {
      name: `${name} pages`,
      files: of(`${notTest}pages/${inArea}`),
      imports: [...all, `${name} pages`],
      builtins: [],
      about: 'One folder an area.',
    },
    { name: `${name} testing`, files: of('testing/'), imports: ['*', ...packages], about: 'Fixtures, imported by tests only.' },
    {
      name: `${name} root`,
      files: of(`${notTest}[a-z.-]+$`),
      imports: [...all, `${name} pages`, 'index', `${name} root`],
      environment: true,
      about: 'Starts the pages, and lists them.',
    },
  ];
});

export const floorsOf = (name: string): string =>
  [
    ...(floors[name as keyof typeof floors] ?? []).map((floor) => floor.map(([room]) => room).join(', ')),
    ...(Object.keys(areas[name] ?? {}).length > 0 ? ['pages'] : []),
  ].join(' ← ');
