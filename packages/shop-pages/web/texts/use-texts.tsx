import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { kept } from '../session/storage.ts';
import type { Texts } from './en/index.ts';
import { type Format, formatIn } from './format.ts';
import { chooseLanguage, type Language, loadTexts } from './texts.ts';

const chosenName = 'corner.language';

interface Speech {
  readonly language: Language;
  readonly texts: Texts;
  readonly format: Format;
  readonly choose: (language: Language) => void;
}
const Spoken = createContext<Speech | undefined>(undefined);

/** Loads the texts of the chosen language, else of the browser's, and renders what is inside once they are there. */
export function WithTexts({ children }: { readonly children: ComponentChildren }) {
  const [language, setLanguage] = useState(() => chooseLanguage([kept.getItem(chosenName) ?? '', ...navigator.languages]));
  const [loaded, setLoaded] = useState<{ readonly language: Language; readonly texts: Texts }>();
  useEffect(() => {
    void loadTexts(language).then((texts) => setLoaded({ language, texts }));
  }, [language]);
  const spoken = useMemo(() => loaded && { ...loaded, format: formatIn(regional(loaded.language)), choose }, [loaded]);
  function choose(next: Language) {
    kept.setItem(chosenName, next);
    setLanguage(next);
  }
  useEffect(() => {
    if (loaded) document.documentElement.lang = loaded.language;
  }, [loaded]);
  return spoken ? <Spoken.Provider value={spoken}>{children}</Spoken.Provider> : null;
}

/** The browser's tag of a language, with its region: en-GB. */
const regional = (language: Language): string =>
  navigator.languages.find((tag) => chooseLanguage([tag]) === language && tag.toLowerCase().startsWith(language))?.replace(/@.*/, '') ??
  language;

function useSpoken(): Speech {
  const spoken = useContext(Spoken);
  if (!spoken) throw new Error('outside WithTexts');
  return spoken;
}

/** The texts of the customer's language. */
export const useTexts = (): Texts => useSpoken().texts;

/** How the customer's language writes amounts and times. */
export const useFormat = (): Format => useSpoken().format;

/** The language, and a function that changes it and remembers it. */
export const useLanguage = (): Pick<Speech, 'language' | 'choose'> => useSpoken();
