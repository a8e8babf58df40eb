import { ActionButton, Badge, Timer } from '../../../components/index.ts';
import { manages } from '../../../logic/roles.ts';
import { useStore } from '../../../shell/context.ts';
import { CustomerLink } from '../customer-link.tsx';
import type { Entry, QueueReply } from '../queue-operations.ts';
import { timeText } from '../timing.ts';
import { WriteMessage } from '../write-message.tsx';
import { allowedMoves, assignText, chairFor, type Move, partyName, waitText } from './queue-moves.ts';

interface Props {
  readonly entry: Entry;
  readonly chairs: QueueReply['chairs'];
  readonly services: QueueReply['services'];
  readonly zone: string | undefined;
  readonly isBusy: boolean;
  onMove(move: Move): void;
}

export function QueueCard({ entry, chairs, services, zone, isBusy, onMove }: Props) {
  const name = partyName(entry);
  return (
    <article className="order party" aria-label={name} data-entry={entry.entry_id}>
      <header className="order-head">
        {entry.queue_position !== null && <strong className="order-code">{entry.queue_position}</strong>}
        <span className="party-name">
          <CustomerLink customerId={entry.customer_id} name={name} />
        </span>
        <span className="order-since">
          <span className="unseen">waits since </span>
          <Timer since={entry.joined_at} />
        </span>
      </header>
      <div className="order-marks">
        <Marks entry={entry} zone={zone} chair={nameIn(chairs, entry.preferred_unit_id)} service={nameIn(services, entry.service_id)} />
      </div>
      <footer className="order-foot">
        {allowedMoves(entry).map(({ move, label }, index) => (
          <ActionButton key={move} className={index === 0 ? 'primary' : ''} busy={isBusy} onClick={() => onMove(move)}>
            {move === 'assign' ? (
              assignText(chairFor(entry, chairs), name, entry.party_size)
            ) : (
              <>
                {label}
                <span className="unseen"> {name}</span>
              </>
            )}
          </ActionButton>
        ))}
        <WriteMessage customerId={entry.customer_id} name={name} />
      </footer>
    </article>
  );
}

const nameIn = (of: Props['chairs'], id: string | null): string | null => of.find((each) => each.id === id)?.name ?? null;

interface MarksProps extends Pick<Props, 'entry' | 'zone'> {
  readonly chair: string | null;
  readonly service: string | null;
}

function Marks({ entry, zone, chair, service }: MarksProps) {
  const mayCall = manages(useStore().role);
  return (
    <>
      {!entry.confirmed && <Badge tone="warn">not confirmed</Badge>}
      {entry.party_size > 1 && <Badge tone="info">{entry.party_size} people</Badge>}
      {service && <Badge>{service}</Badge>}
      {chair && <Badge tone="info">asked for {chair}</Badge>}
      {entry.expected_wait_min !== null && <Badge>{waitText(entry.expected_wait_min)}</Badge>}
      {entry.expected_start && <span className="quiet">expected at {timeText(entry.expected_start, zone)}</span>}
      {entry.quoted_wait_min !== null && <span className="quiet">quoted {waitText(entry.quoted_wait_min)}</span>}
      {entry.hold_until && (
        <span>
          held for <Timer until={entry.hold_until} warnAfterMs={60_000} />
        </span>
      )}
      {entry.by?.name && <span className="quiet">by {entry.by.name}</span>}
      {mayCall && entry.guest_phone && <a href={`tel:${entry.guest_phone}`}>{entry.guest_phone}</a>}
    </>
  );
}
