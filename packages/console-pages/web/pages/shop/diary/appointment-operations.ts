import { plural } from '../../../logic/format.ts';
import { type Body, type Call, pathTo, type Reply } from '../../../logic/platform.ts';
import { readAgain } from '../../../shell/queries.ts';
import { send } from '../send.ts';

const diary = '/api/v1/queue/stores/{store_id}/bookings';
type Day = Reply<`GET ${typeof diary}`>;
export type Session = Day['sessions'][number];
export type Appointment = Session['bookings'][number];

export const appointmentsPath = (store_id: string, day: string) => pathTo(diary, { store_id, day });

type Stepped = Extract<Call, `POST /api/v1/queue/bookings/{appointment_id}/${string}`>;
export type AppointmentStep = Exclude<Stepped extends `POST /api/v1/queue/bookings/{appointment_id}/${infer S}` ? S : never, 'move'>;

export async function stepAppointment({ store_id, appointment_id }: Appointment, step: AppointmentStep): Promise<void> {
  await send(`POST /api/v1/queue/bookings/{appointment_id}/${step}`, { of: appointment_id, at: { appointment_id }, body: { store_id } });
  await readAgain(pathTo(diary, { store_id }));
}

export async function makeClass(body: Body<'POST /api/v1/queue/sessions'>, key: string): Promise<void> {
  await send('POST /api/v1/queue/sessions', { of: body.store_id, body, key });
  await readAgain(pathTo(diary, { store_id: body.store_id }));
}

/** Its bookings are cancelled with it. `reason` is for the log. */
export async function cancelClass({ store_id, session_id }: Session, reason: string, key: string): Promise<void> {
  const body = { store_id, reason };
  await send('POST /api/v1/queue/sessions/{session_id}/cancel', { of: session_id, at: { session_id }, body, key });
  await readAgain(pathTo(diary, { store_id }));
}

export const weeklyClasses = '/api/v1/queue/stores/{store_id}/weekly-classes';
const weeklyClass = '/api/v1/queue/weekly-classes/{weekly_class_id}';
export type WeeklyClass = Reply<`GET ${typeof weeklyClasses}`>['weekly_classes'][number];

async function readClassesAgain(store_id: string): Promise<void> {
  await Promise.all([readAgain(pathTo(weeklyClasses, { store_id })), readAgain(pathTo(diary, { store_id }))]);
}

export async function makeWeeklyClass(body: Body<'POST /api/v1/queue/weekly-classes'>, key: string): Promise<void> {
  await send('POST /api/v1/queue/weekly-classes', { of: body.store_id, body, key });
  await readClassesAgain(body.store_id);
}

/** Returns how many classes stay as they were. */
export async function changeWeeklyClass(
  { store_id, weekly_class_id }: WeeklyClass,
  body: Body<`POST ${typeof weeklyClass}/change`>,
  key: string,
): Promise<number> {
  const { kept } = await send(`POST ${weeklyClass}/change`, { of: weekly_class_id, at: { weekly_class_id }, body, key });
  await readClassesAgain(store_id);
  return kept.length;
}

/** Returns how many classes stay. */
export async function endWeeklyClass({ store_id, weekly_class_id }: WeeklyClass, key: string): Promise<number> {
  const { kept } = await send(`POST ${weeklyClass}/end`, { of: weekly_class_id, at: { weekly_class_id }, body: { store_id }, key });
  await readClassesAgain(store_id);
  return kept.length;
}

export const keptText = (kept: number): string =>
  kept === 0 ? '' : `${plural(kept, 'class', 'classes')} with bookings, or changed by staff, stay as they were.`;

export async function bookFor(body: Body<'POST /api/v1/queue/bookings'>, key: string): Promise<void> {
  await send('POST /api/v1/queue/bookings', { of: body.store_id, body, key });
  await readAgain(pathTo(diary, { store_id: body.store_id }));
}
