import { Badge, Empty, Loaded, Section } from '../../../../components/index.ts';
import { money } from '../../../../logic/format.ts';
import { useStore } from '../../../../shell/context.ts';
import { useRead } from '../../../../shell/queries.ts';
import { payoutsPath } from './account-operations.ts';
import { dayText, matchedText, nextPayoutText, payoutState } from './payment-texts.ts';

export function PayoutList() {
  const { id: storeId } = useStore();
  const read = useRead(payoutsPath(storeId));
  return (
    <Section title="Payouts">
      <Loaded of={read}>
        {({ payouts }) => (
          <>
            {payouts.length === 0 && (
              <Empty title="Nothing was paid out yet.">The first payout comes some days after the first order.</Empty>
            )}
            {nextPayoutText(payouts) && (
              <p className="next-payout">
                <b>{nextPayoutText(payouts)}</b>
              </p>
            )}
            <ul className="payouts">
              {payouts.map((payout) => {
                const [tone, text] = payoutState(payout.status);
                return (
                  <li key={payout.id}>
                    <b className="numeric">{money(payout.amount_pence, payout.currency)}</b>
                    <span>{dayText(payout.arrival_date)}</span>
                    <Badge tone={tone}>{text}</Badge>
                    <span className="quiet">{payout.failure ?? matchedText(payout)}</span>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}
