import { dataSchemaOf, type EventContract } from '@corner/contracts';
import type { Transaction } from '../database/database.ts';
import { describeFaults } from '../errors/describe-error.ts';
import { measure } from '../telemetry/metrics.ts';
import type { EventHandler, EventTask } from './event-handler.ts';
import type { InboxOptions, IncomingEvent } from './incoming-event.ts';
import { type OpenEvent, openEvent } from './open-event.ts';

/**
 * Runs every handler of the events, or only `only`, each event in its own span, an aggregate's in order. Throws when no handler takes the
 * version of a handled event, or its producer does not publish that type.
 */
export async function runEventHandlers<Context>(
  options: InboxOptions<Context>,
  tx: Transaction,
  events: readonly IncomingEvent[],
  only?: string,
): Promise<void> {
  const opened = events.map(openEvent);
  try {
    for (const call of callsOf(options, opened, only)) await makeCall(options, tx, call);
  } finally {
    for (const event of opened) event.end();
  }
}

interface Call<Context> {
  readonly run: EventHandler<Context>['run'];
  readonly parts: Part[];
}

interface Part extends EventTask<unknown> {
  readonly handler: string;
  readonly event: OpenEvent;
  readonly last: boolean;
}

/**
 * Returns the calls that handle the events, in each aggregate's order: an event joins an earlier call of the same `run` unless a later call
 * handles its aggregate.
 */
function callsOf<Context>(options: InboxOptions<Context>, events: readonly OpenEvent[], only: string | undefined): Call<Context>[] {
  const calls: Call<Context>[] = [];
  const lastOfRun = new Map<Call<Context>['run'], number>();
  const lastOfAggregate = new Map<string, number>();
  for (const event of events) {
    const { subject } = event.envelope;
    const tasks = tasksOf(options, event, only);
    for (const { name, handler, task } of tasks) {
      const joined = handler.takesSeveral ? (lastOfRun.get(handler.run) ?? -1) : -1;
      const joins = joined >= (lastOfAggregate.get(subject) ?? 0);
      const index = joins ? joined : calls.push({ run: handler.run, parts: [] }) - 1;
      calls[index]?.parts.push({ handler: name, event, last: handler === tasks.at(-1)?.handler, task, within: event.within });
      lastOfRun.set(handler.run, index);
      lastOfAggregate.set(subject, index);
    }
  }
  return calls;
}

interface NamedTask<Context> {
  readonly name: string;
  readonly handler: EventHandler<Context>;
  readonly task: unknown;
}

const isProducer = ({ producers }: EventContract, source: string): boolean => producers.some((producer) => source === `/${producer}`);

function tasksOf<Context>({ eventHandlers }: InboxOptions<Context>, { envelope }: OpenEvent, only?: string): NamedTask<Context>[] {
  const ofType = Object.entries(eventHandlers).filter(
    ([name, { event }]) => event.type === envelope.type && (only === undefined || name === only),
  );
  if (ofType.some(([, { event }]) => !isProducer(event, envelope.source)))
    throw new Error(`${envelope.source} does not publish ${envelope.type} by the contracts`);
  const ofVersion = ofType.filter(([, { event }]) => dataSchemaOf(event) === envelope.dataschema);
  if (ofType.length > 0 && ofVersion.length === 0) throw new Error(`no event handler takes ${envelope.dataschema}`);
  const parsed = ofVersion[0]?.[1].event.data.safeParse(envelope.data);
  if (parsed?.error)
    throw new Error(`it does not fit ${envelope.dataschema}: ${describeFaults('data', parsed.error).slice(0, 10).join('; ')}`);
  const data = parsed?.data;
  return ofVersion.map(([name, handler]) => ({ name, handler, task: handler.taskOf({ ...envelope, data }) }));
}

async function makeCall<Context>({ context, log }: InboxOptions<Context>, tx: Transaction, { run, parts }: Call<Context>): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    const [first] = parts;
    await first?.within(() => {
      first.event.handledBy(
        first.handler,
        parts.map(({ event }) => event),
      );
      return run(parts, tx, context);
    });
    outcome = 'ok';
  } catch (error) {
    for (const { event } of parts) event.fail(error);
    throw error;
  } finally {
    const seconds = (performance.now() - startedAt) / 1000 / parts.length;
    for (const { handler } of parts)
      measure('messaging.process.duration', seconds, { 'corner.event.handler': handler, 'corner.outcome': outcome });
  }
  for (const { handler, event, last } of parts) {
    event.within(() => log.info({ handler, type: event.envelope.type, redelivered: event.redelivered }, 'event processed'));
    if (last) event.end();
  }
}
