import { useTexts } from '../texts/use-texts.tsx';

interface StepperProps {
  readonly name: string;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
  readonly onChange: (value: number) => void;
}

export function Stepper({ name, value, min = 0, max = 99, onChange }: StepperProps) {
  const { shell } = useTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is shown
    <div class="stepper" role="group" aria-label={name}>
      <button type="button" aria-label={shell.less(name)} disabled={value <= min} onClick={() => onChange(value - 1)}>
        −
      </button>
      <output aria-live="polite">{value}</output>
      <button type="button" aria-label={shell.more(name)} disabled={value >= max} onClick={() => onChange(value + 1)}>
        +
      </button>
    </div>
  );
}
