import { storeSettings } from '@corner/contracts/settings';
import type { Bound } from './bound.ts';
import type { DirectoryStore } from './directory-objects.ts';
import { ChoiceField, TextField, TypedField } from './form-fields.tsx';
import { parsePosition, positionText } from './positions.ts';

type Address = NonNullable<DirectoryStore['address']>;

export function AddressFields({ of }: { readonly of: Bound<DirectoryStore['address']> }) {
  const address = of.value ?? none;
  const set = (next: Address) => of.set([...next.lines, next.postcode, next.city, next.country].join('').trim() === '' ? null : next);
  const filled = { ...of, value: address, set } as Bound<Address>;
  const field = <K extends keyof Address>(name: K): Bound<Address[K]> => ({
    ...of.field(name as never),
    value: address[name],
    set: (value) => set({ ...address, [name]: value }),
  });
  const lines = {
    ...field('lines'),
    value: filled.value.lines.join('\n'),
    set: (text: string) => set({ ...address, lines: text.split('\n') }),
  };
  return (
    <>
      <TextField
        label="Street"
        hint="And what comes before it, a line each."
        of={lines as unknown as Bound<string>}
        rows={2}
        autoComplete="street-address"
      />
      <div className="form-row">
        <TextField label="Postcode" of={field('postcode')} maxLength={16} autoComplete="postal-code" />
        <TextField label="City" of={field('city')} maxLength={80} autoComplete="address-level2" />
        <ChoiceField label="Country" of={field('country')} options={countryOptions(address.country)} />
      </div>
    </>
  );
}

export const PositionField = ({ of }: { readonly of: Bound<DirectoryStore['position']> }) => (
  <TypedField
    label={storeSettings.position.label}
    hint={storeSettings.position.hint}
    of={of}
    optional
    format={positionText}
    parse={parsePosition}
    fault="Must be a latitude and a longitude in degrees, such as 51.5430, -0.0553."
    inputMode="text"
    maxLength={60}
  />
);

const none: Address = { lines: [], postcode: '', city: '', country: '' };

const countries =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US';

function countryOptions(chosen: string) {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const codes = [...new Set([...countries.split(' '), ...(chosen ? [chosen] : [])])];
  const named = codes.map((code) => [code, names.of(code) ?? code] as const).toSorted(([, a], [, b]) => a.localeCompare(b));
  return [['', 'Choose'] as const, ...named];
}
