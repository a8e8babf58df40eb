import { DeadLetterSummary, Fact, services } from '@corner/contracts';
import { z } from 'zod';

const Service = z.enum(services);
/** Services that did not reply, each with the reason. A page shows the replies of the others. */
const Unreachable = z.array(z.object({ service: Service, error: z.string() }));

/**
 * `GET /api/operator/stories/{id}`: every fact on record about an id and its related ids, in order of time, with the dead letters of their
 * events. A fact's links to its trace and log lines are null where none is set up, or the fact has no trace.
 */
export const Story = z.object({
  id: z.string(),
  facts: z.array(
    Fact.extend({
      service: z.string(),
      trace_url: z.string().nullable().default(null),
      log_url: z.string().nullable().default(null),
    }),
  ),
  unreachable: Unreachable,
  dead_letters: z.array(DeadLetterSummary.extend({ service: Service })),
});
export type Story = z.output<typeof Story>;

/** `GET /api/operator/dead-letters?service=&type=&settled=true`: dead letters of all services, oldest first. */
export const DeadLetters = z.object({
  dead_letters: z.array(DeadLetterSummary.extend({ service: Service })),
  unreachable: Unreachable,
});
export type DeadLetters = z.output<typeof DeadLetters>;

/**
 * `GET /api/operator/dead-letters/{service}/{event_id}?payload=true`: one with its envelope. `payload=true` needs `operator:payload` and is
 * recorded; without it the values of the data are null, and only their names are shown.
 */
export const DeadLetter = DeadLetterSummary.extend({
  service: Service,
  envelope: z.record(z.string(), z.unknown()).nullable(),
  data_fields: z.array(z.string()),
  payload: z.string().nullable(),
});
export type DeadLetter = z.output<typeof DeadLetter>;

/**
 * The body of `POST /api/operator/dead-letters/{service}/{event_id}/retry` and `/discard`, whose response is {@link DeadLetterResult}.
 * Needs `operator:act`.
 */
export const Reason = z.object({ reason: z.string().trim().min(1, 'say why, for the record').max(500) });
export const DeadLetterResult = z.object({
  outcome: z.enum(['retried', 'discarded', 'failed', 'not open']),
  detail: z.string().nullable(),
});
export type DeadLetterResult = z.output<typeof DeadLetterResult>;

/**
 * `GET /api/operator/streams`: how events flow from each producer to each consumer. If the broker does not reply, `unreachable` names
 * `nats`, and the state of its streams or consumers is unknown.
 */
export const Streams = z.object({
  producers: z.array(
    z.object({
      producer: z.string(),
      /** Whether the deployment leaves the service out, and an upstream publishes instead. */
      upstream: z.boolean(),
      /** Null when the broker has no such stream, `unknown` when the broker does not reply. */
      stream: z.union([
        z.object({
          messages: z.number(),
          bytes: z.number(),
          last_sequence: z.number(),
          leader: z.string().nullable(),
          replicas: z.number(),
        }),
        z.literal('unknown'),
        z.null(),
      ]),
      /**
       * Events in the outbox that are not published yet, and when the oldest was recorded. Null for an upstream, and when the service did
       * not reply; the time also when there is none.
       */
      unpublished: z.number().nullable(),
      oldest_unpublished_at: z.string().nullable(),
      /** Why nothing can be published, and what to do; null when all is well. Of a consumer: why it makes no progress. */
      fault: z.string().nullable(),
      consumers: z.array(
        z.object({
          service: Service,
          /** Events not yet sent to the consumer, and not yet acknowledged by it. Null when the broker does not reply. */
          pending: z.number().nullable(),
          unacknowledged: z.number().nullable(),
          redelivered: z.number().nullable(),
          last_active_at: z.string().nullable(),
          /**
           * How complete its inbox is: it has processed every event up to `up_to`; the broker did not deliver `missing`, which were
           * requested of the producer; `lost` were never processed, because the producer no longer had them. Null for the directory, and
           * while its service does not reply.
           */
          complete: z
            .object({
              up_to: z.number(),
              missing: z.number(),
              missing_since: z.string().nullable(),
              lost: z.number(),
            })
            .nullable(),
          fault: z.string().nullable(),
        }),
      ),
    }),
  ),
  unreachable: z.array(z.object({ service: z.enum([...services, 'nats']), error: z.string() })),
});
export type Streams = z.output<typeof Streams>;

/** `GET /api/operator/system`: readiness and versions of all processes. A check is `ok` or its fault. */
export const System = z.object({
  processes: z.array(
    z.object({
      name: z.string(),
      ready: z.boolean(),
      checks: z.record(z.string(), z.string()),
      version: z.string().nullable(),
      started_at: z.string().nullable(),
      open_dead_letters: z.number().nullable(),
    }),
  ),
});
export type System = z.output<typeof System>;

/**
 * `GET /api/operator/messages?state=&channel=&order_id=&customer_id=&store_id=&after=`: newest first, without address and text. `counts`
 * are of the last 24 hours; `next` is null on the last page.
 */
export const Messages = z.object({
  messages: z.array(
    z.object({
      message_id: z.string(),
      created_at: z.string(),
      channel: z.string(),
      state: z.string(),
      type: z.string(),
      store_id: z.string().nullable(),
      customer_id: z.string().nullable(),
      order_id: z.string().nullable(),
      /** The address with most of it replaced by dots: `a…@example.com`. Null when it is no longer stored. */
      masked_address: z.string().nullable(),
      attempts: z.number(),
      /** Why the last attempt failed; null when it did not. */
      error: z.string().nullable(),
      sent_at: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
  counts: z.array(z.object({ channel: z.string(), state: z.string(), count: z.number() })),
});
export type Messages = z.output<typeof Messages>;

/**
 * `GET /api/operator/figures`: minutes of the last hour, oldest first, with counts by event type such as `order.paid`, and lags sampled
 * since the console started. Each array is as long as `minutes`, which has the start of each.
 */
export const Figures = z.object({
  minutes: z.array(z.string()),
  counts: z.record(z.string(), z.array(z.number())),
  /** Average seconds that the guests called in each minute had waited since they joined; null where none was called. */
  waits: z.array(z.number().nullable()),
  lag: z.array(z.object({ at: z.string(), service: Service, events: z.number() })),
});
export type Figures = z.output<typeof Figures>;
