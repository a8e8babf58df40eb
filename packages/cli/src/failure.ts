/** A failure a person can do something about: what happened, why, and the command that fixes it. */
export class Failure extends Error {
  readonly what: string;
  readonly why: string;
  readonly fix: string;

  constructor(what: string, why: string, fix: string, options?: { readonly cause?: unknown }) {
    super(`${what}: ${why}`, options);
    this.name = 'Failure';
    this.what = what;
    this.why = why;
    this.fix = fix;
  }
}

/** Any error as a failure. What nobody foresaw names the command that looks closer. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new Failure('corner could not do that', why, 'npx corner doctor', { cause: error });
}

/** The three lines of a failure. */
export const inThreeLines = ({ what, why, fix }: Failure): string => `  failed  ${what}\n  why     ${indent(why)}\n  fix     ${fix}\n`;

const indent = (text: string): string => text.trim().split('\n').join('\n          ');
