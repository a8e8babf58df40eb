import { type Random, randomOf } from '../random.ts';

export interface Cast {
  readonly storeId: string;
  readonly account: string;
  readonly customers: readonly string[];
  readonly staff: string;
  readonly serviceId: string;
  readonly chairs: readonly string[];
}

export const goal = 2;

export function castOf(seed: number): Cast {
  const random: Random = randomOf(seed, 'cast');
  const storeId = random.uuid();
  return {
    storeId,
    account: `acct_${storeId.replaceAll('-', '').slice(0, 16)}`,
    customers: Array.from({ length: 3 }, () => random.uuid()),
    staff: random.uuid(),
    serviceId: random.uuid(),
    chairs: [random.uuid(), random.uuid()],
  };
}

const dayMs = 86_400_000;

/** A time zone in which it is ten o'clock, so that the programme's days and the shop's hours are the same in each run of a seed. */
function zoneAtTen(now: Date): string {
  const hours = 10 - now.getUTCHours();
  // No zone is thirteen hours behind: eleven ahead it is the same hour.
  const ahead = hours < -12 ? hours + 24 : hours;
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

export function directoryOf({ storeId, account, customers, staff, serviceId, chairs }: Cast, now: Date): object {
  const shift = { starts_at: new Date(now.getTime() - dayMs).toISOString(), ends_at: new Date(now.getTime() + 2 * dayMs).toISOString() };
  return {
    stores: [
      {
        id: storeId,
        code: 'S1',
        name: 'Corner',
        time_zone: zoneAtTen(now),
        connected_account_id: account,
        fee_bps: 250,
        walk_ins_accepted: true,
        bookings_accepted: true,
        booking_notice_minutes: 20,
      },
    ],
    menus: [
      {
        store_id: storeId,
        items: [
          { id: 'coffee', name: 'Coffee', price_pence: 350, prep_minutes: 2 },
          { id: 'cake', name: 'Cake', price_pence: 400, prep_minutes: 1, stock: 4 },
        ],
      },
    ],
    programmes: [
      {
        store_id: storeId,
        goal,
        reward_title: 'A coffee',
        reward: { kind: 'amount', value: 340 },
        voucher_days: 30,
        plan_key: 'growth',
        codes_without_proof: 'count',
      },
    ],
    floors: [
      {
        store_id: storeId,
        services: [{ id: serviceId, name: 'Cut', minutes: 20 }],
        units: chairs.map((id, index) => ({ id, name: `Chair ${index + 1}`, service_ids: [serviceId], shifts: [shift] })),
      },
    ],
    customers: customers.map((id, index) => ({ id, name: `Customer ${index}`, email: `customer-${index}@example.com` })),
    staff: [{ id: staff, name: 'Bo', stores: [{ id: storeId, role: 'owner' }] }],
  };
}
