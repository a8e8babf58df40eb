import { useTexts } from '../texts/use-texts.tsx';

export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const { shell } = useTexts();
  return (
    <div class="skeleton" role="status" aria-label={shell.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
