/**
 * What an error says, without the values it may quote: the database names the row's contents in its data faults (class 22),
 * and those are people's data. Constraints and columns stay, since they say what to mend.
 */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown';
  const state = stateOf(error);
  const message = state?.startsWith('22') ? error.message.replaceAll(/"[^"]*"/g, '"…"') : error.message;
  return `${error.name}: ${message}${broken(error)}`.slice(0, 1_000);
}

/** Which constraint of which table was broken, where the error says so: the driver's own sentence does not. */
function broken(error: Error): string {
  const { constraint, table } = error as { constraint?: unknown; table?: unknown };
  if (typeof constraint !== 'string') return '';
  return ` (${constraint}${typeof table === 'string' ? ` of ${table}` : ''})`;
}

/** The SQLSTATE of an error or of what caused it. */
function stateOf(error: unknown): string | null {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const { code } = fault as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** Where a fault of ours came up, as file and line of our own code: what it said may hold anything, and stays in the log. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown place';
  const frame = (error.stack ?? '').split('\n').find((line) => /\/(services|packages)\/[^/]+\/src\//.test(line));
  const place = /((?:services|packages)\/[^/]+\/src\/[^):]+:\d+)/.exec(frame ?? '')?.[1];
  return place === undefined ? error.name : `${error.name} at ${place}`;
}
