import { mailFr } from './mail-fr.ts';
import type { Format, Texts } from './text.ts';

export const fr: Texts = {
  locale: 'fr-FR',
  unknownStore: 'votre boutique',
  mail: mailFr,
  texts: {
    'order.paid': ({ order_number, total_pence, currency }, { store, money }) => ({
      title: `Reçu de la commande ${order_number}`,
      body: `${store} a bien reçu votre paiement de ${money(total_pence, currency)} pour la commande ${order_number}. Merci de votre visite.`,
    }),
    'order.accepted': ({ order_number, collection_code }, { store }) => ({
      title: `La commande ${order_number} est acceptée`,
      body: `${store} a accepté votre commande.${codeAtCounter(collection_code)}`,
    }),
    'order.ready': ({ order_number, collection_code }, { store }) => ({
      title: `La commande ${order_number} est prête`,
      body: `Votre commande chez ${store} est prête.${codeAtCounter(collection_code)}`,
    }),
    'order.cancelled': ({ order_number }, { store }) => ({
      title: `La commande ${order_number} est annulée`,
      body: `${store} a dû annuler votre commande. Un éventuel remboursement vous sera annoncé séparément.`,
    }),
    'order.refunded': ({ order_number, amount_pence, cumulative_pence, full }, { store, money }) => ({
      title: `Remboursement de la commande ${order_number}`,
      body:
        `${store} vous a remboursé ${money(amount_pence)}. ` +
        (full ? 'La totalité de votre paiement vous est restituée.' : `Cela fait ${money(cumulative_pence)} au total pour cette commande.`),
    }),
    'order.running_late': ({ order_number, new_eta, note }, { store, time }) => ({
      title: `La commande ${order_number} a du retard`,
      body: `Merci de votre patience. ${store} la prévoit désormais pour ${time(new_eta)}.${note ? ` « ${note} »` : ''}`,
    }),
    'order.slot_moved': ({ order_number, collection_at }, { store, time }) => ({
      title: `La commande ${order_number} peut être retirée plus tôt`,
      body: `Elle sera prête chez ${store} pour ${time(collection_at)}.`,
    }),
    'stamp.pending': (_data, { store }) => ({
      title: 'Votre tampon est en cours de vérification',
      body: `${store} le confirmera bientôt.`,
    }),
    'stamp.approved': (data, format) => ({
      title: 'Vous avez un nouveau tampon',
      body: `${data.completed ? 'Votre carte est complète et vous vaut une récompense. ' : ''}${card(data, format)} Merci de votre visite chez ${format.store}.`,
    }),
    'stamp.rejected': (data, format) => ({
      title: 'Un tampon n’a pas été confirmé',
      body: `${format.store} ne l’a pas confirmé. ${card(data, format)}`,
    }),
    'stamp.undone': (data, format) => ({
      title: 'Un tampon a été retiré',
      body: `${format.store} a corrigé votre carte. ${card(data, format)}`,
    }),
    'stamp.reversed': (data, format) => ({
      title: 'Un tampon a été retiré',
      body: `Votre commande chez ${format.store} a été remboursée, son tampon ne compte donc plus. ${card(data, format)}`,
    }),
    'multi_stamp.confirmed': (data, format) => ({
      title: `Vous avez ${data.stamps} ${format.plural(data.stamps, stamps)} de plus`,
      body: `${card(data, format)} Merci de votre visite chez ${format.store}.`,
    }),
    'voucher.minted': ({ reward_title, code_tail }, { store }) => ({
      title: 'Vous avez gagné une récompense',
      body: `${reward(reward_title)} vous attend chez ${store}. Votre bon se termine par ${code_tail}.`,
    }),
    'voucher.redeemed': ({ reward_title, code_tail }, { store }) => ({
      title: 'Votre bon a été utilisé',
      body: `Profitez-en bien. ${reward(reward_title)} : utilisé chez ${store}. Le bon se terminait par ${code_tail}.`,
    }),
    'voucher.restored': ({ reward_title, code_tail }, { store }) => ({
      title: 'Votre bon est de nouveau valable',
      body: `${reward(reward_title)} vous attend de nouveau chez ${store}. Votre bon se termine par ${code_tail}.`,
    }),
    'voucher.voided': ({ reward_title, code_tail }, { store }) => ({
      title: 'Un bon n’est plus valable',
      body: `${reward(reward_title)} : retiré par ${store}. Le bon se terminait par ${code_tail}.`,
    }),
    'voucher.expired': ({ reward_title, code_tail }, { store }) => ({
      title: 'Votre bon a expiré',
      body: `${reward(reward_title)} : n’est plus utilisable chez ${store}. Le bon se terminait par ${code_tail}.`,
    }),
    'queue.called': ({ hold_until }, { store, time }) => ({
      title: 'C’est votre tour',
      body: `${store} garde votre place jusqu’à ${time(hold_until)}.`,
    }),
    'queue.no_show': (_data, { store }) => ({
      title: 'Vous avez manqué votre tour',
      body: `${store} vous a appelé puis a donné votre place. Vous pouvez rejoindre la file de nouveau.`,
    }),
  },
};

const stamps = { one: 'tampon', other: 'tampons' };
const card = ({ stamp_count, goal }: { readonly stamp_count: number; readonly goal: number }, { plural }: Format) =>
  `Votre carte compte ${stamp_count} ${plural(stamp_count, stamps)} sur ${goal}.`;
const reward = (title: string | null) => title ?? 'Votre récompense';
const codeAtCounter = (code: string | null) => (code ? ` Présentez le code ${code} au comptoir.` : '');
