import type { languages } from '@corner/contracts';

export interface Labels {
  readonly locale: string;
  readonly invoice: string;
  readonly receipt: string;
  readonly creditNote: string;
  readonly vatNumber: string;
  readonly number: string;
  readonly date: string;
  readonly table: string;
  readonly payment: string;
  readonly paidOnline: string;
  readonly tenders: Readonly<Record<'cash' | 'external_card' | 'none', string>>;
  readonly nothingToPay: string;
  readonly ofInvoice: string;
  readonly items: string;
  readonly item: string;
  readonly rate: string;
  readonly amount: string;
  readonly each: (price: string) => string;
  readonly subtotal: string;
  readonly discount: string;
  readonly tip: string;
  readonly total: string;
  readonly refunded: string;
  readonly partOfPrice: string;
  readonly vatByRate: string;
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
  readonly noRate: string;
  readonly tipHasNoVat: string;
  readonly creditNotes: string;
  readonly failed: string;
  readonly isVoid: (date: string) => string;
}

export const labels: { readonly [L in (typeof languages)[number]]: Labels } = {
  en: {
    locale: 'en-GB',
    invoice: 'VAT invoice',
    receipt: 'Receipt',
    creditNote: 'Credit note',
    vatNumber: 'VAT number',
    number: 'Number',
    date: 'Date',
    table: 'Table',
    payment: 'Payment',
    paidOnline: 'Paid online',
    tenders: { cash: 'Cash', external_card: 'Card', none: 'Nothing to pay' },
    nothingToPay: 'Nothing to pay',
    ofInvoice: 'For',
    items: 'Items',
    item: 'Item',
    rate: 'VAT rate',
    amount: 'Amount',
    each: (price) => `${price} each`,
    subtotal: 'Subtotal',
    discount: 'Discount',
    tip: 'Tip',
    total: 'Total',
    refunded: 'Refunded',
    partOfPrice: 'Part of the price',
    vatByRate: 'VAT included',
    net: 'Net',
    vat: 'VAT',
    gross: 'Gross',
    noRate: 'none',
    tipHasNoVat: 'The tip has no VAT.',
    creditNotes: 'Refunds',
    failed: 'void',
    isVoid: (date) => `This credit note is void: the refund failed on ${date}, and the money was not paid back.`,
  },
  fr: {
    locale: 'fr',
    invoice: 'Facture',
    receipt: 'Reçu',
    creditNote: 'Avoir',
    vatNumber: 'Numéro de TVA',
    number: 'Numéro',
    date: 'Date',
    table: 'Table',
    payment: 'Paiement',
    paidOnline: 'Payé en ligne',
    tenders: { cash: 'Espèces', external_card: 'Carte', none: 'Rien à payer' },
    nothingToPay: 'Rien à payer',
    ofInvoice: 'Pour',
    items: 'Articles',
    item: 'Article',
    rate: 'Taux de TVA',
    amount: 'Montant',
    each: (price) => `${price} l’unité`,
    subtotal: 'Sous-total',
    discount: 'Remise',
    tip: 'Pourboire',
    total: 'Total',
    refunded: 'Remboursé',
    partOfPrice: 'Partie du prix',
    vatByRate: 'TVA comprise',
    net: 'HT',
    vat: 'TVA',
    gross: 'TTC',
    noRate: 'aucun',
    tipHasNoVat: 'Le pourboire est sans TVA.',
    creditNotes: 'Remboursements',
    failed: 'sans effet',
    isVoid: (date) => `Cet avoir est sans effet : le remboursement a échoué le ${date} et l’argent n’a pas été rendu.`,
  },
};
