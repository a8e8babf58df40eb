import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { ServiceName } from './vocabulary.ts';

/**
 * Something one service asks another and waits for, over NATS request-reply. A question only speeds up or reserves:
 * whoever asks has a defined course when nobody answers in time.
 */
export interface QuestionContract<Ask extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> {
  /** `<answerer>.<deed>`, for example `loyalty.award`. */
  readonly name: string;
  readonly answerer: ServiceName;
  readonly summary: string;
  readonly ask: Ask;
  readonly answer: Answer;
  readonly problems: readonly ProblemCode[];
  /** Milliseconds the asker waits. */
  readonly deadlineMs: number;
}

/** Declares a question. */
export function defineQuestion<Ask extends z.ZodType, Answer extends z.ZodType>(
  contract: QuestionContract<Ask, Answer>,
): QuestionContract<Ask, Answer> {
  return contract;
}

// biome-ignore lint/suspicious/noExplicitAny: a contract of any shape
export type AnyQuestion = QuestionContract<any, any>;
export type AskOf<Q> = Q extends QuestionContract<infer A, z.ZodType> ? z.output<A> : never;
export type AskInputOf<Q> = Q extends QuestionContract<infer A, z.ZodType> ? z.input<A> : never;
export type AnswerOf<Q> = Q extends QuestionContract<z.ZodType, infer A> ? z.output<A> : never;

/** The NATS subject a question is asked on. */
export const questionSubject = (question: Pick<QuestionContract, 'name'>): string => `ask.${question.name}`;
