/** Where a command writes. Colours and redrawing only where a person looks on. */
export interface Output {
  readonly live: boolean;
  /** Characters a line may have; without end where nobody looks on. */
  readonly columns: number;
  write(text: string): void;
  /** One value for programs, on one call: indented where a person looks on. */
  json(value: unknown): void;
}

/** The terminal or the pipe we were started with. `NO_COLOR` and `CI` make it plain. */
export function standardOutput(env: NodeJS.ProcessEnv = process.env): Output {
  const live = process.stdout.isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb';
  return {
    live,
    columns: live ? process.stdout.columns : Number.POSITIVE_INFINITY,
    write: (text) => void process.stdout.write(text),
    json: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

/** Text in a colour, where there are colours. */
export const green = (output: Output, text: string): string => paint(output, 32, text);
export const red = (output: Output, text: string): string => paint(output, 31, text);
export const faint = (output: Output, text: string): string => paint(output, 2, text);

const paint = (output: Output, colour: number, text: string): string => (output.live ? `\u001b[${colour}m${text}\u001b[0m` : text);

/** Seconds with one decimal, as a person reads them. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
