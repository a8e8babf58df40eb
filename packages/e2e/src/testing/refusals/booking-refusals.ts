import { people, stores } from '@corner/sandbox/demo';
import { type RefusalRun, unknownId } from './refusal-run.ts';

const tomorrowAt = (hour: number): string =>
  new Date((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + hour * 3_600_000).toISOString();

export async function refuseBookings({ refused, done, newCustomer, changeRow, environment }: RefusalRun): Promise<void> {
  const { token } = await newCustomer();
  const booked = async (hour: number, more: object = {}) =>
    (
      (await done('makeBooking', { token, with: { starts_at: tomorrowAt(hour), ...more } })).booking as unknown as {
        appointment_id: string;
      }
    ).appointment_id;
  const sessionOf = (reply: Record<string, unknown>) => (reply.session as { session_id: string }).session_id;

  for (const [name, more] of [
    ['readTimes', {}],
    ['makeBooking', { starts_at: tomorrowAt(9) }],
  ] as const) {
    await refused(name, 'SERVICE_NOT_FOUND', { token, with: { service_id: unknownId, ...more } });
    await refused(name, 'UNIT_NOT_FOUND', { token, with: { unit_id: unknownId, ...more } });
  }
  await refused('makeBooking', 'BOOKINGS_NOT_ACCEPTED', { token, with: { store_id: stores.coffee.id } });
  await refused('makeBooking', 'SESSION_NOT_FOUND', { token, with: { session_id: unknownId } });
  await refused('makeBooking', 'TIME_NOT_FREE', { token, with: { starts_at: '2026-01-01T10:00:00Z' } });

  const id = await booked(15);
  const move = { appointment_id: id, starts_at: tomorrowAt(16) };
  await refused('moveBooking', 'UNIT_NOT_FOUND', { token, with: { ...move, unit_id: unknownId } });
  await refused('moveBooking', 'TIME_NOT_FREE', { token, with: { ...move, starts_at: '2026-01-01T10:00:00Z' } });
  for (let hour = 16; hour < 23; hour += 1) await booked(hour);
  await refused('makeBooking', 'TOO_MANY_BOOKINGS', { token, with: { starts_at: tomorrowAt(23) } });
  await refused('noShowBooking', 'INVALID_TRANSITION', { with: { appointment_id: id } });
  await done('completeBooking', { with: { appointment_id: id } });
  const chair = '0190a000-0000-7000-8000-000000000711';
  await done('makeSession', { with: { starts_at: tomorrowAt(15), unit_id: chair } });
  await refused('reopenBooking', 'TIME_NOT_FREE', { with: { appointment_id: id } });
  for (const name of ['confirmBooking', 'arriveBooking', 'moveBooking', 'cancelBooking'])
    await refused(name, 'INVALID_TRANSITION', { ...(/move|cancel/.test(name) ? { token } : {}), with: { ...move, appointment_id: id } });

  const soon = await booked(23, { service_id: '0190a000-0000-7000-8000-000000000702' });
  await changeRow(
    `update queue.session set starts_at = now() + interval '5 minutes', ends_at = now() + interval '6 minutes', free_at = now() + interval '6 minutes'
     where id = (select session_id from queue.session_booking where appointment_id = $1)`,
    soon,
  );
  for (const name of ['moveBooking', 'cancelBooking'])
    await refused(name, 'NOTICE_PASSED', { token, with: { ...move, appointment_id: soon } });
  const next = (await newCustomer()).token;
  const later = (await done('makeBooking', { token: next, with: { starts_at: tomorrowAt(9) } })).booking as unknown as {
    appointment_id: string;
  };
  await done('cancelBooking', { token: next, with: { appointment_id: later.appointment_id } });
  for (const name of ['completeBooking', 'reopenBooking'])
    await refused(name, 'INVALID_TRANSITION', { with: { appointment_id: later.appointment_id } });

  await refused('makeSession', 'SERVICE_NOT_FOUND', { with: { service_id: unknownId } });
  await refused('makeSession', 'UNIT_NOT_FOUND', { with: { unit_id: unknownId } });
  await refused('makeSession', 'TIME_NOT_FREE', { with: { starts_at: '2026-01-01T10:00:00Z' } });
  const session_id = sessionOf(await done('makeSession', { with: { starts_at: tomorrowAt(6), places: 3 } }));
  await refused('changeSession', 'UNIT_NOT_FOUND', { with: { session_id, unit_id: unknownId } });
  await refused('changeSession', 'TIME_NOT_FREE', { with: { session_id, starts_at: '2026-01-01T10:00:00Z' } });
  const other = (await newCustomer()).token;
  const place = (await done('makeBooking', { token: other, with: { session_id, party_size: 3 } })).booking as unknown as {
    appointment_id: string;
  };
  await refused('changeSession', 'TOO_MANY_BOOKINGS', { with: { session_id, places: 2 } });
  await refused('moveBooking', 'SESSION_NOT_FOUND', { token: other, with: { ...place, session_id: unknownId } });
  const waiting = (await done('makeBooking', { token: next, with: { session_id, wait: true } })).booking as unknown as {
    appointment_id: string;
  };
  await refused('acceptBooking', 'INVALID_TRANSITION', { token: next, with: { appointment_id: waiting.appointment_id } });
  await done('changeSession', { with: { session_id, places: 4 } });
  await done('cancelSession', { with: { session_id } });
  await refused('changeSession', 'INVALID_TRANSITION', { with: { session_id } });

  for (const [code, more] of [
    ['SERVICE_NOT_FOUND', { service_id: unknownId }],
    ['UNIT_NOT_FOUND', { unit_id: unknownId }],
  ] as const)
    await refused('makeWeeklyClass', code, { with: more });
  const weekly = (await done('makeWeeklyClass')).weekly_class as unknown as { weekly_class_id: string };
  await refused('changeWeeklyClass', 'UNIT_NOT_FOUND', { with: { ...weekly, unit_id: unknownId } });
  const barber = await environment.system.tokens.token({ typ: 'staff', sub: people.cy.id, stores: [stores.cuts.id] });
  for (const name of ['makeWeeklyClass', 'changeWeeklyClass', 'endWeeklyClass'])
    await refused(name, 'INSUFFICIENT_ROLE', { token: barber, with: name === 'makeWeeklyClass' ? {} : weekly });
  await done('endWeeklyClass', { with: weekly });
  await refused('changeWeeklyClass', 'INVALID_TRANSITION', { with: weekly });

  const { entry_id } = await done('joinQueue');
  await refused('convertQueueEntry', 'UNIT_NOT_FOUND', { with: { entry_id, starts_at: tomorrowAt(7), unit_id: unknownId } });
  await refused('convertQueueEntry', 'TIME_NOT_FREE', { with: { entry_id, starts_at: '2026-01-01T10:00:00Z' } });
  await done('leaveQueue', { with: { entry_id } });
}
