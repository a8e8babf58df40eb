/** Oldest first: see docs/servers.md. */
export const tested = { nats: ['2.9.10', '2.10.27', '2.15.1'], postgres: ['18.4'] } as const;

const partsOfLine = { nats: 2, postgres: 1 } as const;

export interface VersionVerdict {
  readonly supported: boolean;
  readonly remark: string | null;
}

export function judgeVersion(server: keyof typeof tested, version: string): VersionVerdict {
  const all: readonly string[] = tested[server];
  const lineOf = (one: string) => one.split('.').slice(0, partsOfLine[server]).join('.');
  const isTried = all.some((one) => lineOf(one) === lineOf(version));
  const supported = server === 'postgres' ? isTried : !isOlder(version, tested.nats[0]);
  if (supported && isTried) return { supported, remark: null };
  return { supported, remark: `${supported ? 'not tried' : 'not supported'}: Corner was tried with ${all.join(', ')}` };
}

export const isOlder = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0;
