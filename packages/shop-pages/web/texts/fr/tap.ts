import type { Texts } from '../en/index.ts';

export const tap: Texts['tap'] = {
  working: 'Un instant',
  workingHint: 'La boutique vérifie votre passage.',
  counts: 'Tampon obtenu',
  reward: 'Votre récompense est prête',
  waits: 'Tampon gardé pour la boutique',
  waitsHint: 'La boutique le vérifie avant qu’il compte.',
  sharedDevice: 'Ce téléphone a servi à plusieurs personnes aujourd’hui : la boutique vérifie le tampon avant qu’il compte.',
  late: 'Il n’y avait pas de connexion : la boutique vérifie le tampon avant qu’il compte.',
  tooSoon: 'C’était trop tôt',
  tooSoonHint: 'Vous venez d’avoir un tampon. Dans la minute qui suit, il n’y en a pas d’autre.',
  refused: 'Pas de tampon',
  offline: 'Votre passage est gardé',
  offlineHint:
    'Il n’y a pas de connexion. Le tampon sera demandé dès qu’elle sera là. Vous pouvez fermer cette page et la rouvrir plus tard.',
  none: 'Approchez votre téléphone du badge',
  noneHint: 'Le badge est au comptoir de la boutique. Le tampon apparaît ensuite ici.',
  whichShop: 'Ce badge n’indique aucune boutique connue ici.',
  toCard: 'Voir votre carte',
  toMenu: 'Commander',
};
