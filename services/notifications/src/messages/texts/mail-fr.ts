import type { MailTexts } from './mail-texts.ts';

export const mailFr: MailTexts = {
  reasons: {
    order: (store) =>
      `Vous recevez cet e-mail parce que vous avez commandé chez ${store}. Il concerne votre commande et ne peut donc pas être désactivé.`,
    stamp: (store) => `Vous recevez cet e-mail parce que vous collectionnez des tampons chez ${store}.`,
    multi_stamp: (store) => `Vous recevez cet e-mail parce que vous collectionnez des tampons chez ${store}.`,
    voucher: (store) => `Vous recevez cet e-mail parce que vous avez un bon chez ${store}.`,
    store: (store) =>
      `Vous recevez cet e-mail parce que vous êtes un contact de ${store}. Pour modifier ou retirer votre adresse, changez les contacts dans les réglages de la boutique.`,
    queue: (store) => `Vous recevez cet e-mail parce que vous avez rejoint la file chez ${store}.`,
  },
  topics: {
    messagesMuted: 'messages',
    classReminders: 'rappels de cours',
    classEventsEnabled: 'messages sur les cours',
    voucherEventsEnabled: 'messages sur les bons',
    stampEventsEnabled: 'messages sur les tampons',
    membershipEventsEnabled: 'messages sur votre abonnement',
    penaltyEventsEnabled: 'messages sur les tours manqués',
    marketingEnabled: 'messages sur les offres et les nouveautés',
  },
  stop: (topic, store) => `Ne plus recevoir de ${topic} de ${store}`,
  receipt: {
    order: 'Commande',
    paidAt: 'Payée le',
    table: 'Table',
    code: 'Code de retrait',
    collectAt: 'Retrait',
    subtotal: 'Sous-total',
    discount: 'Remise',
    tip: 'Pourboire',
    total: 'Total',
    vatNumber: 'Numéro de TVA',
    rate: 'Taux de TVA',
    net: 'HT',
    vat: 'TVA',
    gross: 'TTC',
    noRate: 'aucun',
  },
  unsubscribe: {
    ask: (topic, store) => `Ne plus recevoir de ${topic} de ${store} ?`,
    others: 'Vous recevrez toujours ce qui concerne vos propres commandes et votre tour dans la file.',
    confirm: 'Ne plus recevoir ces messages',
    done: (topic, store) => `C’est fait. Vous ne recevrez plus de ${topic} de ${store}. Vous pouvez les réactiver dans l’application.`,
    invalid: 'Ce lien n’est pas valable. Utilisez celui d’un e-mail plus récent, ou vos préférences dans l’application.',
  },
};
