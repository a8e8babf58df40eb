/** A section of the shop’s settings: a page of its own below `/shop/:storeId/settings`. */
interface Section {
  /** The end of its path; that of a page that is elsewhere in the shop begins with `../`. */
  readonly path: string;
  readonly title: string;
  /** What is set there. */
  readonly about: string;
}

/** The sections by subject, in their order. `routes.tsx` has the page of each. */
const listed = {
  'The shop': [
    { path: 'store', title: 'Store', about: 'Name and address, VAT number, language, open or closed to customers' },
    { path: 'hours', title: 'Hours and closures', about: 'The hours of a week, holidays and other days without orders' },
    { path: 'orders', title: 'Orders and queue', about: 'Accepting, refunds, orders that no one collects, walk-ins' },
    { path: 'payments', title: 'Payment account', about: 'Where the money of your orders goes' },
    { path: 'contacts', title: 'Contacts', about: 'Who is notified of what needs the store' },
    { path: '../printers', title: 'Printers', about: 'Kitchen printers and their tickets' },
  ],
  'What it offers': [
    { path: 'menu', title: 'Menu', about: 'Items, prices, VAT, stock and their order' },
    { path: 'promos', title: 'Promo codes', about: 'Codes that take something off an order' },
    { path: 'slots', title: 'Slots', about: 'The times of collection, with a preview of a week' },
    { path: 'floor', title: 'Floor and rota', about: 'Services, chairs, shifts and breaks' },
    { path: '../diary', title: 'Diary', about: 'The bookings of each day, by chair' },
    { path: 'card', title: 'Loyalty card', about: 'Stamps, rewards, and how the card looks' },
    { path: 'tags', title: 'Tags', about: 'The NFC tags at the counter' },
  ],
  People: [{ path: 'people', title: 'People', about: 'Who works here, roles, cards, invitations' }],
} as const satisfies Readonly<Record<string, readonly Section[]>>;

type Listed = (typeof listed)[keyof typeof listed][number];
/** The path of a section that is a page of the settings. */
export type SectionPath = Exclude<Listed['path'], `../${string}`>;

const sections: Readonly<Record<string, readonly Section[]>> = listed;

/** Sections that change nothing of the directory service. A deployment may leave it out. */
const elsewhere: readonly string[] = ['payments', '../printers'];
export const needsDirectory = (path: string): boolean => !elsewhere.includes(path);

/** The sections of a deployment by subject, with or without a directory service. */
export const sectionsOf = ({
  directory,
}: {
  readonly directory: boolean;
}): readonly (readonly [group: string, entries: readonly Section[]])[] =>
  Object.entries(sections)
    .map(([group, entries]) => [group, entries.filter(({ path }) => directory || !needsDirectory(path))] as const)
    .filter(([, entries]) => entries.length > 0);

export const titleOf = (path: string): string =>
  Object.values(sections)
    .flat()
    .find((section) => section.path === path)?.title ?? 'Settings';

/** The path of a section at a store. */
export const sectionPath = (storeId: string, path: string): string => {
  const shop = `/shop/${encodeURIComponent(storeId)}`;
  return path.startsWith('../') ? `${shop}/${path.slice(3)}` : `${shop}/settings${path === '' ? '' : `/${path}`}`;
};
