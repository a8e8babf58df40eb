import type { MenuOption } from '../../order/basket.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Choice } from '../../ui/field.tsx';

interface OptionFieldProps {
  readonly option: MenuOption;
  readonly currency: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function OptionField({ option, currency, chosen, onChange }: OptionFieldProps) {
  const { menu } = useTexts();
  const { money } = useFormat();
  const { id, name, min, max, choices } = option;
  const one = max === 1;
  const own = choices.filter((choice) => chosen.includes(choice.id));
  const others = chosen.filter((other) => !choices.some((choice) => choice.id === other));
  const toggle = (choiceId: string, on: boolean): void => {
    if (one) onChange([...others, choiceId]);
    else onChange(on ? [...chosen, choiceId] : chosen.filter((other) => other !== choiceId));
  };
  return (
    <fieldset id={`option-${id}`} class="option">
      <legend>
        {name} <span class="hint">{rule(menu, min, max)}</span>
      </legend>
      <div class="choices">
        {one && min === 0 ? (
          <Choice type="radio" name={id} label={menu.none} checked={own.length === 0} onChange={() => onChange(others)} />
        ) : null}
        {choices.map((choice) => {
          const on = chosen.includes(choice.id);
          return (
            <Choice
              key={choice.id}
              type={one ? 'radio' : 'checkbox'}
              name={id}
              label={choice.name}
              checked={on}
              disabled={choice.sold_out || (!one && !on && own.length >= max)}
              after={choice.sold_out ? menu.soldOut : choice.price_pence > 0 ? `+ ${money(choice.price_pence, currency)}` : undefined}
              onChange={({ currentTarget }) => toggle(choice.id, currentTarget.checked)}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function rule(menu: ReturnType<typeof useTexts>['menu'], min: number, max: number): string {
  if (min === 0) return menu.chooseUpTo(max);
  if (min === max) return min === 1 ? menu.chooseOne : menu.chooseExactly(min);
  return menu.chooseBetween(min, max);
}
