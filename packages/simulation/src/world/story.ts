import { withLogFields } from '@corner/chassis';
import { services } from '@corner/contracts';
import { gatherFacts } from '@corner/operator';
import type { Breach } from '../invariants/breach.ts';
import type { World } from './world.ts';

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const most = 3;

export async function storyOf({ platform }: World, breaches: readonly Breach[]): Promise<string[]> {
  const named = [...new Set(breaches.flatMap(({ detail }) => detail.match(ids) ?? []))].slice(0, most);
  const lines: string[] = [];
  for (const id of named) {
    const asked = { services, call: platform.call, whyNot: String };
    const gather = () => withLogFields({ request_id: `story.${id}` }, () => gatherFacts(asked, id));
    const [gathered] = await platform.gate.carry({ story: gather });
    const facts = gathered?.status === 'fulfilled' ? gathered.value.facts : [];
    if (facts.length > 0) lines.push(id, ...facts.map(({ at, service, sentence }) => `  ${at.slice(11, 23)}  ${service}: ${sentence}`));
  }
  return [...lines, 'Logged, how often:', ...loggedBy(platform.warnings)];
}

function loggedBy(warnings: readonly Record<string, unknown>[]): string[] {
  const sentences = warnings.map(({ service, msg, err }) => {
    const error = err as { readonly message?: string } | undefined;
    return `${service}: ${msg}${error?.message ? ` (${error.message})` : ''}`;
  });
  return [...Map.groupBy(sentences, (sentence) => sentence)].map(([sentence, all]) => `  ${all.length}  ${sentence}`);
}
