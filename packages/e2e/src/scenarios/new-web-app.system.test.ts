import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createClient } from '@corner/client';
import { people, stores } from '@corner/sandbox/demo';
import { checkout } from '@corner/sandbox/system';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { press, untilText } from '../shop/testing/shop-in-browser.ts';
import { findBrowser, openBrowser, openPage } from '../testing/open-browser.ts';
import { startTestEnvironment } from '../testing/test-environment.ts';

const executable = await findBrowser();
const inBrowser = executable ? test : test.skip;

inBrowser(
  'corner new app --web writes a shop from an empty folder, whose types are checked, and in which an order is paid and followed',
  async () => {
    await using empty = await testFolder();
    await using environment = await startTestEnvironment({}, { optional: ['directory'] });
    const [folder, tools] = [`${empty.path}/my-shop`, `${empty.path}/tools`];
    mkdirSync(tools);
    symlinkSync(process.execPath, `${tools}/node`);
    symlinkSync(`${checkout}/node_modules/typescript/bin/tsc`, `${tools}/tsc`);
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, PORT: '0' };
    const done = (command: string, args: readonly string[], cwd: string) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    };
    done(process.execPath, ['packages/cli/src/main.ts', 'new', 'app', '--web', folder, '--data', environment.folder], checkout);
    // npm looks up what a development dependency is even where it does not install it, and there may be no network.
    done('npm', ['pkg', 'delete', 'devDependencies'], folder);
    done('npm', ['install', '--offline', '--no-audit', '--no-fund'], folder);

    const server = spawn('npm', ['start', '--silent'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const browser = await openBrowser(executable ?? '');
    try {
      let url = '';
      for await (const line of createInterface({ input: server.stdout })) {
        url = line;
        if (line.startsWith('http')) break;
      }
      const { page, errors } = await openPage(browser, url);
      await page.goto(url);
      await press(page, 'Filter');
      await press(page, 'Pay by a card that is declined');
      await untilText(page, 'The card was declined');
      await press(page, 'Pay by card');
      await untilText(page, ': accepted', 'h1');
      const orderId = new URL(page.url()).searchParams.get('order') ?? '';
      const { id: store_id } = stores.coffee;
      const claims = { typ: 'merchant', sub: people.bo.id, stores: [store_id], name: people.bo.name } as const;
      const staff = createClient({ baseUrl: environment.system.gatewayUrl, token: await environment.system.tokens.token(claims) });
      const params = { path: { orderId } };
      await staff.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status: 'preparing' } });
      await untilText(page, ': preparing', 'h1');
      await page.reload();
      await untilText(page, ': preparing', 'h1');
      // The provider replies 402 to a declined card.
      expect(errors.filter((error) => !error.includes('402'))).toEqual([]);
    } finally {
      await browser.close();
      process.kill(-(server.pid ?? 0), 'SIGTERM');
    }
  },
);
