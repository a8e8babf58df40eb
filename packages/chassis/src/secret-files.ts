import { readFileSync } from 'node:fs';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

const secrets = new WeakSet<z.ZodType>();

/** Marks a setting that holds a secret: `NAME_FILE` may then name a file with its value, instead of `NAME`. */
export function secret<S extends z.ZodType>(setting: S): S {
  secrets.add(setting);
  return setting;
}

function isSecret(setting: z.ZodType): boolean {
  if (secrets.has(setting)) return true;
  return (setting instanceof z.ZodOptional || setting instanceof z.ZodDefault) && isSecret(setting.unwrap() as z.ZodType);
}

/** Returns the environment with the secrets from files, and faults by setting, which never quote a value. */
export function withSecretFiles(
  shape: Readonly<Record<string, z.ZodType>>,
  env: Environment,
): { readonly values: Environment; readonly faults: ReadonlyMap<string, string> } {
  const values: Record<string, string | undefined> = { ...env };
  const faults = new Map<string, string>();
  for (const [name, setting] of Object.entries(shape)) {
    const file = env[`${name}_FILE`];
    if (file === undefined || !isSecret(setting)) continue;
    const read = env[name] === undefined ? contentOf(name, file) : { fault: `${name}: ${name}_FILE is set too: unset one` };
    if ('fault' in read) faults.set(name, read.fault);
    else values[name] = read.content;
  }
  return { values, faults };
}

function contentOf(name: string, file: string): { readonly content: string } | { readonly fault: string } {
  try {
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return content === '' ? { fault: `${name}_FILE: ${file} is empty` } : { content };
  } catch (error) {
    return { fault: `${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
