import { readFileSync } from 'node:fs';
import { type EventContract, events, operations, rpcs, services } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { checkout, readDocuments } from '../walls/read-files.ts';
import { readRow } from './read-row.ts';

interface ServiceModule {
  readonly eventHandlers: Readonly<Record<string, { readonly event: EventContract }>>;
}

const eventTypes = events.map(({ type }) => type);
const operationNames = operations.map(({ name }) => name);
const rpcNames = rpcs.map(({ name }) => name);

describe.each(services)('services/%s/README.md', (service) => {
  const readme = readFileSync(`${checkout}/services/${service}/README.md`, 'utf8');

  test('names the operations of the service in its row "operations"', () => {
    const names = operations.filter((operation) => operation.service === service).map(({ name }) => name);
    expect(readRow(readme, 'operations', operationNames)).toEqual(names.sort());
  });

  test('names the events that the service consumes in its row "consumes"', async () => {
    const { eventHandlers } = (await import(`${checkout}/services/${service}/src/service.ts`)) as ServiceModule;
    const consumed = new Set(Object.values(eventHandlers).map(({ event }) => event.type));
    expect(readRow(readme, 'consumes', eventTypes)).toEqual([...consumed].sort());
  });

  test('names the events that the service publishes in its row "publishes"', () => {
    const published = events.filter(({ producers }) => producers.includes(service));
    // An event that several services may publish need not be named by each.
    const own = published.filter(({ producers }) => producers.length === 1).map(({ type }) => type);
    const named = readRow(readme, 'publishes', eventTypes);
    expect(named).toEqual(expect.arrayContaining(own));
    expect(published.map(({ type }) => type)).toEqual(expect.arrayContaining(named));
  });

  test('names the RPCs that the service serves in its row "serves"', () => {
    const served = rpcs.filter((rpc) => rpc.service === service).map(({ name }) => name);
    expect(readRow(readme, 'serves', rpcNames)).toEqual(served.sort());
  });
});

test('a row names the known names in code quotes, and .name and noun.* stand for full names', () => {
  const readme = '# Queue\n\n| **publishes** | `queue.joined`, `.called`: of an entry; `stamp.*`; `/webhooks` |\n';
  const known = ['queue.called', 'queue.joined', 'queue.left', 'stamp.approved', 'stamp.pending'];
  expect(readRow(readme, 'publishes', known)).toEqual(['queue.called', 'queue.joined', 'stamp.approved', 'stamp.pending']);
  expect(readRow(readme, 'consumes', known)).toEqual([]);
});

test('two examples never share an idempotency key: the second would be refused with IDEMPOTENCY_KEY_REUSED', () => {
  const key = /idempotency[_-]key\W+([0-9a-f]{8}-[0-9a-f-]{27})/gi;
  const inDocuments = [...readDocuments()].map(([file, text]) => ({ file, text }));
  const inContracts = operations.map(({ name, example }) => ({ file: name, text: JSON.stringify(example) }));
  const keys = [...inDocuments, ...inContracts].flatMap(({ file, text }) =>
    [...text.matchAll(key)].map(([, found]) => `${found} in ${file}`),
  );
  expect(keys.length).toBeGreaterThan(1);
  const repeated = keys.filter((found, at) => keys.findIndex((other) => other.slice(0, 36) === found.slice(0, 36)) !== at);
  expect(repeated).toEqual([]);
});
