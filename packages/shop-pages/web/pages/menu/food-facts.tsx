import type { MenuChoice, MenuItem } from '../../order/basket.ts';
import { useTexts } from '../../texts/use-texts.tsx';

interface FoodFactsProps {
  readonly item: MenuItem;
  readonly chosen: readonly MenuChoice[];
}

/** A fact that the shop has not stated is never shown as absent. */
export function FoodFacts({ item, chosen }: FoodFactsProps) {
  const { menu } = useTexts();
  const write = (allergens: MenuItem['allergens']): string => {
    if (allergens === null) return menu.notSaid;
    return allergens.length === 0 ? menu.noAllergens : allergens.map((one) => menu.allergenNames[one]).join(', ');
  };
  return (
    <dl class="food-facts">
      {item.diet.length > 0 ? (
        <>
          <dt>{menu.diet}</dt>
          <dd>{item.diet.map((one) => menu.diets[one]).join(', ')}</dd>
        </>
      ) : null}
      <dt>{menu.allergens}</dt>
      <dd>{write(item.allergens)}</dd>
      {chosen
        .filter(({ allergens }) => allergens === null || allergens.length > 0)
        .map(({ id, name, allergens }) => (
          <div key={id}>
            <dt>{menu.allergensOf(name)}</dt>
            <dd>{write(allergens)}</dd>
          </div>
        ))}
    </dl>
  );
}
