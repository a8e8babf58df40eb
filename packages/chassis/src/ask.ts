import {
  type AnswerOf,
  type AnyQuestion,
  type AskInputOf,
  type AskOf,
  Problem,
  type ProblemCode,
  problems,
  type QuestionContract,
  questionSubject,
} from '@corner/contracts';
import { headers as natsHeaders, type Subscription } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Broker } from './broker.ts';
import { currentLogFields, type Log, withLogFields } from './log.ts';
import { measure } from './metrics.ts';
import { nameDoors } from './metrics-catalog.ts';
import { continuing, currentTraceparent, inSpan, SpanKind } from './telemetry.ts';

/** Nobody answered in time: the service is away, slow, or the broker is. The asker goes its defined other way. */
export class NoAnswer extends Error {
  constructor(question: string, cause?: unknown) {
    super(`no answer to ${question} in time`, { cause });
    this.name = 'NoAnswer';
  }
}

/** Asks another service and waits for its deadline at most. Throws {@link NoAnswer}, or the Problem it answered. */
export type Ask = <Q extends AnyQuestion>(question: Q, ask: AskInputOf<Q>) => Promise<AnswerOf<Q>>;

const Reply = z.union([z.object({ answer: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);

export function createAsk(broker: Broker): Ask {
  return async (question, ask) => {
    return await inSpan(`ask ${question.name}`, { kind: SpanKind.CLIENT }, async () => {
      const askedAt = performance.now();
      let outcome = 'ok';
      try {
        const reply = await send(broker, question, question.ask.parse(ask));
        if ('problem' in reply) {
          if (question.problems.includes(reply.problem as ProblemCode))
            throw new Problem(reply.problem as ProblemCode, { message: reply.message });
          // Whoever failed to answer has not answered.
          throw new NoAnswer(question.name, new Error(`the answer was ${reply.problem}`));
        }
        return question.answer.parse(reply.answer);
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : error instanceof NoAnswer ? 'no answer' : 'failed';
        throw error;
      } finally {
        measure('corner.question.duration', (performance.now() - askedAt) / 1000, {
          'corner.question': question.name,
          'corner.outcome': outcome,
        });
      }
    });
  };
}

async function send(broker: Broker, question: QuestionContract, ask: unknown): Promise<z.output<typeof Reply>> {
  const headers = natsHeaders();
  const traceparent = currentTraceparent();
  if (traceparent) headers.set('traceparent', traceparent);
  const { request_id } = currentLogFields();
  if (request_id) headers.set('X-Request-Id', request_id);
  try {
    const message = await broker.connection.request(broker.subject(questionSubject(question)), JSON.stringify(ask), {
      timeout: question.deadlineMs,
      headers,
    });
    return Reply.parse(message.json());
  } catch (error) {
    throw new NoAnswer(question.name, error);
  }
}

/** What a service answers when another asks. Idempotent on the asker's key. */
export interface Answer<Context> {
  readonly question: AnyQuestion;
  // biome-ignore lint/suspicious/noExplicitAny: each answer narrows it to its own question
  readonly run: (ask: any, context: Context) => Promise<unknown>;
}

/** Ties an answer to its question. The table of answers names it. */
export function answer<Q extends AnyQuestion, Context = unknown>(
  question: Q,
  run: (ask: AskOf<Q>, context: Context) => Promise<AnswerOf<Q>>,
): Answer<Context> {
  return { question, run };
}

export type Answers<Context> = Readonly<Record<string, Answer<Context>>>;

export interface AnsweringOptions<Context> {
  readonly service: string;
  readonly broker: Broker;
  readonly answers: readonly Answer<Context>[];
  readonly context: Context;
  readonly log: Log;
}

/** Questions worked on at once; a further one is told so at once rather than left to time out. */
const concurrency = 64;

/** Starts answering. Replicas share the questions between them. */
export function startAnswering<Context>(options: AnsweringOptions<Context>): AsyncDisposable {
  const under = new Set<Promise<void>>();
  nameDoors(
    'corner.question',
    options.answers.map(({ question }) => question.name),
  );
  const subscriptions = options.answers.map(({ question, run }) =>
    options.broker.connection.subscribe(options.broker.subject(questionSubject(question)), {
      queue: options.service,
      callback: (error, message) => {
        if (error) return;
        if (under.size >= concurrency) {
          measure('corner.answer.duration', 0, { 'corner.question': question.name, 'corner.outcome': 'turned away' });
          message.respond(JSON.stringify({ problem: 'UPSTREAM_UNAVAILABLE', message: problems.UPSTREAM_UNAVAILABLE.message }));
          return;
        }
        const work = reply(
          options,
          question,
          run,
          message.string(),
          message.headers?.get('traceparent'),
          message.headers?.get('X-Request-Id'),
        )
          .then((text) => message.respond(text))
          // A connection closed meanwhile: whoever asked has gone its other way.
          .catch((error) => options.log.warn({ err: error, question: question.name }, 'an answer could not be sent'))
          .then(() => void under.delete(work));
        under.add(work);
      },
    }),
  );
  return { [Symbol.asyncDispose]: () => finish(subscriptions, under) };
}

async function finish(subscriptions: readonly Subscription[], under: ReadonlySet<Promise<void>>): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.drain().catch(() => {})));
  await Promise.all(under);
}

async function reply<Context>(
  { context, log }: AnsweringOptions<Context>,
  question: AnyQuestion,
  run: Answer<Context>['run'],
  payload: string,
  traceparent?: string,
  requestId?: string,
): Promise<string> {
  return await inSpan(`answer ${question.name}`, { kind: SpanKind.SERVER, parent: continuing(traceparent) }, () =>
    withLogFields(requestId ? { request_id: requestId } : {}, async () => {
      const begunAt = performance.now();
      let outcome = 'ok';
      try {
        const text = JSON.stringify({ answer: question.answer.parse(await run(question.ask.parse(JSON.parse(payload)), context)) });
        log.info({ question: question.name }, 'question answered');
        return text;
      } catch (error) {
        outcome = error instanceof Problem ? 'refused' : 'failed';
        if (error instanceof Problem) {
          log.info({ question: question.name, code: error.code }, 'question refused');
          return JSON.stringify({ problem: error.code, message: error.message });
        }
        log.error({ question: question.name, err: error }, 'question failed');
        return JSON.stringify({ problem: 'INTERNAL', message: problems.INTERNAL.message });
      } finally {
        measure('corner.answer.duration', (performance.now() - begunAt) / 1000, {
          'corner.question': question.name,
          'corner.outcome': outcome,
        });
      }
    }),
  );
}
