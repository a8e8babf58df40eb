import { measureAccept } from './measurements/accept-orders.ts';
import { measureCampaign } from './measurements/campaign.ts';
import { measureCards } from './measurements/card-plans.ts';
import { measureDay } from './measurements/day.ts';
import { measureDirectory } from './measurements/directory.ts';
import { measureEventBurst } from './measurements/event-burst.ts';
import { measureEventDelay } from './measurements/event-delay.ts';
import { measureFirstVisit } from './measurements/first-visit.ts';
import { measureFollowUp } from './measurements/follow-orders.ts';
import { measureMoves } from './measurements/fulfilment-moves.ts';
import { measureGateway } from './measurements/gateway.ts';
import { measureGrowth } from './measurements/growth.ts';
import { measureIdleSystem } from './measurements/idle.ts';
import { measureOrderLists } from './measurements/order-list-plans.ts';
import { measureOversell } from './measurements/oversell.ts';
import { measurePaidOrders } from './measurements/paid-orders.ts';
import type { Part } from './measurements/part.ts';
import { measurePolling } from './measurements/polling.ts';
import { profilePaidOrders } from './measurements/profile.ts';
import { measureReads } from './measurements/reads.ts';
import { measureRefunds } from './measurements/refunds.ts';
import { measureReportOfYear } from './measurements/report-of-year.ts';
import { measureStart } from './measurements/start.ts';
import { measureWaitEstimate } from './measurements/wait-estimate.ts';
import { measureWebhooks } from './measurements/webhooks.ts';

export const parts: Readonly<Record<string, Part>> = {
  estimate: { alone: measureWaitEstimate },
  start: { alone: measureStart },
  idle: { alone: measureIdleSystem },
  directory: { alone: measureDirectory },
  gateway: { alone: measureGateway },
  visit: { alone: measureFirstVisit },
  oversell: { onSystem: measureOversell },
  paid: { onSystem: measurePaidOrders },
  moves: { onSystem: measureMoves },
  refund: { onSystem: measureRefunds },
  follow: { onSystem: measureFollowUp },
  reads: { onSystem: measureReads },
  polling: { onSystem: measurePolling },
  report: { onSystem: measureReportOfYear },
  delay: { onSystem: measureEventDelay },
  accept: { onSystem: measureAccept },
  burst: { onSystem: measureEventBurst },
  webhooks: { onSystem: measureWebhooks },
  campaign: { onSystem: measureCampaign, onlyByName: true },
  lists: { onSystem: measureOrderLists },
  cards: { onSystem: measureCards },
  profile: { onSystem: profilePaidOrders },
  growth: { onSystem: measureGrowth },
  day: { alone: measureDay, onlyByName: true },
};

export const usualParts: readonly string[] = Object.keys(parts).filter((name) => !parts[name]?.onlyByName);
