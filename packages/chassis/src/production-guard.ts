import { z } from 'zod';

interface Guard {
  readonly refuses: (value: unknown) => boolean;
  readonly fix: string;
}

const guards = new WeakMap<z.ZodType, Guard>();

/**
 * Marks a setting with development values: `refuses` recognises one, `fix` says what to set instead. Production does not start with such a
 * value unless TRIAL=1. The mark is on a copy of the schema.
 */
export function notInProduction<S extends z.ZodType>(setting: S, refuses: (value: NonNullable<z.output<S>>) => boolean, fix: string): S {
  const marked = setting.clone();
  guards.set(marked, { refuses: refuses as Guard['refuses'], fix });
  return marked;
}

/** Returns the guard of a setting, also of one that was made optional or got a default since it was marked. */
function guardOf(setting: z.ZodType): Guard | undefined {
  const inner = setting instanceof z.ZodOptional || setting instanceof z.ZodDefault ? (setting.unwrap() as z.ZodType) : undefined;
  return guards.get(setting) ?? (inner && guardOf(inner));
}

/** Returns the faults of all marked settings that hold a value for development; none outside production and in a trial. */
export function productionFaults(
  shape: Readonly<Record<string, z.ZodType>>,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (env.NODE_ENV !== 'production' || env.TRIAL === '1') return [];
  return Object.entries(shape).flatMap(([name, setting]) => {
    const guard = guardOf(setting);
    const value = guard ? setting.safeParse(env[name]).data : undefined;
    if (!guard || value === undefined || value === null || !guard.refuses(value)) return [];
    return [`${name}: is a value for development, refused in production; ${guard.fix}, or set TRIAL=1 for a trial`];
  });
}

/** Returns whether an address holds the password that docker-compose.yml publishes for every role of the database. */
export const hasPublishedPassword = (url: string): boolean => new URL(url).password === 'corner';
