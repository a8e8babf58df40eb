import { useSearchParams } from 'wouter';

/**
 * The fields of the address's query, and a function that changes some of them: an empty value removes the field. It adds no entry to the
 * history.
 */
export function useFilters() {
  const [filters, setFilters] = useSearchParams();
  const change = (fields: Readonly<Record<string, string>>) =>
    setFilters(
      (before) => {
        for (const [name, value] of Object.entries(fields)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  return [filters, change] as const;
}
