import { normaliseTyped } from '@corner/contracts';

export function twinCodes(promos: readonly { readonly id: string; readonly code: string }[]): string[] {
  const first = new Map<string, { readonly id: string; readonly code: string }>();
  return promos.flatMap((promo) => {
    const code = normaliseTyped(promo.code);
    const twin = first.get(code);
    first.set(code, twin ?? promo);
    return twin ? [`promos: two have the code ${code}: “${twin.code}” (${twin.id}) and “${promo.code}” (${promo.id})`] : [];
  });
}
