import { type AnswerOf, type AnyQuestion, type AskInputOf, questionSubject } from '@corner/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';

/** A service that answered by refusing. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refused';
    this.code = code;
  }
}

const Reply = z.union([z.object({ answer: z.unknown() }), z.object({ problem: z.string(), message: z.string() })]);

/** Asks a service from outside the platform. Rejects with {@link Refused}, or with the connection's fault when nobody answers in time. */
export async function askService<Q extends AnyQuestion>(
  { connection, namespace }: { readonly connection: NatsConnection; readonly namespace: string },
  question: Q,
  ask: AskInputOf<Q>,
): Promise<AnswerOf<Q>> {
  const subject = `${namespace}${questionSubject(question)}`;
  const message = await connection.request(subject, JSON.stringify(ask), { timeout: question.deadlineMs });
  const reply = Reply.parse(message.json());
  if ('problem' in reply) throw new Refused(reply.problem, reply.message);
  return question.answer.parse(reply.answer);
}
