import { expect, test } from '@jest/globals';
import { readPush } from './push-message.ts';

const origin = 'https://shop.test';
const message = { title: 'Ready', body: 'Order S1-7', tag: 'order', url: '/orders/7', message_id: 'm' };

test('a push is read, and leads to an address of this origin only', () => {
  expect(readPush(JSON.stringify(message), origin)).toEqual({ ...message, url: `${origin}/orders/7` });
  for (const url of [null, 'https://elsewhere.test/', '//elsewhere.test/x', 'javascript:alert(1)', 7])
    expect(readPush(JSON.stringify({ ...message, url }), origin)).toEqual({ ...message, url: null });
});

test('what is no message is shown as none', () => {
  for (const text of [undefined, '', 'null', '[]', '{}', '{"title":1}', 'not json']) expect(readPush(text, origin)).toBeNull();
  expect(readPush('{"title":"Ready"}', origin)).toEqual({ title: 'Ready', body: '', tag: '', url: null, message_id: null });
});
