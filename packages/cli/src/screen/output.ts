export interface Output {
  readonly live: boolean;
  readonly columns: number;
  write(text: string): void;
  json(value: unknown): void;
}

/** With `NO_COLOR`, `CI` or TERM=dumb it is not live. */
export function standardOutput(env: NodeJS.ProcessEnv = process.env): Output {
  const live = process.stdout.isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb';
  return {
    live,
    columns: live ? process.stdout.columns : Number.POSITIVE_INFINITY,
    write: (text) => void process.stdout.write(text),
    json: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

export const green = (output: Output, text: string): string => paint(output, 32, text);
export const red = (output: Output, text: string): string => paint(output, 31, text);
export const faint = (output: Output, text: string): string => paint(output, 2, text);

const paint = (output: Output, colour: number, text: string): string => (output.live ? `\u001b[${colour}m${text}\u001b[0m` : text);

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
