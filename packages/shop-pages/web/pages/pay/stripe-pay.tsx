import { useEffect, useRef, useState } from 'preact/hooks';
import { useLanguage } from '../../texts/use-texts.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PayFrame, type PayingStage } from './pay-frame.tsx';
import type { Payments } from './provider.ts';
import { loadStripe, payAtStripe, type Stripe, type StripeElements } from './stripe.ts';
import type { Payment } from './use-payment.ts';

interface StripePayProps {
  readonly payment: Payment;
  readonly stage: PayingStage;
  readonly payments: Payments & { readonly kind: 'stripe' };
  readonly back: string;
}

export function StripePay({ payment, stage, payments, back }: StripePayProps) {
  const { language } = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<{ readonly stripe: Stripe; readonly elements: StripeElements }>();
  const [isReady, setReady] = useState(false);
  const [error, setError] = useState<unknown>();
  const load = async (): Promise<void> => {
    setError(undefined);
    try {
      const stripe = await loadStripe(payments.publishable_key);
      const elements = stripe.elements({ clientSecret: stage.placed.client_secret, locale: language, appearance: appearance() });
      const element = elements.create('payment', { layout: 'accordion' });
      element.on('ready', () => setReady(true));
      element.on('loaderror', () => setError(new Error('the payment form could not be loaded')));
      if (place.current) element.mount(place.current);
      setForm({ stripe, elements });
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void load(), []);
  const onPay = form && isReady ? () => payment.pay(() => payAtStripe(form.stripe, form.elements)) : undefined;
  return (
    <PayFrame payment={payment} stage={stage} back={back} onPay={onPay}>
      {error === undefined ? null : <ErrorNotice error={error} again={() => location.reload()} />}
      {isReady || error !== undefined ? null : <Skeleton lines={2} />}
      <div ref={place} />
    </PayFrame>
  );
}

function appearance(): object {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe',
    variables: {
      colorPrimary: colour('--accent'),
      colorBackground: colour('--raised'),
      colorText: colour('--ink'),
      colorDanger: colour('--warn'),
      borderRadius: '10px',
    },
  };
}
