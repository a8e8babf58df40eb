/** The versions that the tests were run on, oldest first. docs/servers.md says how. */
export const tested = { nats: ['2.9.10', '2.10.27', '2.15.1'], postgres: ['18.4'] } as const;

/** How many parts of a version name a line of releases in which a server keeps its behaviour. */
const partsOfLine = { nats: 2, postgres: 1 } as const;

export interface VersionVerdict {
  readonly supported: boolean;
  /** A sentence for the operator; null for a version of a line that was tried. */
  readonly remark: string | null;
}

/** Judges a version such as `2.11.4`: Postgres of the tried line is supported, and every NATS from the oldest tried one on. */
export function judgeVersion(server: keyof typeof tested, version: string): VersionVerdict {
  const all: readonly string[] = tested[server];
  const lineOf = (one: string) => one.split('.').slice(0, partsOfLine[server]).join('.');
  const isTried = all.some((one) => lineOf(one) === lineOf(version));
  const supported = server === 'postgres' ? isTried : !isOlder(version, tested.nats[0]);
  if (supported && isTried) return { supported, remark: null };
  return { supported, remark: `${supported ? 'not tried' : 'not supported'}: Corner was tried with ${all.join(', ')}` };
}

export const isOlder = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0;
