import { randomUUID } from 'node:crypto';
import { people } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { type RefusalRun, unknownId } from '../testing/refusals/refusal-run.ts';
import type { RecordKind } from './cells.ts';

export type Records = Readonly<Record<RecordKind, string>>;

interface WithId {
  readonly id: string;
}
const idIn = (reply: Readonly<Record<string, unknown>>, field: string): string => (reply[field] as WithId).id;

const appointmentIn = (reply: Readonly<Record<string, unknown>>): string =>
  (reply.booking as { readonly appointment_id: string }).appointment_id;
const classIn = (reply: Readonly<Record<string, unknown>>): string => (reply.session as { readonly session_id: string }).session_id;

const weeklyClassIn = (reply: Readonly<Record<string, unknown>>): string =>
  (reply.weekly_class as { readonly weekly_class_id: string }).weekly_class_id;

const tomorrowAt = (hour: number): string =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + (24 + hour) * 3_600_000).toISOString();

export async function makeRecords(run: RefusalRun): Promise<Records> {
  const { done, tokens } = run;
  const ana = { token: tokens.ana };
  const { orderId: order, intentId: intent } = await run.paidOrder();
  const { results } = await done('syncOfflineStamps', { with: { stamps: [{ receipt_id: randomUUID(), store_code: 'S1' }] } });
  const customer = { customer_id: people.ana.id };
  const vouchers = async () =>
    (await done('customerState', { with: customer })).active_vouchers as unknown as readonly (WithId & { readonly code: string })[];
  const voucher = await until(
    async () => {
      await done('grantStamp', { with: customer });
      return (await vouchers())[0];
    },
    { describe: 'a voucher' },
  );
  const shift = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' }];
  const service = randomUUID();
  const unit = randomUUID();
  await done('changeFloor', {
    with: {
      services: [{ id: service, name: 'Cut', minutes: 30 }],
      units: [{ id: unit, name: 'A chair of the test', service_ids: [service], weekly_shifts: shift }],
    },
  });
  const webhook = idIn(await done('createWebhook'), 'webhook');
  await done('testWebhook', { with: { webhook_id: webhook } });
  const booked = await until(
    async () => {
      const { status, body } = await run.call('makeBooking', { ...ana, with: { service_id: service, starts_at: tomorrowAt(10) } });
      return status === 200 && body;
    },
    { describe: 'a booking of the new chair' },
  );
  const events = async () => (await done('listEvents', { with: { webhook_id: webhook } })).last_number;
  await until(events, { describe: 'an event of the webhook' });
  return {
    order,
    intent,
    printer: idIn(await done('addPrinter'), 'printer'),
    request: String((await done('requestMultiStamp', ana)).request_id),
    stamp: String((results as unknown as readonly { readonly stamp_id: string }[])[0]?.stamp_id),
    voucher: voucher.id,
    'voucher code': voucher.code,
    entry: String((await done('joinQueue', ana)).entry_id),
    device: String((await done('linkDevice', ana)).device_id),
    appointment: appointmentIn(booked),
    'weekly class': weeklyClassIn(await done('makeWeeklyClass', { with: { service_id: service, unit_id: unit } })),
    class: classIn(await done('makeSession', { with: { service_id: service, unit_id: unit, starts_at: tomorrowAt(20) } })),
    booking: idIn(await done('createBooking', { with: { unit_id: unit } }), 'booking'),
    staff: idIn(await done('addStaff', { with: { id: randomUUID() } }), 'staff'),
    invitation: idIn(await done('inviteStaff'), 'invitation'),
    partner: idIn(await done('createPartner'), 'partner'),
    webhook,
    campaign: idIn(await done('makeCampaign'), 'campaign'),
  };
}

export const missingRecords: Records = {
  order: unknownId,
  intent: 'pi_missing',
  printer: unknownId,
  request: unknownId,
  stamp: unknownId,
  voucher: unknownId,
  'voucher code': 'MISSING0',
  entry: unknownId,
  appointment: unknownId,
  class: unknownId,
  'weekly class': unknownId,
  device: unknownId,
  booking: unknownId,
  staff: unknownId,
  invitation: unknownId,
  partner: unknownId,
  webhook: unknownId,
  campaign: unknownId,
};
