import { expect, test } from '@jest/globals';
import { appointmentSteps, bookedBy, lackingTexts, statusText } from './appointment-steps.ts';

const at = (status: Parameters<typeof appointmentSteps>[0]['status'], now: string) =>
  appointmentSteps({ status, starts_at: '2026-05-01T12:00:00Z' }, Date.parse(now)).map(([step]) => step);

test('a booking can be marked as a no-show from its start on, and its end be undone', () => {
  expect(at('booked', '2026-05-01T11:59:59Z')).toEqual(['arrive', 'cancel']);
  expect(at('booked', '2026-05-01T12:00:00Z')).toEqual(['arrive', 'no-show', 'cancel']);
  expect(at('requested', '2026-05-01T11:00:00Z')).toEqual(['confirm', 'arrive', 'cancel']);
  expect([at('arrived', '2026-05-01T12:00:00Z'), at('done', '2026-05-01T13:00:00Z'), at('cancelled', '2026-05-01T13:00:00Z')]).toEqual([
    ['complete'],
    ['reopen'],
    [],
  ]);
});

test('one that waits for a place in a class can only be taken off the list', () => {
  const waiting = { status: 'requested', starts_at: '2026-05-01T12:00:00Z', waitlist: { place: 2, offer_until: null } } as const;
  expect(appointmentSteps(waiting, Date.parse('2026-05-01T12:00:00Z')).map(([step]) => step)).toEqual(['cancel']);
  expect(statusText(waiting)).toBe('number 2 in line');
});

test('one whose deposit is due can only be cancelled, and the status says what became of the deposit', () => {
  const deposit = { booking_ref: 'b', item_id: 'deposit', state: 'due', pay_before: '2026-05-01T11:15:00Z', order_id: null } as const;
  const due = { status: 'requested', starts_at: '2026-05-01T12:00:00Z', deposit } as const;
  expect(appointmentSteps(due, Date.parse('2026-05-01T12:00:00Z')).map(([step]) => step)).toEqual(['cancel']);
  expect(statusText(due)).toBe('deposit is due');
  expect(statusText({ status: 'no_show', deposit: { ...deposit, state: 'kept' } })).toBe('no-show, deposit kept');
});

test('a party is offered to arrive within twelve hours of its start, and a booking that no one marked is done after them', () => {
  expect(at('booked', '2026-05-01T00:00:00Z')).toEqual(['cancel']);
  expect(at('booked', '2026-05-01T00:00:01Z')).toEqual(['arrive', 'cancel']);
  expect(at('booked', '2026-05-02T00:00:00Z')).toEqual(['complete', 'no-show', 'cancel']);
});

test('who booked has the name of the customer, or the one that the guest gave', () => {
  const names = [
    { customer_id: 'c', customer_name: 'Ana', guest_name: null },
    { customer_id: 'c', customer_name: null, guest_name: null },
    { customer_id: null, customer_name: null, guest_name: 'Dee' },
    { customer_id: null, customer_name: null, guest_name: null },
  ];
  expect(names.map(bookedBy)).toEqual(['Ana', 'Customer', 'Dee', 'Guest']);
});

test('a weekly class says once for each reason on which days it has none', () => {
  const ahead = [
    ['2026-05-04', 'closed'],
    ['2026-05-05', 'open'],
    ['2026-05-11', 'not_free'],
    ['2026-05-12', 'cancelled'],
    ['2026-05-18', 'not_free'],
  ] as const;
  expect(
    lackingTexts(
      ahead.map(([day, state]) => ({ day, state })),
      'en-GB',
    ),
  ).toEqual([
    'No class on Mon 4 May: the store is closed.',
    'No class on Mon 11 May, Mon 18 May: no chair is free.',
    'No class on Tue 12 May: it is cancelled.',
  ]);
});
