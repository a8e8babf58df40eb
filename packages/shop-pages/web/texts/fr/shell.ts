import type { Texts } from '../en/index.ts';

export const shell: Texts['shell'] = {
  menu: 'Carte',
  card: 'Fidélité',
  queue: 'File',
  me: 'Moi',
  mainParts: 'Rubriques de la boutique',
  back: 'Retour',
  close: 'Fermer',
  tryAgain: 'Réessayer',
  loading: 'Chargement',
  busy: 'Un instant',
  less: (name) => `Un de moins : ${name}`,
  more: (name) => `Un de plus : ${name}`,
  offline: 'Pas de connexion. Voici ce qui était affiché en dernier.',
  noSuchPage: 'Cette page n’existe pas',
  noSuchPageHint: 'Vérifiez l’adresse, ou scannez à nouveau le code de la boutique.',
  noSuchShop: 'Cette boutique n’existe pas',
  shops: 'Boutiques',
  quote: (requestId) => `Si cela persiste, donnez ce numéro à la boutique : ${requestId}`,
};
