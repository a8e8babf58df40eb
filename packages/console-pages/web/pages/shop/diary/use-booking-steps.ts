import { useState } from 'react';
import { announce } from '../../../shell/announce.tsx';
import { refusalText } from '../refusal-text.ts';
import type { BookingState } from './diary-day.ts';
import { changeBooking, type ListedBooking } from './diary-operations.ts';

export function useBookingSteps(storeId: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const run = async (booking: ListedBooking, state: BookingState) => {
    setBusy(booking.id);
    setNotice(null);
    try {
      await changeBooking(storeId, booking, { state });
      announce(`The booking is ${state}.`, async () => {
        await changeBooking(storeId, { ...booking, version: booking.version + 1 }, { state: booking.state });
        return `The booking is ${booking.state} again.`;
      });
    } catch (error) {
      setNotice(refusalText(error, 'The booking'));
    } finally {
      setBusy(null);
    }
  };
  return { busy, notice, set: (booking: ListedBooking, state: BookingState) => void (busy === null && run(booking, state)) };
}
