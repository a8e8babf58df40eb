/** What an error says, with the constraint it broke, as far as it may be kept on record: see {@link redactedMessage}. */
export function describeError(error: unknown): string {
  if (!Error.isError(error)) return 'something that is no error was thrown';
  return `${error.name}: ${redactedMessage(error)}${broken(error)}`.slice(0, 1_000);
}

/**
 * An error's message without the values it may quote: the database names the row's contents in its data faults (class 22), a
 * JSON parser the text around its fault, and those are people's data. Constraints and columns stay, since they say what to mend.
 * From the first quotation mark to the last: a value may hold some of its own.
 */
export function redactedMessage(error: Error): string {
  // The driver's own class for a value that is none of its type has neither the database's error with it nor its code.
  const quotes = ['SyntaxError', 'InvalidInputError'].includes(error.constructor.name) || stateOf(error)?.startsWith('22');
  return quotes ? error.message.replace(/".*"/s, '"…"') : error.message;
}

/** Where an error came up, line by line, without what it said; undefined for one that does not know. */
export function framesOf({ stack = '', message }: Error): string | undefined {
  const said = message === '' ? -1 : stack.lastIndexOf(message);
  const lines = stack.slice(said < 0 ? 0 : said + message.length).split('\n');
  return lines.filter((line) => /^ {4}at /.test(line)).join('\n') || undefined;
}

/** Which constraint of which table was broken, where the error says so: the driver's own sentence does not. */
function broken(error: Error): string {
  const { constraint, table } = error as { constraint?: unknown; table?: unknown };
  if (typeof constraint !== 'string') return '';
  return ` (${constraint}${typeof table === 'string' ? ` of ${table}` : ''})`;
}

/** The SQLSTATE of an error or of what caused it. */
function stateOf(error: unknown): string | null {
  for (let fault = error; Error.isError(fault); fault = fault.cause) {
    const { code } = fault as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** Where a fault of ours came up, as file and line of our own code: what it said may hold anything, and stays in the log. */
export function placeOf(error: unknown): string {
  if (!Error.isError(error)) return 'an unknown place';
  const frame = (error.stack ?? '').split('\n').find((line) => /\/(services|packages)\/[^/]+\/src\//.test(line));
  const place = /((?:services|packages)\/[^/]+\/src\/[^):]+:\d+)/.exec(frame ?? '')?.[1];
  return place === undefined ? error.name : `${error.name} at ${place}`;
}
