import type { AccountsContext } from '../accounts/index.ts';
import type { ConfirmationContext } from '../confirmation/index.ts';
import type { PayoutsContext } from '../payouts/index.ts';
import type { ProviderEvents, WebhookVerifier } from './adapters.ts';

export interface EventsContext extends ConfirmationContext, AccountsContext, PayoutsContext {
  readonly providerEvents: ProviderEvents;
  readonly webhookVerifier: WebhookVerifier;
}
