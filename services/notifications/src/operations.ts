import type { OperationsOf } from '@corner/chassis';
import type { notifications } from '@corner/contracts';
import type { Context } from './context.ts';
import { answerMarketingOptIn } from './messages/operations/answer-marketing-opt-in.ts';
import { listPreferences } from './messages/operations/list-preferences.ts';
import { upsertPreferences } from './messages/operations/upsert-preferences.ts';
import { listWalletPasses } from './wallet/operations/list-wallet-passes.ts';

/** Every operation of notifications. */
export const operations: OperationsOf<typeof notifications, Context> = {
  answerMarketingOptIn,
  listPreferences,
  upsertPreferences,
  listWalletPasses,
};
