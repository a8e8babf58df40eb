import { requiredServices } from '@corner/contracts';
import { startSystem } from '@corner/sandbox/system';
import { openHistory } from '@corner/simulation';
import { testFolder, until } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { checkAtRest } from '../testing/checker.ts';
import { startNatsCluster } from '../testing/nats-cluster.ts';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';

test('on three NATS servers with TLS and users, the death of the one that leads the stream of orders loses nothing', async () => {
  await using folder = await testFolder();
  await using cluster = await startNatsCluster(folder.path);
  const { DATABASE_URL: _database, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  await using system = await startSystem({
    dataDir: `${folder.path}/system`,
    ports: 'any',
    natsAccess: cluster.access,
    env: { ...env, RATE_LIMITS: 'off', ...cluster.settings },
  });
  const history = openHistory();
  const leader = await until(() => cluster.leaderOf('ORDERS'), { describe: 'a leader' });
  await runOrderScenario(
    {
      system,
      history,
      beforeStep: async (step) => {
        if (step === 'confirm') await leader.kill();
      },
    },
    await newShopper(system),
  );
  expect(await checkAtRest(system, history)).toEqual([]);
  await until(async () => (await cluster.leaderOf('ORDERS')).name !== leader.name, { describe: 'another leader' });
  for (const service of requiredServices) {
    const isWell = async () => {
      const { checks } = (await (await fetch(`${system.services[service].url}/readyz`)).json()) as { checks: object };
      expect(checks).toMatchObject({ nats: 'ok', relay: 'ok', consumers: 'ok' });
      return true;
    };
    await until(isWell, { describe: `${service} to be well` });
  }
  const connection = await cluster.connect();
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  for (const service of requiredServices) {
    const { config } = await until(() => jsm.streams.info(service.toUpperCase()), { describe: `the stream of ${service}` });
    expect([service, config.num_replicas]).toEqual([service, 3]);
  }
  await connection.close();
});
