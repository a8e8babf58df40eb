import { faint, green, type Output, red } from '../output.ts';
import type { Stage } from './stage.ts';
import type { Step } from './take-step.ts';
import { lastDeedOf, walkOneOrder } from './walk-one-order.ts';

export interface OutboxEntry {
  readonly ok: boolean;
  readonly told: readonly Step[];
}

/** Walks the order and shows each step as it happens: call, answer in short, milliseconds, trace. */
export async function narrateStory(stage: Stage, output: Output, quiet: boolean): Promise<OutboxEntry> {
  const told: Step[] = [];
  const show = (line: string) => quiet || output.write(`${line}\n`);
  show(`\n  One order at ${stage.store.code}, through ${stage.gateway}, as trace ${stage.traceId}\n`);
  for await (const step of walkOneOrder(stage)) {
    told.push(step);
    show(lineOf(output, step));
    for (const line of step.lines ?? []) show(`        ${line}`);
  }
  const ok = told.at(-1)?.deed === lastDeedOf(stage) && told.every((step) => step.ok);
  const spent = told.reduce((sum, { ms }) => sum + ms, 0);
  show(ok ? `\n  ${green(output, 'Done')}: ${told.length} steps in ${Math.round(spent)} ms; what was given was taken back.\n` : '');
  return { ok, told };
}

function lineOf(output: Output, { deed, call, answer, ok, traceId, ms }: Step): string {
  const mark = ok ? green(output, 'ok') : red(output, 'no');
  const shortCall = call.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replace(/pi_\w+/, 'pi_…');
  const spent = `${ms.toFixed(0)} ms`.padStart(8);
  // The whole trace id stands above; its beginning is enough to tell whose line this is.
  return `  ${mark}  ${deed.padEnd(11)}${shortCall.padEnd(43)}${answer.padEnd(48)}${spent}  ${faint(output, `trace ${traceId.slice(0, 8)}`)}`;
}
