import type { Page } from 'puppeteer-core';

/** Lets the server carry out the next request of a method and a matching path, and loses the response. `lost` resolves then. */
export async function loseResponse(page: Page, method: string, path: RegExp): Promise<{ readonly lost: Promise<void> }> {
  const session = await page.createCDPSession();
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  let isLost = false;
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isIt = !isLost && request.method === method && path.test(new URL(request.url).pathname);
    if (!isIt) return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    isLost = true;
    void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }).then(() => resolve());
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/v1/*', requestStage: 'Response' }] });
  return { lost };
}
