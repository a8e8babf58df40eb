import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Bill } from '../../order/bill.tsx';
import { Page } from '../../shell/page.tsx';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Stage } from './payment.ts';
import type { Payment } from './use-payment.ts';

export type PayingStage = Extract<Stage, { readonly at: 'paying' } | { readonly at: 'asked' }>;

interface PayFrameProps {
  readonly payment: Payment;
  readonly stage: PayingStage;
  readonly back: string;
  readonly onPay: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function PayFrame({ payment, stage, back, onPay, children }: PayFrameProps) {
  const { pay: texts } = useTexts();
  const { money } = useFormat();
  const { order, busy } = payment;
  const { amount_pence, currency, merchant_name } = stage.placed;
  return (
    <Page
      title={texts.title}
      back={back}
      lead={<p class="quiet">{merchant_name}</p>}
      foot={
        <Button kind="main" type="submit" form="pay" busy={busy} disabled={!onPay}>
          {texts.payAmount(money(amount_pence, currency))}
        </Button>
      }
    >
      {order ? <Bill order={order} /> : <Skeleton lines={2} />}
      <Outcome stage={stage} />
      <form
        id="pay"
        class="pay-form"
        onSubmit={(event) => {
          event.preventDefault();
          onPay?.();
        }}
      >
        {children}
        <p class="hint">{texts.safe}</p>
      </form>
    </Page>
  );
}

function Outcome({ stage }: { readonly stage: PayingStage }) {
  const { pay: texts } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const { declined = null, unsure } = stage.at === 'paying' ? stage : {};
  const reason = declined === null || !Object.hasOwn(texts.declined, declined) ? 'other' : (declined as keyof typeof texts.declined);
  const text =
    unsure !== undefined
      ? { title: texts.unsure, hint: texts.unsureHint }
      : declined !== null
        ? { title: texts.declinedTitle, hint: texts.declined[reason] }
        : null;
  useEffect(() => {
    if (text) place.current?.scrollIntoView({ block: 'center' });
  }, [stage]);
  return (
    <div role="alert" ref={place}>
      {text ? (
        <div class="notice warning">
          <p class="notice-title">{text.title}</p>
          <p>{text.hint}</p>
        </div>
      ) : null}
    </div>
  );
}
