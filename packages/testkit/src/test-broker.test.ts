import { expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { testBroker } from './test-broker.ts';

test("two tests on one server do not see each other's streams, and each deletes its own", async () => {
  const one = await testBroker();
  await using other = await testBroker();
  expect(other.url).toBe(one.url);
  expect(other.namespace).not.toBe(one.namespace);
  expect(one.namespace).toMatch(/^[a-z0-9_]+$/);

  const connection = await connect({ servers: new URL(one.url).host });
  const manager = await jetstreamManager(connection);
  await one[Symbol.asyncDispose]();
  const left: string[] = [];
  for await (const name of manager.streams.names()) left.push(name);
  await connection.close();
  expect(left).not.toContain(`${one.namespace.toUpperCase()}ORDERS`);
  expect(left).toContain(`${other.namespace.toUpperCase()}ORDERS`);
});
