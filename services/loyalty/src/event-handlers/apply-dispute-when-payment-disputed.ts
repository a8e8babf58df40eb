import { on } from '@corner/chassis';
import { paymentDisputed } from '@corner/contracts';
import { applyDispute } from '../transactions/apply-dispute.ts';

/** Holds the vouchers of a disputed order, and takes its stamps back when the dispute is lost. */
export const applyDisputeWhenPaymentDisputed = on(paymentDisputed, ({ data, sequence }, tx) => applyDispute(tx, data, sequence));
