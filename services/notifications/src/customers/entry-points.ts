import { erasingOf } from '@corner/chassis';
import type { Context } from '../context.ts';
import { deleteVoidPasses, eraseCustomer, exportedSections, hasPasses } from './tables.ts';

/** Milliseconds in which a phone fetches a pass that became void. After them it is deleted. */
const fetchedWithinMs = 86_400_000;

export const erasing = erasingOf<Context>('notifications', {
  async erase(tx, customerId, { passSignal }) {
    const { addresses, devices, choices, messages, passes } = await eraseCustomer(tx, customerId);
    const deleted = await deleteVoidPasses(tx, customerId, new Date(tx.now.getTime() - fetchedWithinMs));
    if (passes > 0) tx.on('commit', passSignal.raise);
    return [
      ...(addresses > 0 ? ['Name, e-mail address, phone number and devices were deleted.'] : []),
      ...(devices > 0 ? [`${devices} linked devices were deleted.`] : []),
      ...(choices > 0 ? [`${choices} rows of preferences and consent were deleted.`] : []),
      ...(messages > 0 ? [`${messages} messages were deleted or not sent.`] : []),
      ...(passes > 0 ? [`${passes} passes in wallets became void.`] : []),
      ...(deleted > 0 ? [`${deleted} void passes were deleted, with the phones that held them.`] : []),
    ];
  },
  isLeft: hasPasses,
  kept: [
    {
      what: 'Messages that were delivered, in the recipient’s own mailbox or phone, and at the mail, SMS and push services on the way.',
      why: 'They are not in Corner’s hands any more.',
      how_long: 'As the recipient and these services decide.',
    },
    {
      what: 'A keyed hash of an address whose owner wants no mail or of a number that stopped texts, and of an address that had mail today or yesterday.',
      why: 'Without it they would get messages again when someone else types them. No one reads the address or the number from it.',
      how_long: 'The refusal for good, the count two days.',
    },
    {
      what: 'Events with numbers that were sent to the stores’ own servers.',
      why: 'A server that was away asks for them again.',
      how_long: 'Thirty days.',
    },
  ],
  sections: exportedSections,
});
