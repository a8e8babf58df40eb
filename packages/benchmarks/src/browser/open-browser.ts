import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer-core';

/**
 * The path of a Chromium: that of CHROME_PATH, else the packaged one, which runs on Linux with an x64 processor. Undefined without either;
 * tests in a browser are then skipped.
 */
export async function findBrowser(): Promise<string | undefined> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH && existsSync(CHROME_PATH)) return CHROME_PATH;
  return process.platform === 'linux' && process.arch === 'x64' ? await chromium.executablePath() : undefined;
}

/**
 * Opens a headless browser. It has no sandbox, which does not work for root; it visits only pages of the test. The language is set, since
 * the shell's may be one that no page can use, `en-US@posix`.
 */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath,
    headless: 'shell',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, LC_ALL: 'en_GB.UTF-8' },
    // Safety nets, long enough for a busy machine.
    timeout: 180_000,
    protocolTimeout: 300_000,
  });
