import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer-core';

/**
 * The path of a Chromium: that of CHROME_PATH, else the one that comes with the packages, which runs on Linux with an x64 processor. Undefined
 * where there is neither; tests in a browser are then skipped.
 */
export async function findBrowser(): Promise<string | undefined> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH && existsSync(CHROME_PATH)) return CHROME_PATH;
  return process.platform === 'linux' && process.arch === 'x64' ? await chromium.executablePath() : undefined;
}

/**
 * Opens a browser without windows. It has no sandbox of its own, since that does not work for root; it visits pages of the test only. Without a
 * language it would take that of the shell, which may be one that no page can use, `en-US@posix`.
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
