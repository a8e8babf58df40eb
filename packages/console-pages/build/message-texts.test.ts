import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bySending, messageText } from '../web/logic/message-texts.ts';

test('every template that the messages service writes has a text of its own', () => {
  const source = new URL('../../../services/notifications/src/messages/texts/en.ts', import.meta.url);
  const templates = [...readFileSync(source, 'utf8').matchAll(/'([a-z_]+\.[a-z_]+)': \(/g)].map(([, template = '']) => template);
  expect(templates.length).toBeGreaterThan(30);
  expect(templates.filter((template) => messageText(template) === template.replaceAll(/[._]/g, ' '))).toEqual([]);
});

test('a template that is not known is shown without signs', () => {
  expect(messageText('table.wiped_down')).toBe('table wiped down');
});

test('messages that were not wanted or are of no use any more are apart from those that were sent', () => {
  const states = ['sent', 'muted', 'pending', 'superseded', 'failed'].map((state) => ({ state }));
  const { sent, notSent } = bySending(states);
  expect([sent, notSent].map((list) => list.map(({ state }) => state))).toEqual([
    ['sent', 'pending', 'failed'],
    ['muted', 'superseded'],
  ]);
  expect(bySending([])).toEqual({ sent: [], notSent: [] });
});
