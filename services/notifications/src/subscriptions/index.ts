export { type StoreEvent, waitingEventsSql } from './tables/waiting-events.ts';
