import type * as contracts from '@corner/contracts';
import type { z } from 'zod';

/** What the operations of the platform return, as the pages of the shop use it. Types only: the schemas stay on the server. */
export type Order = z.output<typeof contracts.Order>;
export type LogEntry = z.output<typeof contracts.OrderLogEntry>;
export type Entry = z.output<typeof contracts.MerchantQueueEntry>;
export type Stamp = z.output<typeof contracts.PendingStamp>;
export type CustomerState = z.output<typeof contracts.loyalty.customerState.reply>;
export type Store = z.output<typeof contracts.Store>;
