/** Stamps toward the next reward, as dots. A screen reader gets the count. */
export function StampCard({ count, goal, reward }: { readonly count: number; readonly goal: number; readonly reward: string }) {
  const stamps = Array.from({ length: Math.min(Math.max(goal, 0), 30) }, (_, index) => index < count);
  return (
    <div className="stamp-card">
      <p className="stamp-count">
        <strong>{count}</strong> of {goal} stamps
      </p>
      <ol aria-hidden="true" className="stamps">
        {stamps.map((has, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stamp has no name but its place
          <li key={index} className={has ? 'stamp has' : 'stamp'} />
        ))}
      </ol>
      <p className="quiet">{reward}</p>
    </div>
  );
}
