import { type Language, languages } from '../../texts/texts.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { Choice } from '../../ui/field.tsx';
import { useMe } from './use-me.ts';

export function LanguageChoice() {
  const { me: texts } = useTexts();
  const { language, choose } = useLanguage();
  const { profile, change } = useMe();
  const set = (next: Language) => {
    choose(next);
    if (profile) void change({ language: next }).catch(() => {});
  };
  return (
    <fieldset class="choices">
      <legend>{texts.language}</legend>
      {Object.entries(languages).map(([code, name]) => (
        <Choice
          key={code}
          type="radio"
          name="language"
          checked={code === language}
          onChange={() => set(code as Language)}
          label={<span lang={code}>{name}</span>}
        />
      ))}
    </fieldset>
  );
}
