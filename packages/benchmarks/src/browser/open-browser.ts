import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer-core';

/**
 * Returns CHROME_PATH, else the packaged Chromium, which runs on Linux x64 only. Undefined without either; tests in a browser are then
 * skipped.
 */
export async function findBrowser(): Promise<string | undefined> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH && existsSync(CHROME_PATH)) return CHROME_PATH;
  return process.platform === 'linux' && process.arch === 'x64' ? await chromium.executablePath() : undefined;
}

/**
 * No sandbox, because it does not work for root; the browser visits only pages of the test. The language is set, since the shell's may be
 * one that no page can use, `en-US@posix`.
 */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  puppeteer.launch({
    executablePath,
    headless: 'shell',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, LC_ALL: 'en_GB.UTF-8' },
    timeout: 180_000,
    protocolTimeout: 300_000,
  });
