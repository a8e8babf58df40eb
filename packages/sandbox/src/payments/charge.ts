import { recordBalance } from './balance.ts';
import type { Card, Decline } from './cards.ts';
import { sendTransfer } from './send-transfer.ts';
import type { ApplicationFee, Charge, Intent, Transfer } from './stripe-shapes.ts';
import { seconds, type World } from './world.ts';

export function recordCharge(world: World, intent: Intent, card: Card, refused: Decline | null = null): Charge {
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
  return refused ? world.books.put(charge) : takeMoney(world, charge, intent.application_fee_amount ?? 0);
}

function takeMoney(world: World, charge: Charge, fee: number): Charge {
  const { amount } = charge;
  const taken = recordBalance(world, {
    type: 'charge',
    source: charge.id,
    amount,
    currency: charge.currency,
    fee: { amount: Math.round(amount * 0.015) + 20, description: 'Stripe processing fees' },
  });
  const transfer = passOn(world, charge);
  const kept = transfer && fee > 0 ? keepFee(world, charge, transfer, fee) : null;
  return world.books.put<Charge>({
    ...charge,
    amount_captured: amount,
    captured: true,
    application_fee: kept?.id ?? null,
    balance_transaction: taken.id,
    transfer: transfer?.id ?? null,
  });
}

function passOn(world: World, charge: Charge): Transfer | null {
  if (!charge.transfer_data) return null;
  return sendTransfer(world, {
    amount: charge.transfer_data.amount ?? charge.amount,
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
