import { writeFileSync } from 'node:fs';
import { people, stores } from '@corner/sandbox/demo';
import { documentedCommands, runCommands, testFolder, until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { newShopper, runOrderScenario } from '../testing/order-scenario.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await sharedEnvironment();
});

const store = stores.coffee.id;
const tokenOf = (role: 'owner' | 'staff') =>
  environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [store], name: people.bo.name, role });

async function asOwner(method: string, path: string, body?: object) {
  const response = await fetch(`${environment.system.gatewayUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf('owner')}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
  return (await response.json()) as any;
}

const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date());
async function prove(token: string) {
  const { gatewayUrl, natsUrl, services } = environment.system;
  await using folder = await testFolder();
  writeFileSync(`${folder.path}/keys.json`, await (await fetch(`${gatewayUrl}/api/v1/orders/reports/keys`)).text());
  const [command = ''] = documentedCommands('docs/proofs.md', 'Nothing missing, from the tap to the bookkeeper');
  const text = command.replace(' S1 ', ` ${store} `).replaceAll(/2026-11-\d\d/g, today());
  const left = services.directory ? '' : 'directory';
  const [output, code] = await runCommands(`${text.trimEnd()} 2>&1`, folder.path, {
    GATEWAY: gatewayUrl,
    CORNER_TOKEN: token,
    NATS_URL: natsUrl,
    SERVICES_LEFT_OUT: left,
  });
  return { output, code };
}

test('an order and its refund are proved from the outboxes to the webhook in one list; a token of staff is refused', async () => {
  const webhooks = `/api/v1/notifications/stores/${store}/webhooks`;
  const { webhook } = await asOwner('POST', webhooks, { url: null });
  await runOrderScenario(environment, await newShopper(environment.system));
  const numbered = async () => {
    const listed = (await asOwner('GET', webhooks)).webhooks as { id: string; last_number: number }[];
    return (listed.find(({ id }) => id === webhook.id)?.last_number ?? 0) >= 5;
  };
  await until(numbered, { describe: 'the events of the order at the webhook' });
  // A service that does not reply in time makes a proof incomplete.
  const proved = async () => {
    const { code, output } = await prove(await tokenOf('owner'));
    if (code !== 0) throw new Error(output);
    return output;
  };
  const output = await until(proved, { describe: 'a complete proof' });
  expect(output).toMatch(/complete so far, proved at \d{4}-/);
  expect(output).toMatch(/ok {2}orders → loyalty: \d+ events, up to number \d+\n/);
  expect(output).toMatch(new RegExp(`ok  webhook ${webhook.id}: events 1 to \\d+, [0-9a-f]{64}`));
  expect(output).toMatch(new RegExp(`ok  closed days: 0 days, 0 rows; not closed yet: ${today()}`));
  const refused = await prove(await tokenOf('staff'));
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('was refused with 403')]);
});
