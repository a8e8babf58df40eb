import type { Texts } from './en/index.ts';

export const languages = { en: 'English', fr: 'Français' } as const;
export type Language = keyof typeof languages;

const load: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./en/index.ts')).en,
  fr: async () => (await import('./fr/index.ts')).fr,
};

export const loadTexts = (language: Language): Promise<Texts> => load[language]();

/** Ignores regions. Returns English when the pages have none of the wanted languages. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.toLowerCase().split(/[-_@]/)[0] ?? '');
  return codes.find((code): code is Language => Object.hasOwn(languages, code)) ?? 'en';
}
