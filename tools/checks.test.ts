import { expect, test } from '@jest/globals';
import { missingTests } from './check-operation-tests.ts';
import { missingPartsOfServices } from './check-services.ts';
import { readFiles } from './walls/read-files.ts';

test('each problem of each operation is named by a test of that operation', () => {
  expect(missingTests()).toEqual([]);
});

test('a problem that no test names, and an operation without a test, are named', () => {
  const files = new Map(
    [...readFiles()].filter(([path]) => !path.includes('/operations/get-order') && !path.includes('/operations/refund')),
  );
  const missing = missingTests(files);
  expect(missing).toContainEqual(expect.stringContaining('orders.getOrder has no test'));
  expect(missing).toContainEqual(expect.stringMatching(/orders\.refundOrder/));
});

test('every service has all its parts', () => {
  expect(missingPartsOfServices()).toEqual([]);
});

test('a fifth service is named with each part that it lacks', () => {
  expect(missingPartsOfServices(['orders', 'loyalty', 'queue', 'notifications', 'bookings'])).toEqual([
    'services/bookings/package.json is missing',
    'services/bookings/src/main.ts is missing',
    'services/bookings/src/migrate.ts is missing',
    'services/bookings/src/service.ts is missing',
    'services/bookings/migrations is missing',
    'services/bookings/schema.sql is missing',
    'services/bookings/README.md is missing',
    'packages/contracts/src/bookings is missing: operations, events and RPCs of bookings',
    'docker-compose.yml lacks bookings:',
    'docker-compose.yml lacks bookings-migrations:',
    'docker-compose.yml lacks BOOKINGS_URL:',
    'deploy/prometheus/prometheus.yml lacks the target bookings:8080',
  ]);
});

test('a folder of services/ that the list lacks is named', () => {
  expect(missingPartsOfServices(['orders', 'loyalty', 'queue'])).toEqual([
    'services/notifications is not in the list: add it to services of packages/contracts/src/vocabulary.ts',
  ]);
});
