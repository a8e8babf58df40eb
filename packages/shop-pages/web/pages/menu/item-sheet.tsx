import { useState } from 'preact/hooks';
import { type BasketLine, chosenOf, isEnough, type MenuItem, mostOfOne, unitPrice } from '../../order/basket.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { FoodFacts } from './food-facts.tsx';
import { OptionField } from './option-field.tsx';
import { Picture } from './picture.tsx';

interface ItemSheetProps {
  readonly item: MenuItem;
  readonly currency: string;
  readonly onClose: () => void;
  readonly onAdd: (line: BasketLine) => void;
  readonly line?: BasketLine;
}

export function ItemSheet(props: ItemSheetProps) {
  const { item, currency, onClose, line } = props;
  const { menu } = useTexts();
  const { money } = useFormat();
  const { choices, setChoices, note, setNote, quantity, setQuantity, chosen, lacking, add } = useLine(props);
  const total = money(quantity * unitPrice(item, chosen), currency);
  return (
    <Sheet
      title={item.name}
      onClose={onClose}
      foot={
        item.sold_out ? (
          <p class="sold-out">{menu.soldOut}</p>
        ) : (
          <>
            {lacking ? (
              <p class="field-error" role="alert">
                {menu.missing(lacking.name)}
              </p>
            ) : null}
            <div class="add-bar">
              <Stepper name={menu.quantity} value={quantity} min={1} max={mostOfOne} onChange={setQuantity} />
              <Button kind="main" type="submit" form="item">
                {line ? menu.change : menu.add} · {total}
              </Button>
            </div>
          </>
        )
      }
    >
      <Picture url={item.image_url} />
      {item.description ? <p>{item.description}</p> : null}
      <form id="item" class="item-form" onSubmit={add}>
        {item.options.map((option) => (
          <OptionField key={option.id} option={option} currency={currency} chosen={choices} onChange={setChoices} />
        ))}
        {item.sold_out ? null : (
          <Field
            label={menu.note}
            hint={menu.noteHint}
            value={note}
            maxLength={140}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
          />
        )}
      </form>
      <FoodFacts item={item} chosen={chosen} />
    </Sheet>
  );
}

function useLine({ item, line, onAdd, onClose }: ItemSheetProps) {
  const [choices, setChoices] = useState<readonly string[]>(() => chosenOf(item, line?.choices ?? []).map(({ id }) => id));
  const [note, setNote] = useState(line?.note ?? '');
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [pressed, setPressed] = useState(false);
  const chosen = chosenOf(item, choices);
  const missing = item.options.find((option) => !isEnough(option, choices));
  const add = (event: Event) => {
    event.preventDefault();
    setPressed(true);
    if (missing) return document.getElementById(`option-${missing.id}`)?.querySelector('input')?.focus();
    onAdd({ menu_item_id: item.id, name: item.name, quantity, choices, note });
    onClose();
  };
  return { choices, setChoices, note, setNote, quantity, setQuantity, chosen, lacking: pressed ? missing : undefined, add };
}
