import type { Texts } from '../en/index.ts';

export const myData: Texts['myData'] = {
  title: 'Tout ce qui me concerne',
  hint: 'Ce que les commerces et cette plateforme gardent de vous : profil, commandes, tampons, files d’attente, messages.',
  download: 'Télécharger',
  page: 'Télécharger pour imprimer',
  erase: 'M’effacer partout',
  ask: 'Vous effacer partout ?',
  askHint:
    'C’est irréversible. Vos tampons et récompenses sont perdus, et vous êtes déconnecté. Les commandes en cours sont d’abord terminées. Les commerces gardent les montants et la TVA, sans votre nom.',
  keep: 'Tout garder',
  erased: 'Tout ce qui vous nomme est en cours d’effacement.',
  certificate: 'Ce qui est effacé, et ce que la loi impose de garder. Conservez cette adresse : vous seul l’avez.',
};
