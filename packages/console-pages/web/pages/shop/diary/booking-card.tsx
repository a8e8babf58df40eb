import { wallTimeAt } from '@corner/page-kit/logic/zones';
import { ActionButton, Badge } from '../../../components/index.ts';
import { type BookingState, stepsOf, takesChair } from './diary-day.ts';
import type { ListedBooking } from './diary-operations.ts';

interface Props {
  readonly booking: ListedBooking;
  readonly zone: string;
  readonly clashes: boolean;
  readonly isBusy: boolean;
  onStep(booking: ListedBooking, state: BookingState): void;
  onMove(): void;
  onCancel(): void;
}

const tones = { booked: 'info', started: 'good', done: 'quiet', cancelled: 'quiet' } as const;

export const timesText = ({ starts_at, ends_at }: Pick<ListedBooking, 'starts_at' | 'ends_at'>, zone: string): string =>
  [starts_at, ends_at].map((at) => wallTimeAt(Date.parse(at), zone).time).join('–');

export function BookingCard({ booking, zone, clashes, isBusy, onStep, onMove, onCancel }: Props) {
  const times = timesText(booking, zone);
  const about = <span className="unseen">: the booking {times}</span>;
  return (
    <article className={takesChair(booking) ? 'booking' : 'booking over'} data-booking={booking.id} aria-label={times}>
      <p className="order-marks">
        <b>{times}</b>
        <Badge tone={tones[booking.state]}>{booking.state}</Badge>
        {clashes && <Badge tone="warn">overlaps another</Badge>}
      </p>
      {takesChair(booking) && (
        <p className="booking-buttons">
          {stepsOf[booking.state].map(([state, label]) => (
            <ActionButton key={state} className="small" busy={isBusy} onClick={() => onStep(booking, state)}>
              {label}
              {about}
            </ActionButton>
          ))}
          <button type="button" className="small" aria-haspopup="dialog" onClick={onMove}>
            Move
            {about}
          </button>
          <button type="button" className="small" aria-haspopup="dialog" onClick={onCancel}>
            Cancel
            {about}
          </button>
        </p>
      )}
    </article>
  );
}
