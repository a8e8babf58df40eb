import type { MenuItem } from '../../order/basket.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Picture } from './picture.tsx';

interface MenuListProps {
  readonly items: readonly MenuItem[];
  readonly currency: string;
  readonly onOpen: (item: MenuItem) => void;
}

export function MenuList({ items, currency, onOpen }: MenuListProps) {
  const { menu } = useTexts();
  const parts = [...Map.groupBy(items, ({ category }) => category)].sort(([one], [other]) => Number(one === null) - Number(other === null));
  if (items.length === 0) return <p class="quiet">{menu.empty}</p>;
  return (
    <>
      {parts.length > 2 ? (
        <nav class="menu-parts" aria-label={menu.parts}>
          {parts.map(([category], index) => (
            <a key={category} href={`#part-${index}`}>
              {category ?? menu.others}
            </a>
          ))}
        </nav>
      ) : null}
      {parts.map(([category, ofPart], index) => (
        <section
          key={category}
          id={`part-${index}`}
          class="menu-part"
          aria-label={parts.length > 1 ? (category ?? menu.others) : menu.title}
        >
          {parts.length > 1 ? <h2>{category ?? menu.others}</h2> : null}
          <ul class="rows">
            {ofPart.map((item) => (
              <ItemRow key={item.id} item={item} currency={currency} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function ItemRow({ item, currency, onOpen }: Omit<MenuListProps, 'items'> & { readonly item: MenuItem }) {
  const { menu } = useTexts();
  const { money } = useFormat();
  const { name, description, price_pence, sold_out, diet, options } = item;
  const dearer = options.some(({ min, choices }) => min > 0 && choices.every((choice) => choice.price_pence > 0));
  const price = money(price_pence, currency);
  return (
    <li class="row">
      <button type="button" class="row-press menu-item" aria-haspopup="dialog" onClick={() => onOpen(item)}>
        <span class="row-main">
          <span class="row-title">{name}</span>
          {description ? <span class="row-detail menu-description">{description}</span> : null}
          <span class="menu-facts">
            <span class="menu-price">{dearer ? menu.from(price) : price}</span>
            {sold_out ? <span class="sold-out">{menu.soldOut}</span> : null}
            {diet.length > 0 ? <span class="row-detail">{diet.map((one) => menu.diets[one]).join(' · ')}</span> : null}
          </span>
        </span>
        <Picture url={item.image_url} small />
      </button>
    </li>
  );
}
