import type { DirectoryStore } from '../directory-objects.ts';
import type { Programme } from '../offer-objects.ts';
import { coloursOf, earnText, rewardText } from './card-texts.ts';

interface Props {
  readonly store: DirectoryStore;
  readonly programme: Programme;
  readonly itemName: string | undefined;
}

const filledOf = (goal: number): number => Math.max(1, Math.ceil(goal / 3));
const mostDrawn = 30;

export function CardPreview({ store, programme, itemName }: Props) {
  const { text, background, second } = coloursOf(store.branding);
  const { logo_url, background_type, background_image_url } = store.branding;
  const { goal, reward, reward_title, enabled } = programme;
  const image = background_type === 'image' && background_image_url ? `url(${JSON.stringify(background_image_url)})` : undefined;
  const drawn = goal >= 1 && goal <= mostDrawn ? goal : 0;
  return (
    <figure className="card-preview" aria-label="Preview of the card">
      <div className="card-face" style={{ color: text, backgroundColor: background, backgroundImage: image }}>
        <p className="card-store">
          {logo_url && <img src={logo_url} alt="" />}
          <b>{store.name}</b>
        </p>
        <p className="card-reward">
          {goal} stamps: {reward_title}
        </p>
        <ul className="card-stamps" aria-label={`${filledOf(goal)} of ${goal} stamps`}>
          {Array.from({ length: drawn }, (_, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the stamps are alike
              key={index}
              className="card-stamp"
              style={{ borderColor: second, backgroundColor: index < filledOf(goal) ? second : undefined }}
            />
          ))}
        </ul>
        <p className="card-terms">{rewardText(reward, store.currency, itemName)}</p>
      </div>
      <figcaption className="quiet">
        {enabled ? earnText(programme, store.currency) : 'It is switched off: no stamps are collected.'}
      </figcaption>
    </figure>
  );
}
