import { events } from '@corner/contracts';
import { faultsOfMarks, mayBeGone } from './deprecations.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Refused, refusedValues } from './refused-values.ts';
import { fromSource, type OperationSurface, type RpcSurface, type Surface } from './surface.ts';
import { withdrawnFrom } from './withdrawn.ts';

export type Break = string;

const named = ({ service, version }: Surface): string => `${service} ${version}`;
const reasons = (refused: readonly Refused[]): string => refused.map(({ at, why }) => `${at || 'the value'} ${why}`).join('; ');

/**
 * Returns what `sender` sends and `receiver` refuses: events, RPC requests and replies. An RPC that is not served is not a break: its
 * caller goes on without.
 */
export function refusedBetween(sender: Surface, receiver: Surface): readonly Break[] {
  return [...eventsRefused(sender, receiver), ...rpcsRefused(sender, receiver)];
}

export function eventsRefused(producer: Surface, consumer: Surface): readonly Break[] {
  const read = Object.keys(producer.publishes).some((name) => consumer.consumes[name]);
  const envelope = read ? refusedValues(producer.envelope.sent, consumer.envelope.accepted) : [];
  const ofEnvelope =
    envelope.length > 0 ? [`${named(consumer)} refuses every event of ${named(producer)}: in the envelope, ${reasons(envelope)}`] : [];
  const ofEvents = Object.entries(producer.publishes).flatMap(([name, sent]) => {
    const accepted = consumer.consumes[name];
    const refused = accepted ? refusedValues(sent, accepted) : [];
    return refused.length > 0 ? [`${named(consumer)} refuses ${name} of ${named(producer)}: ${reasons(refused)}`] : [];
  });
  return [...ofEnvelope, ...ofEvents];
}

function rpcsRefused(sender: Surface, receiver: Surface): readonly Break[] {
  const requests = Object.entries(sender.calls).flatMap(([name, { input }]) => {
    const refused = refusedValues(input, receiver.serves[name]?.input ?? {});
    return refused.length > 0 ? [`${named(receiver)} refuses a call of ${name} by ${named(sender)}: ${reasons(refused)}`] : [];
  });
  const replies = Object.entries(sender.serves).flatMap(([name, { output }]) => {
    const refused = refusedValues(output, receiver.calls[name]?.output ?? {});
    return refused.length > 0 ? [`${named(receiver)} refuses the reply of ${named(sender)} to ${name}: ${reasons(refused)}`] : [];
  });
  return [...requests, ...replies];
}

/**
 * Returns the losses of apps, subscribers, callers and directories, which send what the earlier version accepted and no release describes.
 * Parts marked as deprecated may be gone after their sunset.
 */
export function takenFromOutside(before: Surface, after: Surface, now = new Date()): readonly Break[] {
  const names = new Set([after.operations, after.publishes, after.webhooks ?? {}].flatMap((named) => Object.keys(named)));
  const isOver = (name: string) => !names.has(name) && mayBeGone(before.deprecated?.[name], now);
  return [
    ...faultsOfMarks(before.deprecated ?? {}, after.deprecated ?? {}, names).map((fault) => `of ${named(after)}, ${fault}`),
    ...Object.entries(before.operations)
      .filter(([name]) => !isOver(name))
      .flatMap(([name, operation]) =>
        takenFromApps(operation, after.operations[name]).map(
          (why) => `apps that call ${name} of ${named(before)} break with ${named(after)}: ${why}`,
        ),
      ),
    ...Object.entries(before.publishes).flatMap(([name, promised]) => {
      const sent = after.publishes[name];
      const refused = sent ? refusedValues(sent, promised) : isOver(name) ? [] : [{ at: name, why: 'is published no more' }];
      return refused.length > 0 ? [`subscribers of ${name} of ${named(before)} break with ${named(after)}: ${reasons(refused)}`] : [];
    }),
    ...Object.entries(before.webhooks ?? {}).flatMap(([name, promised]) => {
      const sent = after.webhooks?.[name];
      const refused = sent ? refusedValues(sent, promised) : isOver(name) ? [] : [{ at: name, why: 'is sent no more' }];
      return refused.length > 0 ? [`webhooks of ${name} of ${named(before)} break with ${named(after)}: ${reasons(refused)}`] : [];
    }),
    ...ofEnvelope(before, after),
    ...Object.entries(before.serves).flatMap(([name, rpc]) =>
      takenFromCallers(rpc, after.serves[name]).map((why) => `callers of ${name} of ${named(before)} break with ${named(after)}: ${why}`),
    ),
    ...Object.entries(before.consumes).flatMap(([name, accepted]) => {
      const why = directoryEvents.has(name) ? takenFromDirectories(accepted, after.consumes[name]) : [];
      return why.length > 0
        ? [`directories that send ${name} as ${named(before)} accepts it break with ${named(after)}: ${reasons(why)}`]
        : [];
    }),
  ];
}

const directoryEvents: ReadonlySet<string> = new Set(
  events.filter(({ producers }) => producers.includes('directory')).map(({ type, version }) => `${type}/v${version}`),
);

const takenFromDirectories = (before: JsonSchema, after: JsonSchema | undefined): readonly Refused[] =>
  after ? [...refusedValues(before, after), ...withdrawnFrom(before, after)] : [{ at: '', why: 'is handled no more' }];

function ofEnvelope(before: Surface, after: Surface): readonly Break[] {
  const refused = refusedValues(after.envelope.sent, before.envelope.sent);
  const ofDirectory = refusedValues(fromSource(before.envelope.accepted, 'directory'), after.envelope.accepted);
  return [
    ...(refused.length > 0
      ? [`subscribers of all events of ${named(before)} break with ${named(after)}: in the envelope, ${reasons(refused)}`]
      : []),
    ...(ofDirectory.length > 0 ? [`directories break with ${named(after)}: in the envelope, ${reasons(ofDirectory)}`] : []),
  ];
}

function takenFromCallers(before: RpcSurface, after: RpcSurface | undefined): readonly string[] {
  if (!after) return ['it is served no more'];
  const input = [...refusedValues(before.input, after.input), ...withdrawnFrom(before.input, after.input)];
  return [
    ...input.map(({ at, why }) => `in the input, ${at || 'the whole'} ${why}`),
    ...refusedValues(after.output, before.output).map(({ at, why }) => `in the reply, ${at || 'the whole'} ${why}`),
  ];
}

function takenFromApps(before: OperationSurface, after: OperationSurface | undefined): readonly string[] {
  if (!after) return ['the operation is gone'];
  const lost = before.features.filter((feature) => !after.features.includes(feature));
  const refusedCallers = before.callers.filter((caller) => !after.callers.includes(caller));
  return [
    ...(before.method === after.method && before.path === after.path ? [] : [`it is now ${after.method} ${after.path}`]),
    ...refusedCallers.map((caller) => `a caller of kind ${caller} is refused`),
    ...(after.scope === null || after.scope === before.scope ? [] : [`a token now needs the scope ${after.scope}`]),
    ...(after.role === null || after.role === before.role ? [] : [`a caller now needs the role ${after.role}`]),
    ...(before.replay === after.replay ? [] : [`a repeated request is recognised by ${after.replay}, not by ${before.replay}`]),
    ...lost.map((feature) => `it has no ${feature} any more`),
    ...requestRefused(before, after),
    ...refusedValues(after.reply, before.reply).map(({ at, why }) => `in the reply, ${at || 'the body'} ${why}`),
  ];
}

const nothing = { type: 'object', properties: {} };

/**
 * An app sends what the earlier version accepted. A newer one may begin to read fields that were skipped before, but must not refuse them.
 */
function requestRefused(before: OperationSurface, after: OperationSurface): readonly string[] {
  const parts = [...new Set([...Object.keys(before.request), ...Object.keys(after.request)])];
  return parts.flatMap((part) => {
    const [sent, accepted] = [before.request[part] ?? nothing, after.request[part] ?? nothing];
    return [...refusedValues(sent, accepted), ...withdrawnFrom(sent, accepted)].map(
      ({ at, why }) => `in the ${part}, ${at || 'the whole'} ${why}`,
    );
  });
}

/** Returns why a version may not be deployed beside `running`, one surface for each running service; empty when it may. */
export function whyNotDeploy(candidate: Surface, running: readonly Surface[]): readonly Break[] {
  const found = running.flatMap((other) => [
    ...refusedBetween(candidate, other),
    ...refusedBetween(other, candidate),
    ...(other.service === candidate.service ? takenFromOutside(other, candidate) : []),
  ]);
  return [...new Set(found)].sort();
}
