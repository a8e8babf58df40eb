import { kept } from '@corner/page-kit/browser/storage';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
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

export interface LoadedTexts {
  readonly language: Language;
  readonly texts: Texts;
}

export const loadFirstTexts = (): Promise<LoadedTexts> => load(chooseLanguage([kept.getItem(chosenName) ?? '', ...navigator.languages]));

const load = async (language: Language): Promise<LoadedTexts> => ({ language, texts: await loadTexts(language) });

export function WithTexts({ first, children }: { readonly first: LoadedTexts; readonly children: ComponentChildren }) {
  const [loaded, setLoaded] = useState(first);
  const spoken = useMemo(() => ({ ...loaded, format: formatIn(regional(loaded.language)), choose }), [loaded]);
  function choose(next: Language) {
    kept.setItem(chosenName, next);
    void load(next).then(setLoaded);
  }
  useEffect(() => {
    document.documentElement.lang = loaded.language;
  }, [loaded]);
  return <Spoken.Provider value={spoken}>{children}</Spoken.Provider>;
}

const regional = (language: Language): string =>
  navigator.languages.find((tag) => chooseLanguage([tag]) === language && tag.toLowerCase().startsWith(language))?.replace(/@.*/, '') ??
  language;

function useSpoken(): Speech {
  const spoken = useContext(Spoken);
  if (!spoken) throw new Error('outside WithTexts');
  return spoken;
}

export const useTexts = (): Texts => useSpoken().texts;

export const useFormat = (): Format => useSpoken().format;

export const useLanguage = (): Pick<Speech, 'language' | 'choose'> => useSpoken();
