export interface Decline {
  readonly code: string;
  readonly decline_code: string | null;
  readonly message: string;
}

export interface Card {
  readonly brand: string;
  readonly last4: string;
  readonly charge: 'succeeds' | 'processes' | 'asks' | Decline;
  readonly refund?: 'pending' | 'fails_later';
  readonly disputed?: true;
}

const declined = (decline_code: string, message = 'Your card was declined.', code = 'card_declined'): Decline => ({
  code,
  decline_code,
  message,
});

const cards: Readonly<Record<string, Card>> = {
  pm_card_visa: { brand: 'visa', last4: '4242', charge: 'succeeds' },
  pm_card_gb: { brand: 'visa', last4: '0003', charge: 'succeeds' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444', charge: 'succeeds' },
  pm_card_amex: { brand: 'amex', last4: '8431', charge: 'succeeds' },
  pm_card_processing: { brand: 'visa', last4: '0500', charge: 'processes' },
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184', charge: 'asks' },
  pm_card_pendingRefund: { brand: 'visa', last4: '7726', charge: 'succeeds', refund: 'pending' },
  pm_card_refundFail: { brand: 'visa', last4: '5126', charge: 'succeeds', refund: 'fails_later' },
  pm_card_createDispute: { brand: 'visa', last4: '0259', charge: 'succeeds', disputed: true },
  pm_card_chargeDeclined: { brand: 'visa', last4: '0002', charge: declined('generic_decline') },
  pm_card_visa_chargeDeclined: { brand: 'visa', last4: '0002', charge: declined('generic_decline') },
  pm_card_chargeDeclinedInsufficientFunds: {
    brand: 'visa',
    last4: '9995',
    charge: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    brand: 'visa',
    last4: '9995',
    charge: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  pm_card_chargeDeclinedFraudulent: { brand: 'visa', last4: '0019', charge: declined('fraudulent') },
  pm_card_chargeDeclinedExpiredCard: {
    brand: 'visa',
    last4: '0069',
    charge: { code: 'expired_card', decline_code: null, message: 'Your card has expired.' },
  },
  pm_card_chargeDeclinedIncorrectCvc: {
    brand: 'visa',
    last4: '0127',
    charge: { code: 'incorrect_cvc', decline_code: null, message: "Your card's security code is incorrect." },
  },
  pm_card_chargeDeclinedProcessingError: {
    brand: 'visa',
    last4: '0119',
    charge: {
      code: 'processing_error',
      decline_code: null,
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
};

export const cardOf = (paymentMethod: string): Card | undefined => (Object.hasOwn(cards, paymentMethod) ? cards[paymentMethod] : undefined);
