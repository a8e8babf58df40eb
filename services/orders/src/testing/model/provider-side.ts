import type { OpenStore, Running } from '../running.ts';

export class ProviderSide {
  interfered = false;
  restricted = false;
  readonly controls: Running['payments']['controls'];
  readonly account: string;

  constructor({ payments }: Running, { account }: OpenStore) {
    this.controls = payments.controls;
    this.account = account;
  }

  attempt(work: () => unknown): void {
    try {
      work();
      this.interfered = true;
    } catch (error) {
      if (!(error instanceof Error && 'status' in error)) throw error;
    }
  }

  /** From now on nothing fails, held webhooks are lost, and banks have decided about slow payments. */
  endOfDay(): void {
    this.controls.clearFaults();
    this.controls.discard();
    const slow = this.controls.books().intents.filter(({ status }) => status === 'processing');
    for (const [n, { id }] of slow.entries()) this.controls.settleIntent(id, n % 2 === 0 ? 'succeeded' : 'failed');
    this.controls.discard();
  }
}
