import { readFile } from 'node:fs/promises';
import type { Express } from 'express';
import { z } from 'zod';

/** Where the operations page reads the tokens. */
export const demoTokensPath = '/docs/tokens.json';

/** The part of the run's description that is read here. */
const Run = z.object({ tokens: z.record(z.string(), z.jwt()) });

/**
 * Serves the tokens of a run's description, by name, to pages of this origin only; an empty object while the file does not exist. The file is
 * read for each request, because it is written after this process has started and may change.
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
