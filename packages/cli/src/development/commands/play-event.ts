import { randomUUID } from 'node:crypto';
import {
  consumersOf,
  type Envelope,
  type EventContract,
  events,
  type Producer,
  scopeOf,
  snapshotOfKind,
  subjectOf,
} from '@corner/contracts';
import { type RunFile, waitUntilProcessed } from '@corner/operator';
import { people, stores } from '@corner/sandbox/demo';
import { jetstream } from '@nats-io/jetstream';
import { Command } from 'commander';
import { connectToNats } from '../../operator/connect-to-nats.ts';
import { dataFolder, withDataFolder } from '../../options.ts';
import { describeFaults, Failure, Misuse } from '../../screen/failure.ts';
import { green, standardOutput } from '../../screen/output.ts';
import { runningSystem } from '../system/find-running.ts';

const what = 'no event was published';

export const playEventCommand = withDataFolder(new Command('play'))
  .description('Publishes a recorded event of a service that does not run here, and waits until the services that do have processed it.')
  .argument('<type>', 'the type, such as order.paid')
  .option('--set <fields>', 'fields of its data with other values, as JSON', parseFields)
  .option('--json', 'print the event as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npx corner start --only loyalty
  npx corner events play order.paid
  npx corner events play order.paid --set '{"total_pence": 1200, "net_of_tip_pence": 1200}'

Its ids are new each time, but those of stores and people, and its time is now.
`,
  )
  .action(async (type: string, options: { data: string; set?: object; json?: true }) => {
    const run = runningSystem(dataFolder(options), what);
    const { event, envelope } = await eventToPlay(type, run, options.set);
    const namespace = process.env.NATS_NAMESPACE ?? '';
    const connection = await connectToNats(options, { name: 'corner events play', what });
    try {
      const producer = producerOf(envelope);
      const subject = `${namespace}${subjectOf(producer, event, scopeOf(producer, envelope.subject, envelope.storeid))}`;
      await jetstream(connection).publish(subject, JSON.stringify(envelope), { msgID: envelope.id });
      const services = consumersOf(event).filter((service) => service in run.services);
      await waitUntilProcessed({ connection, namespace, services, withinMs: 30_000 }, [envelope.id]);
      const output = standardOutput();
      const effect = services.length === 0 ? 'none of the running services consumes it' : `${services.join(', ')} processed it`;
      if (options.json) output.json({ event: envelope, processed_by: services });
      else output.write(`  ${green(output, 'ok')}  ${type} about ${envelope.subject}: ${effect}\n`);
    } finally {
      await connection.close();
    }
  });

const producerOf = ({ source }: Pick<Envelope, 'source'>): Producer => source.slice(1) as Producer;

/** Its producer must not run: it would publish the event itself, and number it. */
async function eventToPlay(type: string, { services }: RunFile, set: object = {}): Promise<{ event: EventContract; envelope: Envelope }> {
  const { eventExample } = await import('@corner/contracts/specs/examples.ts');
  const snapshots = new Set<EventContract>(Object.values(snapshotOfKind));
  const playable = events.filter((one) => eventExample(one) && !snapshots.has(one));
  const event = playable.find((one) => one.type === type);
  const example = event && eventExample(event);
  if (!event || !example)
    throw new Misuse(what, `no event of the type ${type} can be played: ${playable.map((one) => one.type).join(', ')} can`);
  const producer = producerOf(example);
  if (producer in services)
    throw new Failure(
      what,
      `${producer} runs here, and publishes ${type} itself`,
      `start without it: npx corner start --only ${consumersOf(event).find((name) => name !== producer) ?? 'directory'}`,
    );
  const envelope = playedAgain(example, set);
  const { error } = event.data.safeParse(envelope.data);
  if (error) throw new Misuse(what, `--set: ${describeFaults(error)}`, { cause: error });
  return { event, envelope };
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function playedAgain(example: Envelope, set: object): Envelope {
  const { correlationid, causationid, traceparent, ...recorded } = example;
  const kept = new Set([example.storeid, example.customerid, ...Object.values({ ...people, ...stores }).map(({ id }) => id)]);
  const drawn = new Map<string, string>();
  const renew = (id: string): string => drawn.get(id) ?? drawn.set(id, kept.has(id) ? id : randomUUID()).get(id) ?? id;
  const played = JSON.parse(JSON.stringify(recorded).replaceAll(uuid, renew)) as Envelope;
  return { ...played, time: new Date().toISOString(), data: { ...(played.data as object), ...set } };
}

function parseFields(text: string): object {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  } catch {}
  throw new Misuse(what, '--set takes a JSON object of fields of the data, such as {"total_pence": 1200}');
}
