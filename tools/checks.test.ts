import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { missingTests } from './check-operation-tests.ts';
import { missingPartsOfServices } from './check-services.ts';
import { checkout, readFiles } from './walls/read-files.ts';

test('each problem of each operation is named by a test of that operation', () => {
  expect(missingTests()).toEqual([]);
});

test('a problem that no test names, and an operation without a test, are named', () => {
  const files = new Map([...readFiles()].filter(([path]) => !/\/orders\/.*\/(read-orders|refund|work-of)/.test(path)));
  const missing = missingTests(files);
  expect(missing).toContainEqual(expect.stringContaining('orders.getOrder has no test'));
  expect(missing).toContainEqual(expect.stringMatching(/orders\.refundOrder/));
});

test('every service has all its parts', () => {
  expect(missingPartsOfServices()).toEqual([]);
});

test('a fifth service is named with each part that it lacks', () => {
  expect(missingPartsOfServices([...services, 'example'])).toEqual([
    'services/example/package.json is missing',
    'services/example/src/main.ts is missing',
    'services/example/src/migrate.ts is missing',
    'services/example/src/service.ts is missing',
    'services/example/migrations is missing',
    'services/example/schema.sql is missing',
    'services/example/README.md is missing',
    'packages/contracts/src/example is missing: operations, events and RPCs of example',
    'docker-compose.yml lacks example:',
    'docker-compose.yml lacks example-migrations:',
    'docker-compose.yml lacks EXAMPLE_URL:',
    'docker-compose.yml lacks example=http://example:8080',
    'deploy/prometheus/prometheus.yml lacks the name example',
    'deploy/prometheus/alerts.yml lacks example in the alert NoReplica',
  ]);
});

test('a console that is not deployed is named with each file that lacks it', () => {
  const read = (path: string) => readFileSync(`${checkout}/${path}`, 'utf8').replaceAll(/\bconsole\b/g, 'other');
  expect(missingPartsOfServices(services, read)).toEqual([
    'docker-compose.yml lacks console:',
    'deploy/prometheus/prometheus.yml lacks the name console',
    'deploy/prometheus/alerts.yml lacks console in the alert NoReplica',
  ]);
});

test('a folder of services/ that the list lacks is named', () => {
  expect(missingPartsOfServices(services.filter((name) => name !== 'notifications'))).toEqual([
    'services/notifications is not in the list: add it to services of packages/contracts/src/vocabulary.ts',
  ]);
});
