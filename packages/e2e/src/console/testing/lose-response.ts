import type { Page } from 'puppeteer-core';

/**
 * Lets the next request of a method to a path that fits have no response. The server does what it asks for: only the response is lost. Resolves once that
 * is so.
 */
export async function loseResponse(page: Page, method: string, path: RegExp): Promise<{ readonly lost: Promise<void> }> {
  // The session stays: one that ends while the page's next request is held could leave that one without a response too.
  const session = await page.createCDPSession();
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  let isLost = false;
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isIt = !isLost && request.method === method && path.test(new URL(request.url).pathname);
    // A page that is closed meanwhile needs no response.
    if (!isIt) return void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    isLost = true;
    void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }).then(() => resolve());
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/v1/*', requestStage: 'Response' }] });
  return { lost };
}
