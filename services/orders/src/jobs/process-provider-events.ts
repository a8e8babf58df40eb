import type { Context } from '../context.ts';
import { processProviderEvent } from '../sagas/process-provider-event.ts';
import { findDueProviderEvents } from '../tables/provider-events.ts';

/** Processes the stored provider events that are due. */
export async function processProviderEvents(context: Context): Promise<void> {
  for (const event of await findDueProviderEvents(context.database, context.now())) await processProviderEvent(context, event);
}
