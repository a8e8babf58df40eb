import { useState } from 'preact/hooks';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PayFrame, type PayingStage } from './pay-frame.tsx';
import type { Payments } from './provider.ts';
import { sandboxProvider, testCards } from './sandbox.ts';
import type { Payment } from './use-payment.ts';

interface SandboxPayProps {
  readonly payment: Payment;
  readonly stage: PayingStage;
  readonly payments: Payments & { readonly kind: 'sandbox' };
  readonly back: string;
}

export function SandboxPay({ payment, stage, payments, back }: SandboxPayProps) {
  const { pay: texts } = useTexts();
  const [chosen, setChosen] = useState<(typeof testCards)[number]>(testCards[0]);
  const provider = sandboxProvider(payments);
  const answer = (outcome: 'succeeded' | 'failed') => payment.pay((placed) => provider.authenticate(placed, outcome));
  return (
    <PayFrame payment={payment} stage={stage} back={back} onPay={() => payment.pay((placed) => provider.pay(placed, chosen))}>
      <fieldset class="pay-cards" aria-describedby="pay-trial">
        <legend>{texts.card}</legend>
        <p class="hint" id="pay-trial">
          {texts.cardHint}
        </p>
        <div class="choices">
          {testCards.map((card) => (
            <Choice
              key={card.name}
              type="radio"
              name="card"
              label={texts.cards[card.name]}
              after={
                <span class="pay-digits">
                  <span aria-hidden="true">•••• {card.last4}</span>
                  <span class="only-read-out">{texts.endsIn(card.last4)}</span>
                </span>
              }
              checked={card === chosen}
              onChange={() => setChosen(card)}
            />
          ))}
        </div>
      </fieldset>
      {stage.at === 'asked' ? <Bank payment={payment} placed={stage.placed} answer={answer} /> : null}
    </PayFrame>
  );
}

interface BankProps extends Pick<SandboxPayProps, 'payment'> {
  readonly placed: PayingStage['placed'];
  readonly answer: (outcome: 'succeeded' | 'failed') => void;
}

function Bank({ payment, placed: { amount_pence, currency, merchant_name }, answer }: BankProps) {
  const { pay: texts } = useTexts();
  const { money } = useFormat();
  return (
    <Sheet
      title={texts.bankTitle}
      onClose={payment.close}
      foot={
        <>
          <Button kind="main" busy={payment.busy} onClick={() => answer('succeeded')}>
            {texts.approve}
          </Button>
          <Button onClick={() => answer('failed')}>{texts.refuse}</Button>
        </>
      }
    >
      <p>{texts.bankText(money(amount_pence, currency), merchant_name)}</p>
    </Sheet>
  );
}
