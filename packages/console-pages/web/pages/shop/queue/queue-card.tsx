import { ActionButton, Badge, Timer } from '../../../components/index.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { Link } from '../../../shell/location.tsx';
import type { Entry } from '../operations.ts';
import { timeText } from '../orders/timing.ts';
import { allowedMoves, type Move, partyName, waitText } from './queue-moves.ts';

interface Props {
  readonly entry: Entry;
  readonly storeId: string;
  readonly zone: string | undefined;
  readonly isBusy: boolean;
  onMove(move: Move): void;
}

/** A party in the queue, with what staff can do about it. */
export function QueueCard({ entry, storeId, zone, isBusy, onMove }: Props) {
  const name = partyName(entry);
  return (
    <article className="order party" aria-label={name} data-entry={entry.entry_id}>
      <header className="order-head">
        {entry.queue_position !== null && <strong className="order-code">{entry.queue_position}</strong>}
        <span className="party-name">
          {entry.customer_id ? (
            <Link href={pathOf('/shop/:storeId/customers/:customerId', { storeId, customerId: entry.customer_id })}>{name}</Link>
          ) : (
            name
          )}
        </span>
        <span className="order-since">
          <span className="unseen">waits since </span>
          <Timer since={entry.joined_at} />
        </span>
      </header>
      <div className="order-marks">
        <Marks entry={entry} zone={zone} />
      </div>
      <footer className="order-foot">
        {allowedMoves(entry).map(({ move, label }, index) => (
          <ActionButton key={move} className={index === 0 ? 'primary' : ''} busy={isBusy} onClick={() => onMove(move)}>
            {label}
            <span className="unseen"> {name}</span>
          </ActionButton>
        ))}
      </footer>
    </article>
  );
}

const Marks = ({ entry, zone }: { readonly entry: Entry; readonly zone: string | undefined }) => (
  <>
    {entry.party_size > 1 && <Badge tone="info">{entry.party_size} people</Badge>}
    {entry.expected_wait_min !== null && <Badge>{waitText(entry.expected_wait_min)}</Badge>}
    {entry.expected_start && <span className="quiet">expected at {timeText(entry.expected_start, zone)}</span>}
    {entry.quoted_wait_min !== null && <span className="quiet">quoted {waitText(entry.quoted_wait_min)}</span>}
    {entry.hold_until && (
      <span>
        held for <Timer until={entry.hold_until} warnAfterMs={60_000} />
      </span>
    )}
    {entry.preferred_unit_id && <Badge tone="info">asked for a chair</Badge>}
    {entry.guest_phone && <a href={`tel:${entry.guest_phone}`}>{entry.guest_phone}</a>}
  </>
);
