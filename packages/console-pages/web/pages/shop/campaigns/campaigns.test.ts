import { campaignsInMonth } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { beginText, comparisonText, fieldsOf, formOf, holdOutText, rulesText, shareText } from './campaigns.ts';

const ended_at = '2026-05-01T12:00:00Z';
const later = Date.parse('2026-06-01T12:00:00Z');
const sent = { sent: 0, muted: 0, failed: 0, stopped: 0 };
const compared = (came_back: number, written: number, held_out_came_back: number, held_out: number, now = later) =>
  comparisonText({ ended_at, results: { ...sent, written, came_back, held_out, held_out_came_back } }, now, 'Europe/London');

test('a difference is called one only when chance alone makes it once in twenty times at most', () => {
  expect(compared(400, 1_800, 20, 200)).toContain('brought customers back');
  expect(compared(200, 1_800, 20, 200)).toContain('may well be chance');
  expect(compared(180, 1_800, 60, 200)).toContain('fewer came of those who got it');
});

test('of few customers it is said that they are too few, and without any left out that nothing can be compared', () => {
  expect(compared(40, 180, 0, 20)).toContain('Too few to compare: 20 customers were left out');
  expect(compared(0, 1_800, 0, 200)).toContain('Too few');
  expect(compared(40, 150, 0, 0)).toContain('No one was left out');
});

test('a share of few customers has no percentage', () => {
  expect([shareText(0, 0), shareText(1, 19), shareText(1, 20)]).toEqual(['0 of 0', '1 of 19', '1 of 20 (5.0 %)']);
});

test('nothing is compared before everyone had fourteen days', () => {
  expect(compared(400, 1_800, 20, 200, Date.parse('2026-05-16T11:59:59Z'))).toContain('too early to compare');
  expect(compared(400, 1_800, 20, 200, Date.parse('2026-05-16T12:00:00Z'))).toContain('brought customers back');
});

test('the first message goes at once from nine to nine by the clock of the store, and else at nine in the morning', () => {
  const at = (time: string) => beginText(Date.parse(`2026-06-01T${time}:00Z`), 'Europe/Paris');
  expect([at('07:00'), at('18:59')].map((text) => text.startsWith('The first goes at once'))).toEqual([true, true]);
  expect([at('06:59'), at('19:00')]).toEqual([
    'It is 08:59 at the store: the first goes at nine in the morning.',
    'It is 21:00 at the store: the first goes at nine in the morning.',
  ]);
});

test('what is said of campaigns agrees with the contract', () => {
  expect(rulesText).toContain(`at most ${campaignsInMonth} of`);
  expect([holdOutText(199), holdOutText(200)]).toEqual([null, expect.stringContaining('tenth')]);
});

test('a campaign is written again from what it was', () => {
  const written = { audience: { kind: 'not_seen', days: 45 }, title: 'Beans', body: 'Come.' } as const;
  expect(fieldsOf(formOf(written))).toEqual(written);
  expect(fieldsOf({ kind: 'everyone', days: 'x', title: ' a ', body: 'b\n' })).toEqual({
    audience: { kind: 'everyone' },
    title: 'a',
    body: 'b',
  });
});
