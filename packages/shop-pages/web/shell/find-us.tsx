import { useTexts } from '../texts/use-texts.tsx';
import { mapLink, postalLines } from './places.ts';
import type { Store } from './use-store.ts';

/** Where the store is and what number it has, each a link to what the phone does with it; nothing for a store that names neither. */
export function FindUs({ store }: { readonly store: Store | undefined }) {
  const { shell } = useTexts();
  if (!store?.address && !store?.phone && !store?.position) return null;
  const { address, phone } = store;
  const map = mapLink(store, /Android/.test(navigator.userAgent));
  return (
    <section class="part">
      <h2>{shell.findUs}</h2>
      <ul class="rows">
        {map === null ? null : (
          <li class="row">
            <a class="row-press" href={map} target="_blank" rel="noopener noreferrer">
              <span class="row-main">
                <span class="row-title">{shell.onTheMap}</span>
                {address ? <span class="row-detail">{postalLines(address).join(', ')}</span> : null}
              </span>
            </a>
          </li>
        )}
        {phone ? (
          <li class="row">
            <a class="row-press" href={`tel:${phone}`}>
              <span class="row-main">
                <span class="row-title">{shell.call}</span>
                <span class="row-detail">{phone}</span>
              </span>
            </a>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
