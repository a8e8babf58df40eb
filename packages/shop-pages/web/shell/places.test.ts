import { expect, test } from '@jest/globals';
import { mapLink, postalLines } from './places.ts';

const address = { lines: ['12 Market Street'], postcode: 'E8 1AB', city: 'London', country: 'GB' };
const position = { latitude: 51.543, longitude: -0.0553 };
const name = 'Corner & Co';

test('a store is found on a map by its position, by the app of an Android phone and by a page elsewhere', () => {
  expect(mapLink({ name, address, position }, true)).toBe('geo:51.543,-0.0553?q=51.543%2C-0.0553(Corner%20%26%20Co)');
  expect(mapLink({ name, address, position }, false)).toBe('https://www.openstreetmap.org/?mlat=51.543&mlon=-0.0553#map=18/51.543/-0.0553');
});

test('a store without a position is found by its address, and one without either is on no map', () => {
  expect(mapLink({ name, address, position: null }, true)).toBe('geo:0,0?q=12%20Market%20Street%2C%20London%2C%20E8%201AB%2C%20GB');
  expect(mapLink({ name, address, position: null }, false)).toBe(
    'https://www.openstreetmap.org/search?query=12+Market+Street%2C+London%2C+E8+1AB%2C+GB',
  );
  expect(mapLink({ name, address: null, position: null }, true)).toBeNull();
});

test('the postcode is where the country writes it', () => {
  expect(postalLines({ ...address, lines: ['1 rue Oberkampf'], postcode: '75011', city: 'Paris', country: 'FR' })).toEqual([
    '1 rue Oberkampf',
    '75011 Paris',
  ]);
});
