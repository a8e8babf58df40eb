import { queueAssigned, queueCalled, queueCompleted, queueConverted, queueLeft, queueNoShow, queueRecalled } from '@corner/contracts';
import { newsOfCalled, newsOfMove, newsOfNoShow } from '../messages/rules/content-for-queue.ts';
import { errandOn } from '../messages/transactions/create-message.ts';

/** Whoever waits in a queue hears when it is their turn, and that they missed it. */
export const errandsOfQueue = {
  tellCalled: errandOn(queueCalled, newsOfCalled),
  tellNoShow: errandOn(queueNoShow, newsOfNoShow),
  outdateWhenRecalled: errandOn(queueRecalled, newsOfMove),
  outdateWhenAssigned: errandOn(queueAssigned, newsOfMove),
  outdateWhenLeft: errandOn(queueLeft, newsOfMove),
  outdateWhenCompleted: errandOn(queueCompleted, newsOfMove),
  outdateWhenConverted: errandOn(queueConverted, newsOfMove),
};
