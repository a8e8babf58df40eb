interface Section {
  readonly path: string;
  readonly title: string;
}

const listed = {
  'The shop': [
    { path: 'store', title: 'Store' },
    { path: 'address', title: 'Your shop’s address' },
    { path: 'hours', title: 'Hours and closures' },
    { path: 'orders', title: 'Orders and queue' },
    { path: 'payments', title: 'Payment account' },
    { path: 'contacts', title: 'Contacts' },
    { path: 'webhooks', title: 'Webhooks' },
  ],
  'What it offers': [
    { path: 'menu', title: 'Items and prices' },
    { path: 'promos', title: 'Promo codes' },
    { path: 'slots', title: 'Slots' },
    { path: 'floor', title: 'Floor and rota' },
    { path: 'card', title: 'Loyalty card' },
    { path: 'tags', title: 'Tags' },
  ],
  People: [{ path: 'people', title: 'People' }],
} as const satisfies Readonly<Record<string, readonly Section[]>>;

export type SectionPath = (typeof listed)[keyof typeof listed][number]['path'];

const sections: Readonly<Record<string, readonly Section[]>> = listed;

const elsewhere: readonly string[] = ['address', 'payments', 'webhooks'];
export const needsDirectory = (path: string): boolean => !elsewhere.includes(path);

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

export const sectionPath = (storeId: string, path: string): string =>
  `/shop/${encodeURIComponent(storeId)}/settings${path === '' ? '' : `/${path}`}`;
