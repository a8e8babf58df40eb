import { readFile } from 'node:fs/promises';
import type { Express } from 'express';
import { z } from 'zod';

/** Where the page of the operations finds them. */
export const demoTokensPath = '/docs/tokens.json';

/** As much of a run's description as matters here. */
const Run = z.object({ tokens: z.record(z.string(), z.jwt()) });

/**
 * Shows the tokens of a run's description, by name, to pages of our own; none while the run is not described yet. The file is
 * read each time, since the run is described after this process has come up, and again whenever it changes.
 */
export function addDemoTokens(app: Express, file: string): void {
  app.get(demoTokensPath, async (_request, response) => {
    response.removeHeader('Access-Control-Allow-Origin');
    response.set('Cache-Control', 'no-store').json(await tokensIn(file));
  });
}

async function tokensIn(file: string): Promise<z.output<typeof Run>['tokens']> {
  try {
    return Run.parse(JSON.parse(await readFile(file, 'utf8'))).tokens;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
