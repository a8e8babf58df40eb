import { wallTimeAt } from '@corner/page-kit/logic/zones';
import type { Options, Tone } from '../../../components/index.ts';
import { count, instant, plural } from '../../../logic/format.ts';
import type { Campaign, CampaignFields } from './campaign-operations.ts';

type Audience = Campaign['audience'];

export const audiences: Options<Audience['kind']> = [
  ['everyone', 'Everyone'],
  ['one_stamp_to_go', 'One stamp to go'],
  ['reward_waiting', 'A reward is waiting'],
  ['not_seen', 'Not seen for a while'],
];

export const audienceText = (audience: Audience): string =>
  audience.kind === 'not_seen'
    ? `Not seen for ${audience.days} days`
    : (audiences.find(([kind]) => kind === audience.kind)?.[1] ?? audience.kind);

export const rulesText =
  'A campaign goes only to customers who said yes to the store’s news and have not muted it, at most 4 of the store in 30 days to each, from nine to nine at the store. Each message ends with a way to stop them.';

/** `days` is what is typed. */
export interface CampaignForm {
  readonly kind: Audience['kind'];
  readonly days: string;
  readonly title: string;
  readonly body: string;
}

export const emptyForm: CampaignForm = { kind: 'everyone', days: '30', title: '', body: '' };

export const formOf = ({ audience, title, body }: Pick<Campaign, 'audience' | 'title' | 'body'>): CampaignForm => ({
  kind: audience.kind,
  days: audience.kind === 'not_seen' ? String(audience.days) : emptyForm.days,
  title,
  body,
});

export const fieldsOf = ({ kind, days, title, body }: CampaignForm): CampaignFields => ({
  audience: kind === 'not_seen' ? { kind, days: Number(days) } : { kind },
  title: title.trim(),
  body: body.trim(),
});

/** Says when the first message goes, by the clock of the store. */
export function beginText(now: number, zone: string): string {
  const { time } = wallTimeAt(now, zone);
  if (time < '09:00' || time >= '21:00') return `It is ${time} at the store: the first goes at nine in the morning.`;
  return 'The first goes at once. What is left at nine in the evening goes on the next morning.';
}

const fewestToHoldOut = 200;
export const holdOutText = (audience: number): string | null =>
  audience < fewestToHoldOut ? null : 'About a tenth of them, drawn by lot, get nothing, so that you see what it changed.';

export const stateOf = ({ state, begun_at }: Pick<Campaign, 'state' | 'begun_at'>): readonly [tone: Tone, text: string] =>
  ({
    draft: ['quiet', 'draft'] as const,
    sending: ['info', 'being sent'] as const,
    sent: ['good', 'sent'] as const,
    stopped: ['warn', begun_at === null ? 'discarded' : 'stopped'] as const,
  })[state];

const dayMs = 86_400_000;
const countedDays = 15;

/** Says whether the difference between those written to and those left out means something; nothing of it before all is counted. */
export function comparisonText({ ended_at, results }: Pick<Campaign, 'ended_at' | 'results'>, now: number, zone?: string): string {
  const { written, came_back, held_out, held_out_came_back } = results;
  if (ended_at === null) return 'Who comes back is counted once it is sent.';
  const until = Date.parse(ended_at) + countedDays * dayMs;
  if (now < until)
    return `Who comes back is counted until ${instant(new Date(until).toISOString(), 'day', undefined, zone)}: it is too early to compare.`;
  if (held_out === 0) return 'No one was left out by lot, so it cannot be said who would have come without it.';
  const z = deviations({ of: written, came: came_back }, { of: held_out, came: held_out_came_back });
  if (z === null) return `Too few to compare: ${plural(held_out, 'customer was', 'customers were')} left out by lot. It may be chance.`;
  if (Math.abs(z) < significant) return 'The difference may well be chance: it does not show that the campaign brought anyone.';
  return z > 0
    ? 'So large a difference is rarely chance: the campaign brought customers back.'
    : 'So large a difference is rarely chance: fewer came of those who got it.';
}

interface Group {
  readonly of: number;
  readonly came: number;
}

/** Standard deviations between two shares: chance alone exceeds this once in twenty times. */
const significant = 1.96;
/** Below this many on any side the deviations say nothing. */
const fewest = 5;

function deviations(one: Group, other: Group): number | null {
  const all = one.of + other.of;
  const share = (one.came + other.came) / all;
  const expected = Math.min(one.of, other.of) * Math.min(share, 1 - share);
  if (!(expected >= fewest)) return null;
  return (one.came / one.of - other.came / other.of) / Math.sqrt(share * (1 - share) * (1 / one.of + 1 / other.of));
}

/** Below this many a percentage says more than is known. */
const fewestForPercent = 20;
export const shareText = (came: number, of: number): string =>
  `${count(came)} of ${count(of)}${of < fewestForPercent ? '' : ` (${((100 * came) / of).toFixed(1)} %)`}`;
