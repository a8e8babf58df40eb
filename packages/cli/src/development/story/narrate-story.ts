import { green, type Output, red } from '../../screen/output.ts';
import type { StorySetting } from './prepare-story.ts';
import type { Step } from './take-step.ts';
import { lastStepOf, walkOneOrder } from './walk-one-order.ts';

export interface StoryResult {
  readonly ok: boolean;
  readonly steps: readonly Step[];
}

export async function narrateStory(setting: StorySetting, output: Output, quiet: boolean): Promise<StoryResult> {
  const steps: Step[] = [];
  const show = (line: string) => quiet || output.write(`${line}\n`);
  show(`\n  One order at ${setting.store.code}, through ${setting.gateway}, in trace ${setting.traceId}\n`);
  for await (const step of walkOneOrder(setting)) {
    steps.push(step);
    show(lineOf(output, step));
    for (const line of step.lines ?? []) show(`        ${line}`);
  }
  const ok = steps.at(-1)?.name === lastStepOf(setting) && steps.every((step) => step.ok);
  const totalMs = steps.reduce((sum, { ms }) => sum + ms, 0);
  show(
    ok
      ? `\n  ${green(output, 'Done')}: ${steps.length} steps in ${Math.round(totalMs)} ms. The payment and the stamp were taken back.\n`
      : '',
  );
  return { ok, steps };
}

function lineOf(output: Output, { name, call, result, ok, ms }: Step): string {
  const mark = ok ? green(output, 'ok') : red(output, 'no');
  const shortCall = call.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replace(/pi_\w+/, 'pi_…');
  const time = `${ms.toFixed(0)} ms`.padStart(8);
  return `  ${mark}  ${name.padEnd(11)}${shortCall.padEnd(43)}${result.padEnd(48)}${time}`;
}
