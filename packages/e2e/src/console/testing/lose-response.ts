import type { Page } from 'puppeteer-core';

/**
 * Loses the response to the next request of a method and a matching path, after the server has carried it out. `lost` resolves when that
 * has happened.
 */
export async function loseResponse(page: Page, method: string, path: RegExp): Promise<{ readonly lost: Promise<void> }> {
  // The session stays open: ending it while the page's next request is held could lose that response too.
  const session = await page.createCDPSession();
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  let isLost = false;
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isIt = !isLost && request.method === method && path.test(new URL(request.url).pathname);
    // The page may have closed meanwhile.
    if (!isIt) return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    isLost = true;
    void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }).then(() => resolve());
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/v1/*', requestStage: 'Response' }] });
  return { lost };
}
