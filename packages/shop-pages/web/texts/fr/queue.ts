import type { Texts } from '../en/index.ts';

export const queue: Texts['queue'] = {
  title: 'File d’attente',
  bookings: 'Réserver',
  book: 'Réserver un horaire',
  bookedAt: (day, time) => `${day}, ${time}`,
  requested: 'La boutique doit encore la confirmer.',
  classes: 'Cours',
  placesLeft: (places) => (places === 1 ? '1 place libre' : `${places} places libres`),
  waitForPlace: 'complet : attendre une place',
  inLine: (place) => `Vous êtes au rang ${place} de la liste d’attente.`,
  offered: (time) => `Une place est libre pour vous jusqu’à ${time}.`,
  accept: 'Prendre la place',
  leaveList: 'Quitter la liste d’attente',
  leaveListAsk: 'Quitter la liste d’attente ?',
  leaveListHint: 'Vous perdez votre place dans la file.',
  stayInLine: 'Rester',
  move: 'Un autre horaire',
  cancel: 'Annuler la réservation',
  cancelAsk: 'Annuler la réservation ?',
  cancelHint: 'L’horaire sera libre pour quelqu’un d’autre.',
  cancelHintDeposit: 'L’horaire sera libre pour quelqu’un d’autre, et votre acompte vous sera remboursé.',
  keepBooking: 'La garder',
  depositNeeded:
    'Un acompte est à payer sous 15 minutes. Si vous annulez à temps, il est remboursé ; si vous ne venez pas, la boutique le garde.',
  depositDue: (time) => `L’horaire est à vous dès que l’acompte est payé, avant ${time}.`,
  payDeposit: (amount) => `Payer l’acompte : ${amount}`,
  deposit: {
    due: 'L’acompte n’a pas été payé à temps.',
    unpaid: 'L’acompte n’a pas été payé à temps.',
    paid: 'L’acompte est payé.',
    refunding: 'Votre acompte est en cours de remboursement.',
    refunded: 'Votre acompte a été remboursé.',
    kept: 'La boutique garde l’acompte.',
  },
  noticePassed: 'Pour la modifier maintenant, appelez la boutique.',
  noTimes: 'Aucun horaire n’est libre dans les deux prochaines semaines.',
  noBookings: 'Cette boutique ne prend pas de réservations ici.',
  whichDay: 'Quel jour ?',
  whichTime: (day) => `À quelle heure ? ${day}`,
  notice: (minutes) =>
    minutes === 0
      ? 'Vous pouvez la déplacer ou l’annuler jusqu’à son début.'
      : minutes % 60 === 0
        ? `Vous pouvez la déplacer ou l’annuler jusqu’à ${minutes / 60} h avant.`
        : `Vous pouvez la déplacer ou l’annuler jusqu’à ${minutes} min avant.`,
  waiting: (parties) => (parties === 0 ? 'Personne n’attend.' : parties === 1 ? '1 groupe attend.' : `${parties} groupes attendent.`),
  kept: (percent, minutes) =>
    minutes > 0
      ? `${percent} % des attentes annoncées ces quatre dernières semaines ont été tenues. Neuf sur dix avec ${minutes} min de retard au plus.`
      : `${percent} % des attentes annoncées ces quatre dernières semaines ont été tenues.`,
  closed: {
    switch: 'La boutique ne prend pas de clients sans rendez-vous en ce moment.',
    pause: 'La boutique fait une pause.',
    closure: 'La boutique est fermée.',
    store: 'Cette boutique ne prend pas de clients sans rendez-vous.',
  },
  until: (time) => `À nouveau à partir de ${time}.`,
  service: 'Pour quoi ?',
  chair: 'Avec qui ?',
  anyChair: 'Peu importe',
  minutes: (minutes) => `${minutes} min`,
  wait: (minutes) => (minutes === 0 ? 'Sans attente' : `Attente ${minutes} min`),
  waitRange: (from, to) => `Attente ${from} à ${to} min`,
  full: 'Plus de place aujourd’hui',
  people: 'Combien de personnes ?',
  name: 'Votre nom',
  nameHint: 'La boutique vous appelle ainsi.',
  phone: 'Numéro de mobile (facultatif)',
  phoneHint: 'Pour un SMS quand c’est votre tour. Avec le pays, comme +33 6 12 34 56 78. Nom et numéro restent dans votre profil.',
  phoneWrong: 'Un numéro commence par + et le pays, comme +33.',
  join: 'Rejoindre la file',
  place: 'Votre place',
  before: (parties) => (parties === 0 ? 'C’est bientôt à vous' : `${parties} avant vous`),
  about: (minutes) => (minutes === 0 ? 'Une place est libre.' : `Environ ${minutes} min à partir de maintenant`),
  aboutRange: (from, to) => `Entre ${from} et ${to} min après votre arrivée`,
  at: (time) => `vers ${time}`,
  quoted: (minutes, time) => `On vous a annoncé ${minutes} min à ${time}.`,
  stay: 'Cette page suit votre place. Laissez-la ouverte, ou revenez-y.',
  checked: (time) => `Personne n’est passé devant vous en cachette : vérifié à ${time}.`,
  notChecked: 'Pas encore vérifié si quelqu’un est passé devant vous.',
  changedUnseen: 'La file a été modifiée en cachette',
  unfitting: (row) =>
    row === null
      ? 'Elle n’est pas dans l’ordre de ses changements enregistrés.'
      : `Elle ne correspond pas à la ligne ${row} de ses changements enregistrés.`,
  byRule: (rule, shown) =>
    shown === null
      ? `Selon l’ordre d’arrivée, vous êtes numéro ${rule}.`
      : `Selon l’ordre d’arrivée, vous êtes numéro ${rule} ; la file affiche numéro ${shown}.`,
  sound: 'Son quand c’est votre tour',
  leave: 'Quitter la file',
  leaveAsk: 'Quitter la file ?',
  leaveHint: 'Votre place va à la personne suivante. Il faudrait recommencer à la fin.',
  keep: 'Garder ma place',
  called: 'C’est votre tour',
  calledHint: 'Venez maintenant au comptoir.',
  holdUntil: (time) => `Votre place est gardée jusqu’à ${time}.`,
  cannotCome: 'Je ne peux pas venir',
  assigned: 'Installez-vous',
  assignedHint: 'Votre fauteuil est prêt. Bonne visite.',
  ended: {
    completed: 'Merci de votre visite',
    left: 'Vous avez quitté la file',
    no_show: 'Votre place a été donnée',
    converted_to_appointment: 'Vous avez un rendez-vous',
  },
  endedHint: {
    completed: 'À la prochaine.',
    left: 'Rejoignez-la à nouveau quand vous voulez.',
    no_show: 'Vous avez été appelé et n’étiez pas là à temps. Rejoignez la file à nouveau quand vous voulez.',
    converted_to_appointment: 'La boutique vous a mis dans son agenda.',
  },
  again: 'Retour à la file',
};
