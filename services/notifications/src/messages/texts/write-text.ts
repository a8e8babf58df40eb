import type { Language } from '@corner/contracts';
import type { Template, TemplateData } from '../rules/template-data.ts';
import { createFormat, type TextContext } from './create-format.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { PartialTexts, Text } from './text.ts';

/** Each language of the contracts. Another one is a tag there, a file beside `en.ts` and a line here. */
export const languages: Readonly<Record<Language, PartialTexts>> = { en, fr };

/** Writes the text of a template from its data, in English where the language lacks it. */
export function writeText<T extends Template>(language: PartialTexts, template: T, data: TemplateData[T], context: TextContext): Text {
  const { locale, unknownStore, texts } = language.texts[template] ? language : en;
  return (texts[template] ?? en.texts[template])(data, createFormat(locale, unknownStore, context));
}
