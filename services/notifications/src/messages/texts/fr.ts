import type { Format, MailTexts, Texts } from './text.ts';

const mailFr: MailTexts = {
  reasons: {
    order: (store) =>
      `Vous recevez cet e-mail parce que vous avez commandé chez ${store}. Il concerne votre commande et ne peut donc pas être désactivé.`,
    stamp: (store) => `Vous recevez cet e-mail parce que vous collectionnez des tampons chez ${store}.`,
    multi_stamp: (store) => `Vous recevez cet e-mail parce que vous collectionnez des tampons chez ${store}.`,
    voucher: (store) => `Vous recevez cet e-mail parce que vous avez un bon chez ${store}.`,
    staff: (store) =>
      `Vous recevez cet e-mail parce que « ${store} » a invité cette adresse. Si vous ne savez pas pourquoi, ne faites rien : sans le lien, personne ne rejoint l’équipe.`,
    store: (store) =>
      `Vous recevez cet e-mail parce que vous êtes un contact de ${store}. Pour modifier ou retirer votre adresse, changez les contacts dans les réglages de la boutique.`,
    membership: (store) => `Vous recevez cet e-mail parce que vous êtes, ou étiez, membre chez ${store}.`,
    message: (store) => `Vous recevez cet e-mail parce que ${store} vous a écrit.`,
    campaign: (store) => `Vous recevez cet e-mail parce que vous avez accepté les nouveautés de ${store}.`,
    booking: (store) => `Vous recevez cet e-mail parce que vous avez réservé chez ${store}.`,
    class: (store) => `Vous recevez cet e-mail parce que vous avez réservé un cours chez ${store}.`,
    queue: (store) => `Vous recevez cet e-mail parce que vous avez rejoint la file chez ${store}.`,
  },
  topics: {
    messagesMuted: 'messages',
    classReminders: 'rappels de réservations et de cours',
    classEventsEnabled: 'messages sur les cours',
    voucherEventsEnabled: 'messages sur les bons',
    stampEventsEnabled: 'messages sur les tampons',
    membershipEventsEnabled: 'messages sur votre abonnement',
    penaltyEventsEnabled: 'messages sur les tours et les réservations manqués',
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
    creditNote: 'Avoir',
    partOfPrice: 'Partie du prix',
    refunded: 'Remboursé',
    openReceipt: 'Ouvrir ou imprimer le reçu',
    openCreditNote: 'Ouvrir ou imprimer l’avoir',
  },
  settings: 'Ouvrir les réglages de la boutique',
  accept: 'Accepter l’invitation',
  unsubscribe: {
    ask: (topic, store) => `Ne plus recevoir de ${topic} de ${store} ?`,
    others: 'Vous recevrez toujours ce qui concerne vos propres commandes et votre tour dans la file.',
    confirm: 'Ne plus recevoir ces messages',
    done: (topic, store) => `C’est fait. Vous ne recevrez plus de ${topic} de ${store}. Vous pouvez les réactiver dans l’application.`,
    invalid: 'Ce lien n’est pas valable. Utilisez celui d’un e-mail plus récent, ou vos préférences dans l’application.',
  },
  address: {
    firstMail:
      'Quelqu’un nous a donné cette adresse sans se connecter. Vous ne recevrez pas d’autre e-mail tant que vous n’aurez pas dit oui.',
    keep: 'Oui, tenez-moi au courant ici',
    stop: 'Ce n’était pas moi',
    askKeep: 'Voulez-vous que nous vous tenions au courant à cette adresse ?',
    kept: 'C’est fait. Nous vous tiendrons au courant à cette adresse.',
    askStop: 'Quelqu’un d’autre nous a-t-il donné votre adresse ?',
    stops:
      'Vous ne recevrez alors plus d’e-mail de notre part, sauf ce que vous demandez en vous connectant avec cette adresse. Si vous êtes un contact d’une boutique, ses e-mails prennent fin aussi.',
    confirmStop: 'Ce n’était pas moi : plus d’e-mail',
    stopped: 'C’est fait. Vous ne recevrez ici aucun e-mail que vous n’avez pas demandé en vous connectant avec cette adresse.',
  },
};

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
    'order.not_ready': ({ order_number }, { store }) => ({
      title: `La commande ${order_number} n’est pas encore prête`,
      body: `Désolé, nous vous avons prévenu trop tôt : ${store} prépare encore votre commande. Nous vous dirons quand elle sera prête.`,
    }),
    'order.cancelled': ({ order_number }, { store }) => ({
      title: `La commande ${order_number} est annulée`,
      body: `${store} a dû annuler votre commande. Un éventuel remboursement vous sera annoncé séparément.`,
    }),
    'order.not_accepted': ({ order_number }, { store }) => ({
      title: `La commande ${order_number} est annulée`,
      body: `${store} n’a pas accepté votre commande à temps, nous l’avons donc annulée. Ce que vous avez payé vous est remboursé.`,
    }),
    'order.refunded': ({ order_number, amount_pence, cumulative_pence, full, currency }, { store, money }) => ({
      title: `Remboursement de la commande ${order_number}`,
      body:
        `${store} vous a remboursé ${money(amount_pence, currency)}. ` +
        (full
          ? 'La totalité de votre paiement vous est restituée.'
          : `Cela fait ${money(cumulative_pence, currency)} au total pour cette commande.`),
    }),
    'order.refund_failed': ({ order_number, amount_pence, currency }, { store, money }) => ({
      title: `Le remboursement de la commande ${order_number} n’est pas arrivé`,
      body: `Votre banque n’a pas accepté les ${money(amount_pence, currency)} renvoyés par ${store}. ${store} en est informé et vous les renverra, ou vous paiera autrement. Vous n’avez rien à faire.`,
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
    'voucher.expiring': ({ reward_title, code_tail, expires_at }, { store, time }) => ({
      title: 'Votre bon expire bientôt',
      body: `${reward(reward_title)} : utilisable chez ${store} jusqu’au ${time(expires_at)}. Votre bon se termine par ${code_tail}.`,
    }),
    'voucher.expired': ({ reward_title, code_tail }, { store }) => ({
      title: 'Votre bon a expiré',
      body: `${reward(reward_title)} : n’est plus utilisable chez ${store}. Le bon se terminait par ${code_tail}.`,
    }),
    'membership.begun': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Votre abonnement a commencé',
      body: `${plan(plan_name)} chez ${store}${ends_at ? `, payé jusqu’au ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.renewed': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Votre abonnement continue',
      body: `${plan(plan_name)} chez ${store}${ends_at ? `, payé jusqu’au ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.ending': ({ plan_name, ends_at }, { store, dateTime }) => ({
      title: 'Votre abonnement se termine bientôt',
      body: `${plan(plan_name)} chez ${store} est payé${ends_at ? ` jusqu’au ${dateTime(ends_at)}` : ''}.`,
    }),
    'membership.ended': ({ plan_name }, { store }) => ({
      title: 'Votre abonnement est terminé',
      body: `${plan(plan_name)} chez ${store}. Merci d’avoir été membre.`,
    }),
    'queue.called': ({ hold_until }, { store, time }) => ({
      title: 'C’est votre tour',
      body: `${store} garde votre place jusqu’à ${time(hold_until)}.`,
    }),
    'queue.recalled': (_data, { store }) => ({
      title: 'Ce n’est pas encore votre tour',
      body: `${store} a annulé son appel. Vous gardez votre place et serez appelé de nouveau.`,
    }),
    'queue.no_show': (_data, { store }) => ({
      title: 'Vous avez manqué votre tour',
      body: `${store} vous a appelé puis a donné votre place. Vous pouvez rejoindre la file de nouveau.`,
    }),
    'queue.closed': (_data, { store }) => ({
      title: 'La file est fermée',
      body: `${store} n’a pas pu vous recevoir aujourd’hui et a fermé sa file. Toutes nos excuses. Vous pourrez la rejoindre à la réouverture.`,
    }),
    'booking.requested': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre réservation attend le commerce',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}. Vous serez prévenu dès sa confirmation.`,
    }),
    'booking.made': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Vous avez une réservation',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.confirmed': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre réservation est confirmée',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.moved': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre réservation a un autre horaire',
      body: `${booked(service_name)} chez ${store} : désormais ${dateTime(starts_at)}.`,
    }),
    'booking.cancelled': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre réservation a été annulée',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}, n’aura pas lieu.`,
    }),
    'booking.reminder': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre réservation approche',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}.`,
    }),
    'booking.no_show': ({ service_name, starts_at, left }, { store, dateTime, plural }) => ({
      title: 'Vous avez manqué votre réservation',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}.${missesLeft(left, plural)}`,
    }),
    'class.moved': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre cours a un autre horaire',
      body: `${booked(service_name)} chez ${store} : désormais ${dateTime(starts_at)}. Vous gardez votre place.`,
    }),
    'class.cancelled': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Votre cours a été annulé',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}, n’aura pas lieu.`,
    }),
    'class.waiting': ({ service_name, starts_at, place }, { store, dateTime }) => ({
      title: 'Vous êtes sur la liste d’attente',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}. Vous êtes au rang ${place}. Vous serez prévenu dès qu’une place se libère.`,
    }),
    'class.offered': ({ service_name, starts_at, offer_until }, { store, dateTime, time }) => ({
      title: `Une place est libre jusqu’à ${time(offer_until)}`,
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}. Acceptez-la d’ici là, sinon elle ira au suivant.`,
    }),
    'class.lapsed': ({ service_name, starts_at }, { store, dateTime }) => ({
      title: 'Vous n’êtes plus sur la liste d’attente',
      body: `${booked(service_name)} chez ${store}, ${dateTime(starts_at)}. Vous pouvez vous y inscrire de nouveau.`,
    }),
    'message.written': ({ text }, { store }) => ({ title: store, body: text }),
    'campaign.message': ({ title, body }, { store }) => ({ title: `${store}: ${title}`, body }),
    'staff.invited': ({ role, invited_by, expires_at }, { store, dateTime }) => ({
      title: 'Vous êtes invité à travailler dans une boutique',
      body: `Une boutique qui se nomme « ${store} » vous invite à y travailler${asRole[role]}.${invited_by ? ` L’invitation vient de « ${invited_by} ».` : ''} Le lien sert une fois, jusqu’au ${dateTime(expires_at)}.`,
    }),
    'store.stamps_waiting': ({ stamps: count }, { store, plural }) => ({
      title: `${count} ${plural(count, { one: 'tampon attend', other: 'tampons attendent' })} votre accord`,
      body: `Des clients de ${store} ont reçu ${plural(count, { one: 'un tampon', other: 'des tampons' })} que vous n’avez ni approuvé ni refusé.`,
    }),
    'store.stamps_reviewed': ({ approved, rejected }, { store, plural }) => ({
      title: 'Des tampons ont été vérifiés',
      body: `Chez ${store} : ${approved} ${plural(approved, { one: 'approuvé', other: 'approuvés' })}, ${rejected} ${plural(rejected, { one: 'refusé', other: 'refusés' })}.`,
    }),
    'store.refund_failed': ({ order_number, amount_pence, currency, reason }, { money }) => ({
      title: `Un remboursement de la commande ${order_number} a échoué`,
      body: `La banque n’a pas accepté ${money(amount_pence, currency)}${because(reason)}. Le client n’a pas reçu l’argent : remboursez la commande de nouveau, ou payez-le autrement.`,
    }),
    'store.dispute_opened': ({ order_number, amount_pence, currency, reason, evidence_due_by }, { money, time }) => ({
      title: `La commande ${order_number} est contestée`,
      body: `La banque du client conteste le paiement de ${money(amount_pence, currency)}${because(reason)}. ${evidence_due_by ? `Les preuves sont acceptées jusqu’au ${time(evidence_due_by)}.` : 'Envoyez vos preuves dès que possible.'} La commande ne peut pas être remboursée entre-temps.`,
    }),
    'store.dispute_won': ({ order_number, amount_pence, currency }, { money }) => ({
      title: `Vous avez gagné la contestation de la commande ${order_number}`,
      body: `Les ${money(amount_pence, currency)} vous restent acquis.`,
    }),
    'store.dispute_lost': ({ order_number, amount_pence, currency }, { money }) => ({
      title: `Vous avez perdu la contestation de la commande ${order_number}`,
      body: `La banque a rendu ${money(amount_pence, currency)} au client. Les tampons et les bons de la commande ont été repris.`,
    }),
    'store.account_restricted': ({ reasons }, { store }) => ({
      title: `${store} ne peut plus prendre de commandes`,
      body: `Le prestataire de paiement a restreint votre compte${listed(reasons)}. Tant que ce n’est pas réglé, les nouvelles commandes sont refusées.`,
    }),
    'store.account_restored': (_data, { store }) => ({
      title: `${store} prend de nouveau des commandes`,
      body: 'Le prestataire de paiement a levé la restriction de votre compte.',
    }),
    'store.campaign_test': ({ title, body }, { store }) => ({ title: `Essai, ${store}: ${title}`, body }),
    'store.orders_refused': ({ refused, since, reasons }, { store, time, plural }) => ({
      title: `${store} perd des commandes`,
      body: `${refused} ${plural(refused, { one: 'commande refusée', other: 'commandes refusées' })} depuis ${time(since)}, parce que le prestataire de paiement a restreint votre compte${listed(reasons)}.`,
    }),
  },
};

const plan = (name: string | null) => name ?? 'Votre abonnement';
const booked = (service: string | null) => service ?? 'Votre réservation';
const missesLeft = (left: number | null, plural: Format['plural']) => {
  if (left === null) return '';
  if (left === 0) return ' Vos prochaines réservations attendront la confirmation du commerce.';
  return ` Encore ${left} ${plural(left, { one: 'absence', other: 'absences' })} et vos réservations attendront la confirmation du commerce.`;
};
const asRole = { staff: '', manager: ' comme responsable', owner: ' comme propriétaire' };
const stamps = { one: 'tampon', other: 'tampons' };
const card = ({ stamp_count, goal }: { readonly stamp_count: number; readonly goal: number }, { plural }: Format) =>
  `Votre carte compte ${stamp_count} ${plural(stamp_count, stamps)} sur ${goal}.`;
const reward = (title: string | null) => title ?? 'Votre récompense';
const codeAtCounter = (code: string | null) => (code ? ` Présentez le code ${code} au comptoir.` : '');
const because = (reason: string | null) => (reason ? ` (${reason.replaceAll('_', ' ')})` : '');
const listed = (reasons: readonly string[]) => (reasons.length > 0 ? ` : ${reasons.join(', ')}` : '');
