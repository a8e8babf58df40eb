import { expect, test } from '@jest/globals';
import { RequestFailed, sentence } from '../../../logic/refusal.ts';
import { fieldErrorsOf } from './field-errors.ts';

const refused = (message: string, code = 'VALIDATION_FAILED') => new RequestFailed(400, code, sentence(message));

test('a refusal of several fields says each at its field, an entry of a list by its key', () => {
  const body = { items: [{ id: 'flat-white', price_pence: -1 }], hours: [{ opens: '25:00' }] };
  const message =
    'body.name: Too small: expected string to have >=1 characters; body.items[0].price_pence: Too small: expected number to be >=0; body.hours[0].opens: must be a time of day such as 09:30';
  expect(fieldErrorsOf(refused(message), body)).toEqual({
    name: 'Must not be empty.',
    'items.flat-white.price_pence': 'Must be at least 0.',
    'hours.0.opens': 'Must be a time of day such as 09:30.',
  });
});

test('a refusal by a rule of the service, of a role or of a code is at its field too', () => {
  expect(fieldErrorsOf(refused('closures.ends_at: must be after starts_at'), {})).toEqual({
    'closures.ends_at': 'Must be after starts_at.',
  });
  expect(fieldErrorsOf(refused('name: only an owner of the store may change it', 'INSUFFICIENT_ROLE'), {})).toHaveProperty('name');
  expect(fieldErrorsOf(refused('Another store has this code.', 'STORE_CODE_TAKEN'), {})).toEqual({ code: 'Another store has this code.' });
});

test('a refusal without a field, and a response that was lost, are at no field', () => {
  expect(fieldErrorsOf(refused('The object would be too large to be published'), {})).toEqual({});
  expect(fieldErrorsOf(new RequestFailed(0, 'NO_CONNECTION', 'body.name: x'), {})).toEqual({});
});
