import { formatMoney, type Language } from '@corner/contracts';
import type { EarnedStamps } from '../rules/earned-stamps.ts';
import type { Fact, RecordedOrder } from '../rules/facts.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { Format, StoryTexts } from './text.ts';

const languages: Readonly<Record<Language, StoryTexts>> = { en, fr };

export interface StoryReader {
  readonly language: Language;
  readonly order: Pick<RecordedOrder, 'currency' | 'time_zone'>;
  readonly isCustomer: boolean;
}

const noFacts = {
  amount_pence: null,
  by: null,
  expected_at: null,
  stamps: null,
  count_after: null,
  goal: null,
  title: null,
  reason: null,
  channel: null,
  about: null,
};

export function entryOf(fact: Fact, reader: StoryReader) {
  const { by_name: _by_name, note: _note, ...facts } = fact;
  const write = languages[reader.language].entries[fact.kind] as (facts: Fact, format: Format) => string;
  const sentence = write(fact, formatOf(reader));
  return { ...noFacts, ...facts, text: fact.part === null ? sentence : `${fact.part}: ${sentence}` };
}

export function stampsIn(earned: EarnedStamps | null, reader: StoryReader) {
  if (!earned) return null;
  const { counting, taken_back, reason, amount_pence } = earned;
  const { noStamp, counting: countingText } = languages[reader.language];
  const format = formatOf(reader);
  const text = reason ? noStamp[reason]({ reason, amount_pence }, format) : countingText({ counting, taken_back }, format);
  return { counting, taken_back, reason, text };
}

function formatOf({ language, order, isCustomer }: StoryReader): Format {
  const { locale } = languages[language];
  const clock = { timeZone: order.time_zone, day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return {
    isCustomer,
    money: (minor) => formatMoney(minor, order.currency, locale),
    time: (instant) => new Intl.DateTimeFormat(locale, clock).format(new Date(instant)),
    plural: (count, { one, other }) => (new Intl.PluralRules(locale).select(count) === 'one' ? one : other),
  };
}
