import { recordBalance } from './balance.ts';
import { disputeFee } from './currencies.ts';
import { mergeMetadata, readParameters } from './parameters.ts';
import { noSuch, StripeRefusal } from './refusal.ts';
import type { Charge, Dispute } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

export interface DisputeOptions {
  readonly reason?: string | undefined;
  /** In minor units; the unrefunded rest of the charge when absent. */
  readonly amount?: number | undefined;
  readonly inquiry?: boolean | undefined;
}

const daysToRespond = 14;

export function openDispute(
  world: World,
  chargeId: string,
  { reason = 'fraudulent', amount, inquiry = false }: DisputeOptions = {},
): Dispute {
  const charge = world.books.get('charge', chargeId);
  if (!charge) throw noSuch('charge', chargeId, 'charge');
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.captured || charge.disputed || left === 0) {
    throw new StripeRefusal(400, `Charge ${charge.id} cannot be disputed, or is already.`);
  }
  const created = seconds(world.now());
  world.books.put<Charge>({ ...charge, disputed: true });
  const opened = world.books.put<Dispute>({
    id: world.newId('du_1'),
    object: 'dispute',
    amount: amount ?? left,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    evidence: {},
    evidence_details: { due_by: created + daysToRespond * 24 * 60 * 60, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  });
  if (inquiry) {
    world.publish('charge.dispute.created', opened);
    return opened;
  }
  const dispute = withdraw(world, opened);
  world.publish('charge.dispute.created', dispute);
  world.publish('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export function escalateInquiry(world: World, id: string): Dispute {
  const inquiry = disputeOf(world, id);
  if (!isInquiry(inquiry) || inquiry.status === 'warning_closed') throw wrongState(inquiry, 'is no open inquiry');
  const dispute = withdraw(world, { ...inquiry, is_charge_refundable: false, status: 'needs_response' });
  world.publish('charge.dispute.updated', dispute, { previous: { status: inquiry.status, is_charge_refundable: true } });
  world.publish('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export function setDispute(world: World, id: string, status: string, money?: 'withdrawn' | 'returned'): Dispute {
  const known = disputeOf(world, id);
  const moved = money === 'withdrawn' ? withdraw(world, known) : money === 'returned' ? giveBack(world, known) : known;
  const changed = world.books.put<Dispute>({ ...moved, status: status as Dispute['status'] });
  world.publish('charge.dispute.updated', changed, { previous: { status: known.status } });
  return changed;
}

function giveBack(world: World, dispute: Dispute, fee = { amount: 0, description: 'Dispute fee refund' }): Dispute {
  const { amount, currency, id } = dispute;
  const returned = recordBalance(world, { type: 'adjustment', source: id, amount, currency, fee, category: 'dispute_reversal' });
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, returned] };
}

function withdraw(world: World, dispute: Dispute): Dispute {
  const { amount, currency, id } = dispute;
  const fee = { amount: disputeFee(currency), description: 'Dispute fee' };
  const withdrawn = recordBalance(world, { type: 'adjustment', source: id, amount: -amount, currency, fee, category: 'dispute' });
  return world.books.put<Dispute>({ ...dispute, balance_transactions: [...dispute.balance_transactions, withdrawn] });
}

/** A won dispute returns the amount, and the fee only with `feeReturned`. An inquiry can only be `warning_closed`. */
export function closeDispute(
  world: World,
  id: string,
  outcome: 'won' | 'lost' | 'warning_closed',
  { feeReturned = false }: { readonly feeReturned?: boolean } = {},
): Dispute {
  const dispute = disputeOf(world, id);
  if (!isOpen(dispute)) throw wrongState(dispute, 'is closed');
  if (isInquiry(dispute) !== (outcome === 'warning_closed')) throw wrongState(dispute, `cannot be ${outcome}`);
  const fee = { amount: feeReturned ? -disputeFee(dispute.currency) : 0, description: 'Dispute fee refund' };
  const closed = world.books.put<Dispute>({ ...(outcome === 'won' ? giveBack(world, dispute, fee) : dispute), status: outcome });
  const previous = { status: dispute.status };
  if (outcome === 'won') world.publish('charge.dispute.funds_reinstated', closed, { previous });
  world.publish('charge.dispute.closed', closed, { previous });
  return closed;
}

export function updateDispute(call: Call, world: World): Dispute {
  const given = readParameters(call.form, { evidence: 'any', expand: 'any', metadata: 'metadata', submit: 'boolean' });
  const dispute = disputeOf(world, call.ids[0] ?? '');
  const evidence = typeof given.evidence === 'object' ? { ...dispute.evidence, ...given.evidence } : dispute.evidence;
  if (given.evidence !== undefined && !isOpen(dispute)) throw wrongState(dispute, 'is closed');
  const { due_by, submission_count } = dispute.evidence_details;
  const submitted = given.evidence !== undefined && given.submit !== false;
  const changed = world.books.put<Dispute>({
    ...dispute,
    evidence,
    evidence_details: {
      due_by,
      has_evidence: Object.keys(evidence).length > 0,
      past_due: submitted ? seconds(world.now()) > (due_by ?? 0) : dispute.evidence_details.past_due,
      submission_count: submission_count + (submitted ? 1 : 0),
    },
    metadata: mergeMetadata(dispute.metadata, given.metadata),
    status: submitted ? (isInquiry(dispute) ? 'warning_under_review' : 'under_review') : dispute.status,
  });
  world.publish('charge.dispute.updated', changed, { previous: { status: dispute.status } });
  return changed;
}

export function isRefundable({ books }: World, { id }: Charge): boolean {
  return books.all('dispute').every((dispute) => dispute.charge !== id || dispute.is_charge_refundable);
}

function disputeOf(world: World, id: string): Dispute {
  const dispute = world.books.get('dispute', id);
  if (!dispute) throw noSuch('dispute', id, 'id');
  return dispute;
}

const isInquiry = ({ status }: Dispute): boolean => status.startsWith('warning_');
const isOpen = ({ status }: Dispute): boolean => /(needs_response|under_review)$/.test(status);
const wrongState = ({ id, status }: Dispute, what: string): StripeRefusal =>
  new StripeRefusal(400, `Dispute ${id} ${what}: its status is ${status}.`);
