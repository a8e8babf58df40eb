import { useTexts } from '../../texts/use-texts.tsx';
import { coloursOf, type OwnCard } from './look.ts';

const stamps = {
  bean: 'M17.5 4.5c3 2.6 2.4 8.3-1.2 11.9s-9.2 4.2-11.8 1.1C1.9 14.5 2.6 9 6.2 5.5s8.7-3.6 11.3-1zM17 5c.5 4-2.5 5.5-5 7s-5 3.5-5.5 5.5',
  cup: 'M5 8h11v6a5 5 0 0 1-5 5h-1a5 5 0 0 1-5-5zM16 9.5h1.5a2.5 2.5 0 0 1 0 5H16M8 3.5v1.5M12 3.5v1.5',
  scissors: 'M7 4l10 12M17 4L7 16M8.5 18.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM20.5 18.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  star: 'M12 3.5l2.6 5.3 5.9.9-4.3 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.3-4.1 5.9-.9z',
  heart: 'M12 19.5C5 15 3.5 11.5 3.5 9a4.3 4.3 0 0 1 8.5-1 4.3 4.3 0 0 1 8.5 1c0 2.5-1.5 6-8.5 10.5z',
  check: 'M5.5 12.5l4.5 4.5 8.5-10',
} as const;

/** `reward` is that of a full card, empty while unknown; `look` is then null. `fresh`: the last stamp is new, and is animated. */
interface StampCardProps {
  readonly name: string;
  readonly count: number;
  readonly goal: number;
  readonly reward: string;
  readonly look: OwnCard['look'] | null;
  readonly fresh?: boolean;
}

export function StampCard({ name, count, goal, reward, look, fresh = false }: StampCardProps) {
  const { card: texts } = useTexts();
  const colours = look ? coloursOf(look) : undefined;
  const outline = Object.hasOwn(stamps, look?.stamp_visual ?? '') ? stamps[look?.stamp_visual as keyof typeof stamps] : stamps.check;
  return (
    <figure class="stamp-card" style={colours && { '--card-paper': colours.paper, '--card-ink': colours.ink }}>
      <figcaption class="stamp-card-head">
        <span class="stamp-card-name">{name}</span>
        <span class="stamp-card-count">{texts.countOf(count, goal)}</span>
      </figcaption>
      <div class="stamp-card-places" aria-hidden="true">
        {Array.from({ length: goal }, (_, place) => (
          <span key={place} class={classOf(place, count, fresh)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={outline} />
            </svg>
          </span>
        ))}
      </div>
      {reward === '' ? null : <p>{count >= goal ? texts.earned(reward) : texts.toGo(goal - count, reward)}</p>}
    </figure>
  );
}

const classOf = (place: number, count: number, fresh: boolean): string =>
  `stamp-place ${place < count ? 'given' : ''} ${fresh && place === count - 1 ? 'fresh' : ''}`;
