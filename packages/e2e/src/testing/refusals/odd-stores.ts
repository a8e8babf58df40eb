import { randomUUID } from 'node:crypto';
import { demoDirectory, people } from '@corner/sandbox/demo';

const hour = 3_600_000;
const dayMs = 24 * hour;
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

const newStore = (code: string) => ({ id: randomUUID(), code });

export type OddStores = ReturnType<typeof oddStores>;

export function oddStores() {
  const all = {
    shop: newStore('S11'),
    closed: newStore('S12'),
    dark: newStore('S13'),
    restricted: newStore('S14'),
    daily: newStore('S15'),
    quota: newStore('S16'),
    ceiling: newStore('S17'),
    ending: newStore('S18'),
    chair: newStore('S19'),
    opening: newStore('S20'),
    paced: newStore('S21'),
  };
  const slots = { earlier: randomUUID(), full: randomUUID(), shut: randomUUID(), booked: randomUUID(), later: randomUUID() };
  const store = (name: keyof typeof all, more: object = {}) => ({
    ...all[name],
    name: `Corner ${name}`,
    connected_account_id: accountOf(name),
    ...more,
  });
  const programme = (name: keyof typeof all, more: object = {}) => ({ store_id: all[name].id, goal: 5, ...more });
  const laterToday = new Date(Date.now() + 3 * dayMs).getUTCDay() || 7;
  const staff = { id: people.cy.id, name: people.cy.name, stores: Object.values(all).map(({ id }) => ({ id, role: 'staff' })) };
  const floor = (shifts: object[]) => {
    const service = { id: randomUUID(), name: 'Fringe', minutes: 1 };
    const unit = { id: randomUUID(), name: 'Chair', service_ids: [service.id], shifts };
    return { store_id: all.chair.id, services: [service], units: [unit] };
  };
  const first = {
    stores: [
      store('shop'),
      store('closed', { hours: [{ day: laterToday, opens: '09:00', closes: '10:00' }] }),
      store('dark', { status: 'dark' }),
      ...(['restricted', 'daily', 'quota', 'ceiling', 'ending'] as const).map((name) => store(name)),
      store('chair', { walk_ins_accepted: true }),
      store('opening', { connected_account_id: null }),
      store('paced', { pace: { max_items: 1 } }),
    ],
    menus: (['shop', 'closed', 'dark', 'restricted', 'paced'] as const).map((name) => menuOf(all[name].id)),
    slots: [{ store_id: all.shop.id, slots: slotsOf(slots) }],
    programmes: [
      programme('shop', { goal: 1, reward: { kind: 'amount', value: 340 } }),
      programme('closed', { nfc_enforced: true, multi_stamp: { entitled: false } }),
      programme('dark'),
      programme('daily', { daily_stamp_limit: 1 }),
      programme('quota', { codes_without_proof: 'count' }),
      programme('ceiling'),
      programme('ending'),
    ],
    floors: [floor([{ starts_at: inHours(-1), ends_at: inHours(3) }])],
    staff: [withDemoCards(staff)],
  };
  const later = {
    programmes: [
      programme('quota', { codes_without_proof: 'count', monthly_stamp_quota: 0 }),
      programme('ceiling', { multi_stamp: { monthly_ceiling: 1 } }),
      programme('ending', { enabled: false }),
    ],
    floors: [floor([])],
  };
  return { stores: all, slots, directory: { first, later } };
}

export const restrictedAccount = 'acct_cornerrestricted';
const accountOf = (name: string): string => (name === 'restricted' ? restrictedAccount : 'acct_cornercoffee');

function menuOf(storeId: string) {
  const { menus } = demoDirectory(new Date()) as { menus: { items: object[] }[] };
  return {
    store_id: storeId,
    items: [...(menus[0]?.items ?? []), { id: 'penny-sweet', name: 'Penny sweet', price_pence: 10 }],
    promos: [
      { id: randomUUID(), code: 'LASTYEAR', kind: 'percent', value: 10, ends_at: inHours(-24) },
      { id: randomUUID(), code: 'ONCE', kind: 'percent', value: 10, max_uses: 1 },
    ],
  };
}

const slotsOf = ({ earlier, full, shut, booked, later }: Readonly<Record<string, string>>) => [
  { id: earlier, starts_at: inHours(1), ends_at: inHours(2) },
  { id: full, starts_at: inHours(2), ends_at: inHours(3), capacity: 0 },
  { id: shut, starts_at: inHours(3), ends_at: inHours(4), open: false },
  { id: booked, starts_at: inHours(4), ends_at: inHours(5) },
  { id: later, starts_at: inHours(5), ends_at: inHours(6) },
];

/** Snapshots are complete, so this one repeats the demo's fields. */
function withDemoCards(member: { readonly id: string; readonly name: string; readonly stores: readonly object[] }) {
  const { staff } = demoDirectory(new Date()) as { staff: { id: string; stores: object[]; cards?: object[] }[] };
  const known = staff.find(({ id }) => id === member.id);
  return { ...known, ...member, stores: [...(known?.stores ?? []), ...member.stores] };
}
