/** A failure that the user can fix: what happened, why, and the command that fixes it. */
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

/** Converts any error to a failure. For an unexpected error the fix is `npx corner doctor`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new Failure('the command failed', why, 'npx corner doctor', { cause: error });
}

/** Formats a failure as three lines. */
export const formatFailure = ({ what, why, fix }: Failure): string => `  failed  ${what}\n  why     ${indent(why)}\n  fix     ${fix}\n`;

const indent = (text: string): string => text.trim().split('\n').join('\n          ');
