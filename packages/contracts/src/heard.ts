import { z } from 'zod';
import { defineQuestion, type QuestionContract } from './question.ts';
import type { ServiceName } from './vocabulary.ts';

const Ask = z.object({ event_ids: z.array(z.guid()).max(1000) });
const Answer = z.object({
  /** Worked through, or heard and of no concern to this service. */
  done: z.array(z.guid()),
  /** Set aside as dead letters. */
  dead: z.array(z.guid()),
});

/** Asks a service which of these events it has worked through. Every service answers it, so that a publisher can wait for the effect. */
export const heardBy = (service: ServiceName): QuestionContract<typeof Ask, typeof Answer> =>
  defineQuestion({
    name: `${service}.heard`,
    answerer: service,
    summary: 'Which of these events have been worked through here.',
    ask: Ask,
    answer: Answer,
    problems: [],
    deadlineMs: 2000,
  });
