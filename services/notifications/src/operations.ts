import { notBuilt, type OperationsOf } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from './context.ts';

/** Every operation of notifications. */
export const operations: OperationsOf<typeof notifications, Context> = {
  answerMarketingOptIn: notBuilt,
  listPreferences: notBuilt,
  upsertPreferences: notBuilt,
};
