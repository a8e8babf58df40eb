import type { Host, Hosted, Hosting } from '@corner/sandbox/system';

/** Returns a host that runs the programs of a system in this process. The modules of a program are loaded with its first start. */
export function hostPrograms(): Host {
  return {
    async start(source, hosting) {
      const start = programs[source];
      if (!start) throw new Error(`${source} does not run in this process: name it in packages/platform`);
      return await start(hosting);
    },
    async migrate(part, env) {
      const { migratePart } = await import('./migrate-part.ts');
      await migratePart(part, env);
    },
  };
}

type Start = (hosting: Hosting) => Promise<Hosted>;

const hosted = async (
  program: Parameters<typeof import('@corner/chassis/host').hostProgram>[0],
  { cwd, env, write }: Hosting,
): Promise<Hosted> => {
  const { hostProgram } = await import('@corner/chassis/host');
  return await hostProgram(program, { folder: cwd, environment: env, write });
};

const programs: Readonly<Record<string, Start>> = {
  'services/orders/src/main.ts': async (hosting) => hosted((await import('@corner/orders/service')).ordersProgram, hosting),
  'services/loyalty/src/main.ts': async (hosting) => hosted((await import('@corner/loyalty/service')).loyaltyProgram, hosting),
  'services/queue/src/main.ts': async (hosting) => hosted((await import('@corner/queue/service')).queueProgram, hosting),
  'services/notifications/src/main.ts': async (hosting) =>
    hosted((await import('@corner/notifications/service')).notificationsProgram, hosting),
  'services/directory/src/main.ts': async (hosting) => hosted((await import('@corner/directory/service')).directoryProgram, hosting),
  'services/gateway/src/main.ts': async (hosting) => hosted((await import('@corner/gateway/gateway')).gatewayProgram, hosting),
  'services/console/src/development.ts': async (hosting) =>
    hosted((await import('@corner/console/development')).developmentConsole, hosting),
  'services/console/src/storefront.ts': async (hosting) => hosted((await import('@corner/console/storefront')).storefrontProgram, hosting),
  'packages/sandbox/src/payments/main.ts': async ({ env }) => (await import('@corner/sandbox/payments')).paymentsOf(env),
  'packages/sandbox/src/messages/main.ts': async ({ env }) => (await import('@corner/sandbox/messages')).messagesOf(env),
};
