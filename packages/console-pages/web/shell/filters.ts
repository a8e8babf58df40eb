import { useSearchParams } from 'wouter';

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
