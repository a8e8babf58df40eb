import { recordBalance } from './balance.ts';
import type { Card, Decline } from './cards.ts';
import { sendTransfer } from './send-transfer.ts';
import type { ApplicationFee, Charge, Intent, Transfer } from './stripe-shapes.ts';
import { seconds, type World } from './world.ts';

type Outcome = { readonly captured: number } | { readonly refused: Decline };

/** Writes the charge of one attempt and, for money taken, the transfer to the destination and the platform's fee. */
export function recordCharge(world: World, intent: Intent, card: Card, outcome: Outcome): Charge {
  const refused = 'refused' in outcome ? outcome.refused : null;
  const charge: Charge = {
    id: world.newId(refused ? 'ch_3F' : 'ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    captured: false,
    created: seconds(world.now()),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: refused?.code ?? null,
    failure_message: refused?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: intent.on_behalf_of,
    paid: !refused,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: { type: 'card', card: { brand: card.brand, last4: card.last4 } },
    refunded: false,
    status: refused ? 'failed' : 'succeeded',
    transfer: null,
    transfer_data: intent.transfer_data && { destination: intent.transfer_data.destination, amount: intent.transfer_data.amount ?? null },
    transfer_group: intent.transfer_group,
  };
  const captured = 'captured' in outcome ? outcome.captured : 0;
  return captured > 0 ? takeMoney(world, charge, captured, intent.application_fee_amount ?? 0) : world.books.put(charge);
}

/** Captures `amount` of an authorised charge: moves the money, transfers it, and keeps the fee. */
export function takeMoney(world: World, charge: Charge, amount: number, fee: number): Charge {
  const taken = recordBalance(world, {
    type: 'charge',
    source: charge.id,
    amount,
    currency: charge.currency,
    fee: { amount: Math.round(amount * 0.015) + 20, description: 'Stripe processing fees' },
  });
  const transfer = passOn(world, charge, amount);
  const kept = transfer && fee > 0 ? keepFee(world, charge, transfer, fee) : null;
  return world.books.put<Charge>({
    ...charge,
    amount_captured: amount,
    captured: true,
    application_fee: kept?.id ?? null,
    application_fee_amount: charge.application_fee_amount === null ? null : fee,
    balance_transaction: taken.id,
    transfer: transfer?.id ?? null,
  });
}

/**
 * With an application fee, the whole charge is transferred and the fee is taken back from the destination. Without one, an amount may
 * be given.
 */
function passOn(world: World, charge: Charge, captured: number): Transfer | null {
  if (!charge.transfer_data) return null;
  return sendTransfer(world, {
    amount: Math.min(charge.transfer_data.amount ?? captured, captured),
    currency: charge.currency,
    description: null,
    destination: charge.transfer_data.destination,
    metadata: {},
    source_transaction: charge.id,
    transfer_group: charge.transfer_group,
  });
}

function keepFee(world: World, charge: Charge, transfer: Transfer, amount: number): ApplicationFee {
  const id = world.newId('fee_');
  const fee = world.books.put<ApplicationFee>({
    id,
    object: 'application_fee',
    account: transfer.destination ?? '',
    amount,
    amount_refunded: 0,
    balance_transaction: recordBalance(world, { type: 'application_fee', source: id, amount, currency: charge.currency }).id,
    charge: charge.id,
    covered: 0,
    created: seconds(world.now()),
    currency: charge.currency,
    livemode: false,
    originating_transaction: charge.id,
    refunded: false,
  });
  world.publish('application_fee.created', fee);
  return fee;
}
