import { Field } from '../../../components/index.ts';

interface When {
  readonly date: string;
  readonly time: string;
}

export const WhenFields = ({ form, set }: { readonly form: When; set(fields: Partial<When>): void }) => (
  <>
    <Field label="Day">
      {(props) => <input {...props} type="date" required value={form.date} onChange={({ target }) => set({ date: target.value })} />}
    </Field>
    <Field label="Time" hint="As the clock of the store shows it.">
      {(props) => <input {...props} type="time" required value={form.time} onChange={({ target }) => set({ time: target.value })} />}
    </Field>
  </>
);
