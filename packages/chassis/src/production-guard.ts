import { z } from 'zod';

interface Guard {
  readonly refuses: (value: unknown) => boolean;
  readonly fix: string;
}

const guards = new WeakMap<z.ZodType, Guard>();

/**
 * Marks a setting with development values: `refuses` recognises one, `fix` says how to correct it. Production does not start with such a
 * value unless TRIAL=1. The mark is on a copy of the schema.
 */
export function notInProduction<S extends z.ZodType>(setting: S, refuses: (value: NonNullable<z.output<S>>) => boolean, fix: string): S {
  const marked = setting.clone();
  guards.set(marked, { refuses: refuses as Guard['refuses'], fix });
  return marked;
}

function guardOf(setting: z.ZodType): Guard | undefined {
  const inner = setting instanceof z.ZodOptional || setting instanceof z.ZodDefault ? (setting.unwrap() as z.ZodType) : undefined;
  return guards.get(setting) ?? (inner && guardOf(inner));
}

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

/** The password that docker-compose.yml publishes for every database role. */
export const hasPublishedPassword = (url: string): boolean => new URL(url).password === 'corner';
