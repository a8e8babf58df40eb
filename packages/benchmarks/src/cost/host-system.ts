import { signIn } from '../load/customers.ts';

// A separate process that starts the system of one checkout, with that checkout's code, for the process that measures it. Ends with it.

export type Hosted = Awaited<ReturnType<typeof start>>['hosted'];

async function start(checkout: string) {
  const own = async <Module>(file: string) => (await import(`${checkout}/packages/benchmarks/src/system/${file}.ts`)) as Module;
  const { startBenchSystem } = await own<typeof import('../system/bench-system.ts')>('bench-system');
  const { untilSettled } = await own<typeof import('../system/settled.ts')>('settled');
  const stopped = new AbortController();
  process.once('disconnect', () => stopped.abort());
  process.on('SIGINT', () => {});
  const bench = await startBenchSystem({ stop: stopped.signal });
  const { system, rewarding } = bench;
  const { gatewayUrl, paymentsUrl, databaseUrl, services, postgres, nats, messages, payments } = system;
  const { ids, headers } = await signIn(system, rewarding.customerIds);
  const pidOf = ({ pid }: { readonly pid: number }) => ({ pid });
  const hosted = {
    gatewayUrl,
    paymentsUrl,
    databaseUrl,
    processes: {
      services: Object.fromEntries(Object.values(services).map(({ name, pid }) => [name, { name, pid }])),
      postgres: pidOf(postgres),
      nats: pidOf(nats),
      messages: pidOf(messages),
      payments: payments && pidOf(payments),
    },
    stores: rewarding.stores,
    customers: ids.map((id, i) => ({ id, headers: headers(i) })),
  };
  return { hosted, settle: () => untilSettled(bench) };
}

const { hosted, settle } = await start(process.argv[2] ?? '');
process.on('message', async () => {
  await settle();
  process.send?.('settled');
});
process.send?.(hosted);
