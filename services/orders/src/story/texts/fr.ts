import type { NoStampFacts } from '../rules/facts.ts';
import type { Format, StoryTexts, StoryWords } from './text.ts';

const words: StoryWords = {
  actors: {
    store: ({ by_name }) => `par ${by_name ?? 'la boutique'}`,
    customer: (_facts, { isCustomer }) => (isCustomer ? 'par vous' : 'par le client'),
    system: () => 'automatiquement',
    provider: () => 'chez le prestataire de paiement',
  },
  about: {
    receipt: 'le reçu',
    accepted: 'la commande est acceptée',
    ready: 'la commande est prête',
    not_ready: 'la commande n’est pas encore prête',
    cancelled: 'la commande a été annulée',
    not_accepted: 'la commande n’a pas été acceptée à temps',
    refunded: 'un remboursement a été fait',
    refund_failed: 'un remboursement n’est pas arrivé',
    running_late: 'la commande a du retard',
    slot_moved: 'la commande peut être retirée plus tôt',
  },
  channels: { push: 'par notification sur le téléphone', email: 'par e-mail', sms: 'par SMS' },
};

const stamps = { one: 'tampon', other: 'tampons' } as const;
const count = (stampCount: number, format: Format) => `${stampCount} ${format.plural(stampCount, stamps)}`;
const titled = (title: string | null) => (title === null ? '' : ` (${title})`);

const noStamp: StoryTexts['noStamp'] = {
  no_programme: () => 'Pas de tampon : la boutique n’a pas de carte de fidélité.',
  programme_off: () => 'Pas de tampon : la carte de fidélité de la boutique est désactivée.',
  rewards_visits: () => 'Pas de tampon : la boutique récompense les visites, pas les commandes.',
  rewards_membership: () => 'Pas de tampon : la boutique récompense les membres, pas les commandes.',
  below_min_spend: ({ amount_pence }: NoStampFacts, { money }) =>
    amount_pence === null
      ? 'Pas de tampon : le montant de la commande est trop faible.'
      : `Pas de tampon : une commande doit coûter au moins ${money(amount_pence)}, sans le pourboire.`,
  no_stamps_for_orders: () => 'Pas de tampon : la boutique n’en donne pas pour les commandes en ce moment.',
  not_paid_yet: () => 'Pas encore de tampon : la commande n’est pas payée.',
  never_paid: () => 'Pas de tampon : la commande n’a pas été payée.',
  paid_too_late: () => 'Pas de tampon : le paiement est arrivé après la fin de la commande ; il est remboursé.',
  no_customer: () => 'Pas de tampon : la vente n’est sur la carte de personne.',
  on_its_way: () => 'Pas encore de tampon : il arrive.',
  refunded: () => 'Pas de tampon : la commande a été remboursée en totalité.',
  dispute_lost: () => 'Pas de tampon : la banque a repris le paiement.',
  unknown: () => 'Pas de tampon. La raison n’a pas été enregistrée.',
};

export const fr: StoryTexts = {
  locale: 'fr-FR',
  noStamp,
  counting: ({ counting, taken_back }, format) =>
    `La commande a rapporté ${count(counting, format)}.${taken_back > 0 ? ` ${count(taken_back, format)} ne comptent plus.` : ''}`,
  entries: {
    placed: ({ amount_pence }, { money }) => `La commande a été passée pour ${money(amount_pence)}.`,
    promo_used: ({ amount_pence, title }, { money }) => `Un code promo${titled(title)} a réduit le prix de ${money(amount_pence)}.`,
    voucher_used: ({ amount_pence, title }, { money }) => `Un bon${titled(title)} a réduit le prix de ${money(amount_pence)}.`,
    payment_declined: () => 'La banque a refusé un paiement.',
    paid: ({ amount_pence }, { money }) => `${money(amount_pence)} ont été payés.`,
    paid_too_late: ({ amount_pence }, { money }) =>
      `${money(amount_pence)} ont été payés après la fin de la commande ; ils sont remboursés.`,
    accepted: () => 'La boutique a accepté la commande.',
    preparing: () => 'La boutique a commencé à préparer la commande.',
    ready: () => 'La commande était prête.',
    collected: () => 'La commande a été remise.',
    not_collected: () => 'La commande n’a pas été retirée ; elle est terminée.',
    corrected: () => 'La boutique a corrigé l’état de la commande.',
    delayed: ({ expected_at }, { time }) =>
      expected_at === null ? 'La commande avait du retard.' : `La commande avait du retard : prévue le ${time(expected_at)}.`,
    collect_earlier: ({ expected_at }, { time }) =>
      expected_at === null ? 'Un horaire plus tôt a été réservé.' : `Un horaire plus tôt a été réservé : le ${time(expected_at)}.`,
    cancelled: ({ by, ...named }, format) => `La commande a été annulée ${words.actors[by](named, format)}.`,
    expired: () => 'La commande n’a pas été payée à temps ; elle est terminée.',
    refund_requested: ({ amount_pence, by, ...named }, format) =>
      `Un remboursement de ${format.money(amount_pence)} a été demandé ${words.actors[by](named, format)}.`,
    partly_refunded: ({ amount_pence, by, ...named }, format) =>
      `${format.money(amount_pence)} ont été remboursés ${words.actors[by](named, format)}.`,
    refunded: ({ amount_pence, by, ...named }, format) =>
      `${format.money(amount_pence)} ont été remboursés ${words.actors[by](named, format)}. Tout ce qui a été payé est remboursé.`,
    refund_failed: ({ amount_pence }, { money }) => `Un remboursement de ${money(amount_pence)} a échoué : l’argent n’est pas arrivé.`,
    disputed: ({ amount_pence }, { money }) => `Le paiement de ${money(amount_pence)} a été contesté auprès de la banque.`,
    dispute_won: () => 'La contestation est close : le paiement reste valable.',
    dispute_lost: ({ amount_pence }, { money }) => `La contestation est close : la banque a rendu ${money(amount_pence)}.`,
    voucher_returned: ({ title }) => `Le bon${titled(title)} a été rendu.`,
    stamps_earned: ({ stamps: earned, count_after, goal }, format) =>
      `La commande a rapporté ${count(earned, format)}.${count_after === null ? '' : ` La carte en avait ${count_after} sur ${goal}.`}`,
    reward_earned: ({ title }) => `La carte était pleine : une récompense${titled(title)}.`,
    stamps_taken_back: ({ stamps: taken, reason }, format) =>
      `${count(taken, format)} ${format.plural(taken, { one: 'a été repris', other: 'ont été repris' })} : ${
        reason === 'dispute_lost' ? 'la banque a repris le paiement' : 'la commande a été remboursée en totalité'
      }.`,
    no_stamp: (facts, format) => noStamp[facts.reason](facts, format),
    receipt_sent: ({ channel }) => `Le reçu a été envoyé ${words.channels[channel]}.`,
    message_sent: ({ channel, about }) => `Un message a été envoyé ${words.channels[channel]} : ${words.about[about]}.`,
    message_failed: ({ channel, about }) => `Un message n’a pas pu être envoyé ${words.channels[channel]} : ${words.about[about]}.`,
    message_muted: ({ about }, { isCustomer }) =>
      `Aucun message n’a été envoyé (${words.about[about]}) : ${isCustomer ? 'vous n’avez' : 'le client n’a'} pas d’adresse pour cela.`,
  },
};
