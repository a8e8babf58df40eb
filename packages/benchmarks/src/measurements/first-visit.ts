import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { startSystem } from '@corner/sandbox/system';
import type { Browser } from 'puppeteer-core';
import { findBrowser, openBrowser } from '../browser/open-browser.ts';
import { type Finding, rowsOf } from '../report/figures.ts';
import type { PartOptions } from './part.ts';

const [bytesPerSecond, processorRate] = [50_000, 6];
const latencies = [0, 150, 400] as const;

interface Visit {
  readonly paintedAfter: number;
  readonly readableAfter: number;
}

export async function measureFirstVisit({ repetitions, log, stop }: PartOptions): Promise<Finding[]> {
  const executable = await findBrowser();
  if (executable === undefined) throw new Error('there is no Chromium: name one in CHROME_PATH');
  const dataDir = await mkdtemp(`${tmpdir()}/corner-visit-`);
  const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const system = await startSystem({ dataDir, ports: 'any', env, shop: true, optional: ['directory'], stop });
  const browser = await openBrowser(executable);
  const findings: Finding[] = [];
  try {
    for (const latency of latencies) {
      const visits: Visit[] = [];
      for (let repetition = 0; repetition <= repetitions; repetition += 1) {
        const visit = await visitMenu(browser, `${system.run.shop}/s/S1`, latency);
        log(`first visit, ${latency} ms, ${repetition}/${repetitions}: ${JSON.stringify(visit)}`);
        if (repetition > 0) visits.push(visit);
      }
      const row = rowsOf(visits, `first visit of a menu, 400 kbit/s, ${latency} ms, a sixth of the processor: `);
      findings.push(
        row('painted', 's', 'less', ({ paintedAfter }) => paintedAfter, { at: 'most', value: 1 }),
        row('readable', 's', 'less', ({ readableAfter }) => readableAfter, { at: 'most', value: 2 }),
      );
    }
    return findings;
  } finally {
    await browser.close();
    await system.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function visitMenu(browser: Browser, address: string, latency: number): Promise<Visit> {
  const phone = await browser.createBrowserContext();
  try {
    const page = await phone.newPage();
    await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    const conditions = { offline: false, latency, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
    await session.send('Network.emulateNetworkConditions', conditions);
    await session.send('Emulation.setCPUThrottlingRate', { rate: processorRate });
    await page.evaluateOnNewDocument(`
      new MutationObserver(() => requestAnimationFrame((now) => {
        if (document.querySelector('.menu-item')) globalThis.readableAt ??= now;
      })).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction('globalThis.readableAt');
    const [painted, readable] = (await page.evaluate(
      `[performance.getEntriesByName('first-paint')[0].startTime, globalThis.readableAt]`,
    )) as [number, number];
    return { paintedAfter: painted / 1000, readableAfter: readable / 1000 };
  } finally {
    await phone.close();
  }
}
