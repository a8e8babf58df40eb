import { connectNats } from '@corner/nats';
import { findNatsServer, startNats } from '@corner/sandbox/servers';
import { tcpProxyTo, testFolder, until } from '@corner/testkit';
import { test } from '@jest/globals';
import { natsConfiguration } from '../testing/nats-configuration.ts';

test('NATS, as it is deployed, gives up a connection that is dead and was never ended', async () => {
  await using folder = await testFolder();
  await using nats = await startNats({
    server: await findNatsServer(),
    storeFolder: folder.path,
    configuration: natsConfiguration(),
  });
  await using proxy = await tcpProxyTo(nats.url);
  const dead = await connectNats(proxy.url, 'dead');
  const namesOfConnections = async () => {
    const { connections } = (await (await fetch(`${nats.monitorUrl}/connz`)).json()) as { connections: { name?: string }[] };
    return connections.map(({ name }) => name);
  };
  await until(async () => (await namesOfConnections()).includes('dead'), { describe: 'the connection' });
  proxy.strand();
  await until(async () => !(await namesOfConnections()).includes('dead'), { describe: 'the end of the connection' });
  await dead.close();
});
