import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { createSeal } from './seal.ts';

const Value = z.object({ a: z.number() });
const [first, second] = [randomBytes(32), randomBytes(32)];

test('a value is opened by every key of the list, for the purpose and the schema that it was sealed for', async () => {
  const sealed = await createSeal([first], 'one').seal({ a: 1 });
  expect(sealed).not.toContain(Buffer.from('"a"').toString('base64url'));
  expect(await createSeal([second, first], 'one').open(Value, sealed)).toEqual({ a: 1 });
  expect(await createSeal([second], 'one').open(Value, sealed)).toBeNull();
  expect(await createSeal([first], 'another').open(Value, sealed)).toBeNull();
  expect(await createSeal([first], 'one').open(z.object({ b: z.number() }), sealed)).toBeNull();
});

test('the purpose cannot be changed from outside', async () => {
  const [, ...rest] = (await createSeal([first], 'one').seal({ a: 1 })).split('.');
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM","typ":"another"}').toString('base64url');
  expect(await createSeal([first], 'another').open(Value, [header, ...rest].join('.'))).toBeNull();
});
