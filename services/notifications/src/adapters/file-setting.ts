import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ServiceAccount } from './google-access.ts';

/** A setting that names a file, read as the text it holds. */
export const file = z
  .string()
  .min(1)
  .transform((path, context) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      context.addIssue({ code: 'custom', message: `cannot be read (${(error as { code?: string }).code})` });
      return z.NEVER;
    }
  });

/** A setting that names the file Google hands out for a service account. */
export const serviceAccount = file.transform((content, context) => {
  try {
    return ServiceAccount.parse(JSON.parse(content));
  } catch {
    context.addIssue({ code: 'custom', message: 'is not the file of a service account' });
    return z.NEVER;
  }
});
