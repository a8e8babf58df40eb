import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Bill } from '../../order/bill.tsx';
import { Page } from '../../shell/page.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SandboxPay } from './sandbox-pay.tsx';
import { StripePay } from './stripe-pay.tsx';
import { type Payment, usePayment } from './use-payment.ts';

/** Reopened, it resumes from the state of the payment. */
export default function PayPage({ code, attemptId }: { readonly code: string; readonly attemptId: string }) {
  const payment = usePayment(attemptId);
  const { pay: texts } = useTexts();
  const { stage } = payment;
  const shop = `/s/${encodeURIComponent(code)}`;
  const basket = `${shop}/basket`;
  switch (stage.at) {
    case 'placing':
      return <Waiting payment={payment} text={texts.placing} />;
    case 'paid':
      return stage.error === undefined ? (
        <Waiting payment={payment} text={texts.confirming} />
      ) : (
        <Page title={texts.confirmLate}>
          <p>{texts.confirmLateHint}</p>
          <ErrorNotice error={stage.error} again={payment.again} />
        </Page>
      );
    case 'processing':
      return (
        <Waiting payment={payment} text={texts.processing}>
          <p>{texts.processingHint}</p>
        </Waiting>
      );
    case 'unknown':
      return <End title={texts.unknown} hint={texts.unknownHint} to={shop} action={texts.toMenu} />;
    case 'ended':
      return <End title={texts.ended} hint={texts.endedHint} to={basket} action={texts.orderAgain} />;
    case 'refused':
      return (
        <End title={texts.refused} hint={texts.refusedHint} to={basket} action={texts.toBasket}>
          {stage.error === undefined ? null : <ErrorNotice error={stage.error} />}
        </End>
      );
    case 'failed':
      return (
        <Page title={texts.title} back={basket}>
          <ErrorNotice error={stage.error} again={payment.again} />
        </Page>
      );
    case 'asked':
    case 'paying':
      if (stage.payments === null) return <End title={texts.noPayments} hint={texts.noPaymentsHint} to={shop} action={texts.toMenu} />;
      return stage.payments.kind === 'sandbox' ? (
        <SandboxPay payment={payment} stage={stage} payments={stage.payments} back={basket} />
      ) : (
        <StripePay payment={payment} stage={stage} payments={stage.payments} back={basket} />
      );
    default:
      return stage satisfies never;
  }
}

interface EndProps {
  readonly title: string;
  readonly hint: string;
  readonly to: string;
  readonly action: string;
  readonly children?: ComponentChildren;
}

const End = ({ title, hint, to, action, children }: EndProps) => (
  <Page
    title={title}
    foot={
      <Link href={to} class="button main">
        {action}
      </Link>
    }
  >
    {children}
    <p>{hint}</p>
  </Page>
);

function Waiting({
  payment: { order },
  text,
  children,
}: {
  readonly payment: Payment;
  readonly text: string;
  children?: ComponentChildren;
}) {
  const { pay: texts } = useTexts();
  return (
    <Page title={texts.title}>
      <Notice title={text}>{children}</Notice>
      {order ? <Bill order={order} /> : <Skeleton lines={4} />}
    </Page>
  );
}
