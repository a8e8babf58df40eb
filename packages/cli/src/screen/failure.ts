import { ZodError } from 'zod';

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

/** Returns up to ten faults as one sentence, each with its place. Places in lists are left out: a command line has no list. */
export const describeFaults = ({ issues }: ZodError): string => [...new Set(issues.map(describeFault))].slice(0, 10).join('; ');

function describeFault(issue: ZodError['issues'][number]): string {
  const where = issue.path.filter((step) => typeof step === 'string').join('.');
  return where === '' ? faultIn(issue) : `${where} ${faultIn(issue)}`;
}

function faultIn(issue: ZodError['issues'][number]): string {
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'too_small' && issue.origin === 'string') return `must have at least ${issue.minimum} characters`;
  return issue.message;
}

const help = 'npx corner help';

/** A request that no service could accept: a malformed id, a text that is too long. The fix is the command's help. */
export class Misuse extends Failure {
  constructor(what: string, why: string, options?: { readonly cause?: unknown }) {
    super(what, why, help, options);
  }
}

export const forCommand = (failure: Failure, command: string): Failure =>
  failure.fix === help ? new Failure(failure.what, failure.why, `npx ${command} --help`, { cause: failure }) : failure;

export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const why = error instanceof ZodError ? describeFaults(error) : error instanceof Error ? error.message : String(error);
  return new Failure('the command failed', why, 'npx corner doctor', { cause: error });
}

export function forDataFolder(failure: Failure, argv: readonly string[]): Failure {
  const at = argv.findIndex((word) => word === '--data' || word.startsWith('--data='));
  const folder = argv[at]?.startsWith('--data=') ? argv[at].slice('--data='.length) : argv[at + 1];
  if (at < 0 || !folder) return failure;
  const fix = failure.fix
    .replaceAll(/npm start\b/g, `npx corner start --data ${folder}`)
    .replaceAll(/npm run (demo|try|reset)\b/g, `npx corner $1 --data ${folder}`)
    .replaceAll(/npx corner (stop|status|doctor|reset|start)\b(?! --data| --help)/g, `npx corner $1 --data ${folder}`);
  return new Failure(failure.what, failure.why, fix, { cause: failure });
}

export const formatFailure = ({ what, why, fix }: Failure): string => `  failed  ${what}\n  why     ${indent(why)}\n  fix     ${fix}\n`;

const indent = (text: string): string => text.trim().split('\n').join('\n          ');
